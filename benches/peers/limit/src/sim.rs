//! The loop, and what each event does.

use crate::queue::{Place, Queue};
use crate::weather::Weather;
use spec::{ATTEMPTS, CLIENTS, Counts, DOWN, Key, OPERATIONS};

/// What can happen. Each step of a handler is an event of its own: one dispatch an event.
#[derive(Clone, Copy)]
enum Event {
    Begin(Handle),
    Claim(Handle),
    Apply(Handle),
    Keep(Handle),
    Commit(Handle),
    Respond(Handle),
    /// The server dies when it comes to this step.
    Crash(Handle, u8),
    Request(Key),
    Response(Key, u64),
    TimeOut(Key, u8),
    Restart,
}

/// A handler by its slot; it is gone when the server has died since.
#[derive(Clone, Copy)]
struct Handle {
    slot: u16,
    life: u32,
}

/// One delivery that is being handled, with its transaction.
#[derive(Clone, Copy)]
struct Handler {
    key: Key,
    locks: bool,
    effects: u8,
    response: u64,
}

#[derive(Clone, Copy, Default)]
struct Client {
    /// All done when it is `OPERATIONS`.
    operation: u8,
    attempt: u8,
    timer: Place,
}

#[derive(Clone, Copy, Default)]
struct Row {
    state: State,
    effects: u8,
    acknowledged: bool,
    response: u64,
}

#[derive(Clone, Copy, Default)]
enum State {
    #[default]
    Absent,
    Locked,
    Committed,
}

const ROWS: usize = CLIENTS as usize * OPERATIONS as usize;

/// Everything there is; made once, and used for many seeds.
pub(crate) struct Sim {
    queue: Queue<Event>,
    weather: Weather,
    rows: [Row; ROWS],
    clients: [Client; CLIENTS as usize],
    waiting: u8,
    up: bool,
    /// How often the server has died.
    life: u32,
    handlers: Vec<Handler>,
    free: Vec<u16>,
    counts: Counts,
    now: u32,
    bug: bool,
}

impl Sim {
    pub(crate) fn new(bug: bool) -> Self {
        Self {
            queue: Queue::new(Event::Restart),
            weather: Weather::new(0),
            rows: [Row::default(); ROWS],
            clients: [Client::default(); CLIENTS as usize],
            waiting: 0,
            up: true,
            life: 0,
            handlers: Vec::with_capacity(64),
            free: Vec::with_capacity(64),
            counts: Counts::default(),
            now: 0,
            bug,
        }
    }

    pub(crate) fn run(&mut self, seed: u64) -> Counts {
        self.reset(seed);
        for client in 0..CLIENTS {
            self.send_attempt(client);
        }
        while self.waiting > 0 {
            let Some((now, event)) = self.queue.pop() else {
                unreachable!("a client that waits has a timer")
            };
            self.now = now;
            self.happen(event);
        }
        self.check();
        self.counts
    }

    fn reset(&mut self, seed: u64) {
        self.queue.clear();
        self.weather = Weather::new(seed);
        self.rows = [Row::default(); ROWS];
        self.clients = [Client::default(); CLIENTS as usize];
        self.waiting = CLIENTS;
        self.up = true;
        self.life = 0;
        self.handlers.clear();
        self.free.clear();
        self.counts = Counts::default();
        self.now = 0;
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is the body of the loop")]
    fn happen(&mut self, event: Event) {
        match event {
            Event::Begin(handle) => {
                if self.reached(handle, 1) {
                    self.plan(handle, 2, Event::Claim);
                }
            }
            Event::Claim(handle) => {
                if self.reached(handle, 2) {
                    self.claim(handle);
                }
            }
            Event::Apply(handle) => {
                if self.reached(handle, 3) {
                    self.apply(handle);
                }
            }
            Event::Keep(handle) => {
                if self.reached(handle, 4) {
                    let handler = &mut self.handlers[usize::from(handle.slot)];
                    handler.response = handler.key.response();
                    self.plan(handle, 5, Event::Commit);
                }
            }
            Event::Commit(handle) => {
                if self.reached(handle, 5) {
                    self.commit(handle);
                }
            }
            Event::Respond(handle) => {
                if self.reached(handle, 6) {
                    self.free.push(handle.slot);
                    let Handler { key, response, .. } = self.handlers[usize::from(handle.slot)];
                    self.send(Event::Response(key, response));
                }
            }
            Event::Crash(handle, step) => {
                if self.reached(handle, step) {
                    self.crash();
                }
            }
            Event::Request(key) => {
                if self.up {
                    self.handle(key);
                }
            }
            Event::Response(key, response) => self.respond(key, response),
            Event::TimeOut(key, attempt) => self.time_out(key, attempt),
            Event::Restart => {
                self.counts.restarts += 1;
                self.note(7, 0);
                self.up = true;
            }
        }
    }

    /// Counts a step, unless its handler is gone.
    #[inline]
    fn reached(&mut self, handle: Handle, step: u8) -> bool {
        let alive = handle.life == self.life;
        if alive {
            self.counts.steps += 1;
            let key = self.handlers[usize::from(handle.slot)].key;
            self.note(step.into(), key.number());
        }
        alive
    }

    /// Plans a handler's next step.
    #[inline]
    fn plan(&mut self, handle: Handle, step: u8, event: fn(Handle) -> Event) {
        let (time, dies) = self.weather.step();
        let event = if dies { Event::Crash(handle, step) } else { event(handle) };
        self.queue.push(self.now + time, event);
    }

    #[inline]
    fn handle(&mut self, key: Key) {
        self.counts.deliveries += 1;
        self.note(8, key.number());
        let handler = Handler { key, locks: false, effects: 0, response: 0 };
        let slot = if let Some(slot) = self.free.pop() {
            self.handlers[usize::from(slot)] = handler;
            slot
        } else {
            self.handlers.push(handler);
            self.handlers.len() as u16 - 1
        };
        self.plan(Handle { slot, life: self.life }, 1, Event::Begin);
    }

    #[inline]
    fn claim(&mut self, handle: Handle) {
        let handler = &mut self.handlers[usize::from(handle.slot)];
        let row = &mut self.rows[at(handler.key)];
        match row.state {
            State::Absent => {
                row.state = State::Locked;
                handler.locks = true;
                self.plan(handle, 3, Event::Apply);
            }
            State::Locked => self.free.push(handle.slot),
            State::Committed => {
                handler.response = row.response;
                self.plan(handle, 6, Event::Respond);
            }
        }
    }

    #[inline]
    fn apply(&mut self, handle: Handle) {
        let handler = &mut self.handlers[usize::from(handle.slot)];
        if self.bug {
            self.rows[at(handler.key)].effects += 1;
        } else {
            handler.effects += 1;
        }
        self.plan(handle, 4, Event::Keep);
    }

    #[inline]
    fn commit(&mut self, handle: Handle) {
        let handler = &mut self.handlers[usize::from(handle.slot)];
        let row = &mut self.rows[at(handler.key)];
        row.state = State::Committed;
        row.effects += handler.effects;
        row.response = handler.response;
        handler.locks = false;
        self.plan(handle, 6, Event::Respond);
    }

    #[cold]
    fn crash(&mut self) {
        self.counts.crashes += 1;
        self.life += 1;
        self.up = false;
        for handler in self.handlers.drain(..).filter(|handler| handler.locks) {
            self.rows[at(handler.key)].state = State::Absent;
        }
        self.free.clear();
        self.queue.push(self.now + DOWN, Event::Restart);
    }

    #[inline]
    fn send(&mut self, event: Event) {
        let fate = self.weather.message();
        if let Some(delay) = fate.first {
            self.queue.push(self.now + delay, event);
        }
        if let Some(delay) = fate.second {
            self.queue.push(self.now + delay, event);
        }
    }

    #[inline]
    fn send_attempt(&mut self, client: u8) {
        let Client { operation, attempt, .. } = self.clients[usize::from(client)];
        let key = Key { client, operation };
        let due = self.now + spec::timeout(attempt);
        let timer = self.queue.push(due, Event::TimeOut(key, attempt));
        self.clients[usize::from(client)].timer = timer;
        self.send(Event::Request(key));
    }

    #[inline]
    fn respond(&mut self, key: Key, response: u64) {
        let client = self.clients[usize::from(key.client)];
        if client.operation == OPERATIONS {
            return;
        }
        self.counts.deliveries += 1;
        self.note(9, key.number());
        if client.operation == key.operation {
            self.queue.cancel(client.timer);
            self.counts.acknowledged += 1;
            self.counts.violations += u64::from(response != key.response());
            self.rows[at(key)].acknowledged = true;
            self.next_operation(key.client);
        }
    }

    #[inline]
    fn time_out(&mut self, key: Key, attempt: u8) {
        let client = &mut self.clients[usize::from(key.client)];
        debug_assert_eq!((client.operation, client.attempt), (key.operation, attempt));
        client.attempt += 1;
        let exhausted = client.attempt == ATTEMPTS;
        self.counts.timeouts += 1;
        self.note(10, key.number());
        if exhausted {
            self.counts.exhausted += 1;
            self.next_operation(key.client);
        } else {
            self.send_attempt(key.client);
        }
    }

    #[inline]
    fn next_operation(&mut self, client: u8) {
        let this = &mut self.clients[usize::from(client)];
        this.operation += 1;
        this.attempt = 0;
        if this.operation == OPERATIONS {
            self.waiting -= 1;
        } else {
            self.send_attempt(client);
        }
    }

    #[inline]
    fn note(&mut self, kind: u64, key: u64) {
        self.counts.note(kind << 48 | key << 32 | u64::from(self.now));
    }

    fn check(&mut self) {
        let wrong = |row: &&Row| row.effects > 1 || (row.acknowledged && row.effects == 0);
        self.counts.violations += self.rows.iter().filter(wrong).count() as u64;
    }
}

/// Where the row of a key lies.
#[inline]
fn at(key: Key) -> usize {
    usize::from(key.client) * usize::from(OPERATIONS) + usize::from(key.operation)
}

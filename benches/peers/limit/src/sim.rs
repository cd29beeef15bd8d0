//! The loop, and what each event does.

use crate::client::Client;
use crate::queue::Queue;
use crate::server::{Handle, Handler, Row};
use crate::weather::Weather;
use spec::{CLIENTS, Counts, Key, OPERATIONS};

/// What can happen. Each step of a handler is an event of its own: one dispatch an event.
#[derive(Clone, Copy)]
pub(crate) enum Event {
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

const ROWS: usize = CLIENTS as usize * OPERATIONS as usize;

/// Everything there is; made once, and used for many seeds.
pub(crate) struct Sim {
    pub(crate) queue: Queue<Event>,
    pub(crate) weather: Weather,
    pub(crate) rows: [Row; ROWS],
    pub(crate) clients: [Client; CLIENTS as usize],
    pub(crate) waiting: u8,
    pub(crate) up: bool,
    /// How often the server has died.
    pub(crate) life: u32,
    pub(crate) handlers: Vec<Handler>,
    pub(crate) free: Vec<u16>,
    pub(crate) counts: Counts,
    pub(crate) now: u32,
    pub(crate) bug: bool,
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

    #[inline]
    pub(crate) fn send(&mut self, event: Event) {
        let fate = self.weather.message();
        if let Some(delay) = fate.first {
            self.queue.push(self.now + delay, event);
        }
        if let Some(delay) = fate.second {
            self.queue.push(self.now + delay, event);
        }
    }

    #[inline]
    pub(crate) fn note(&mut self, kind: u64, key: u64) {
        self.counts.note(kind << 48 | key << 32 | u64::from(self.now));
    }

    fn check(&mut self) {
        let wrong = |row: &&Row| row.effects > 1 || (row.acknowledged && row.effects == 0);
        self.counts.violations += self.rows.iter().filter(wrong).count() as u64;
    }
}

/// Where the row of a key lies.
#[inline]
pub(crate) fn at(key: Key) -> usize {
    usize::from(key.client) * usize::from(OPERATIONS) + usize::from(key.operation)
}

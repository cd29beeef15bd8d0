//! W1 on shuttle, as far as it can be said there: threads and channels, and no clock.
//!
//! Fault model: how long anything takes is the scheduler's choice. What would make an attempt late
//! (a lost copy, a locked key, a dead server) posts its timeout. A server is down for some turns
//! of the scheduler.

use shuttle::rand::{Rng, thread_rng};
use shuttle::scheduler::RandomScheduler;
use shuttle::sync::mpsc::{Receiver, Sender, channel};
use shuttle::{Config, Runner, thread};
use spec::program::{self, Order};
use spec::{Claim, Counts, Key, Total, World};
use std::sync::{Arc, Mutex, MutexGuard};

fn main() {
    program::main(run);
}

/// For how many turns the server is down.
const DOWN_TURNS: usize = 8;

/// What reaches a client.
enum Note {
    Response(Key, u64),
    /// Of the attempt with this number.
    TimeOut(Key, u8),
}

/// What all threads of a seed share.
struct Shared {
    world: World,
    up: bool,
    /// How often the server has died: handlers of an earlier life are dead.
    life: u32,
}

/// The lock is std's, since the store's operations are atomic: shuttle's own would be one more point
/// to schedule at, and halve the speed. Nobody may hold it at such a point.
#[derive(Clone)]
struct Sim(Arc<Mutex<Shared>>);

/// One runner makes all seeds of an order; shuttle draws the later ones from the first.
fn run(order: &Order) -> Total {
    let sum: Arc<Mutex<Counts>> = Arc::default();
    let (into, bug) = (Arc::clone(&sum), order.bug);
    let seeds = (order.seeds.end - order.seeds.start) as usize;
    let scheduler = RandomScheduler::new_from_seed(order.seeds.start, seeds);
    let mut config = Config::new();
    config.silence_warnings = true;
    Runner::new(scheduler, config).run(move || {
        let counts = simulate(bug);
        *into.lock().expect("nobody panics with it") += counts;
    });
    let sum = *sum.lock().expect("nobody panics with it");
    sum.into()
}

fn simulate(bug: bool) -> Counts {
    let shared = Shared { world: World::new(bug), up: true, life: 0 };
    let sim = Sim(Arc::new(Mutex::new(shared)));
    let start = |client| {
        let sim = sim.clone();
        thread::spawn(move || sim.run_client(client))
    };
    let clients: Vec<_> = (0..spec::CLIENTS).map(start).collect();
    for client in clients {
        client.join().expect("no client panics");
    }
    let world = std::mem::take(&mut sim.shared().world);
    world.finish()
}

impl Sim {
    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.0.lock().expect("nobody panics with it")
    }

    fn run_client(&self, client: u8) {
        let (reply, inbox) = channel();
        for operation in 0..spec::OPERATIONS {
            let key = Key { client, operation };
            let response = self.ask(key, &reply, &inbox);
            let world = &mut self.shared().world;
            match response {
                Some(response) => world.acknowledged(key, response),
                None => world.exhausted(),
            }
        }
    }

    /// Sends until there is a response, or no attempt is left.
    fn ask(&self, key: Key, reply: &Sender<Note>, inbox: &Receiver<Note>) -> Option<u64> {
        for attempt in 0..spec::ATTEMPTS {
            self.send(key, attempt, reply);
            loop {
                match inbox.recv().expect("it has a sender itself") {
                    Note::Response(about, response) => {
                        self.shared().world.delivered(about);
                        if about == key {
                            return Some(response);
                        }
                    }
                    Note::TimeOut(of, number) if (of, number) == (key, attempt) => break,
                    Note::TimeOut(..) => {}
                }
            }
            self.shared().world.timed_out(key);
        }
        None
    }

    fn send(&self, key: Key, attempt: u8, reply: &Sender<Note>) {
        for _ in 0..copies() {
            let (sim, reply) = (self.clone(), reply.clone());
            let delivery = Delivery { sim, key, attempt, reply };
            if thread_rng().gen_bool(spec::DROP) {
                delivery.give_up();
            } else {
                thread::spawn(move || delivery.handle());
            }
        }
    }

    fn crash(&self) {
        {
            let shared = &mut *self.shared();
            shared.world.crashed();
            shared.up = false;
            shared.life += 1;
        }
        let sim = self.clone();
        thread::spawn(move || {
            (0..DOWN_TURNS).for_each(|_| thread::yield_now());
            let shared = &mut *sim.shared();
            shared.world.restarted();
            shared.up = true;
        });
    }
}

/// One copy of a request: the thread that carries it becomes its handler.
struct Delivery {
    sim: Sim,
    key: Key,
    attempt: u8,
    reply: Sender<Note>,
}

impl Delivery {
    /// Nothing comes of it, so the attempt will have no response in time.
    fn give_up(&self) {
        let _ = self.reply.send(Note::TimeOut(self.key, self.attempt));
    }

    fn handle(self) {
        match self.arrive().and_then(|life| self.respond(life)) {
            Some(response) if !thread_rng().gen_bool(spec::DROP) => {
                for _ in 0..copies() {
                    let _ = self.reply.send(Note::Response(self.key, response));
                }
            }
            _ => self.give_up(),
        }
    }

    /// In which life of the server, if it is up.
    fn arrive(&self) -> Option<u32> {
        let shared = &mut *self.sim.shared();
        shared.up.then(|| {
            shared.world.delivered(self.key);
            shared.life
        })
    }

    /// The response, unless the key is locked or the server dies.
    fn respond(&self, life: u32) -> Option<u64> {
        let (sim, key) = (&self.sim, self.key);
        self.step(life, 1)?;
        let mut transaction = sim.shared().world.store.begin(key);
        self.step(life, 2)?;
        let claim = sim.shared().world.store.claim(&transaction);
        let response = match claim {
            Claim::Locked => return None,
            Claim::Done(response) => response,
            Claim::Fresh => {
                self.step(life, 3)?;
                sim.shared().world.store.apply(&mut transaction);
                self.step(life, 4)?;
                sim.shared().world.store.keep(&mut transaction, key.response());
                self.step(life, 5)?;
                sim.shared().world.store.commit(&transaction);
                key.response()
            }
        };
        self.step(life, 6)?;
        Some(response)
    }

    /// Takes the time of a step; the server may die at its end.
    fn step(&self, life: u32, step: u8) -> Option<()> {
        thread::yield_now();
        {
            let shared = &mut *self.sim.shared();
            if shared.life != life {
                return None;
            }
            shared.world.reached(self.key, step);
        }
        if thread_rng().gen_bool(spec::CRASH) {
            self.sim.crash();
            return None;
        }
        Some(())
    }
}

fn copies() -> usize {
    1 + usize::from(thread_rng().gen_bool(spec::DUPLICATE))
}

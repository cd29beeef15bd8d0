//! W1 on plain tokio: a current-thread runtime with a paused clock, and a network of tasks that sleep.
//!
//! Fault model: copies of a message are lost, doubled and delayed by whoever sends it. A crash
//! aborts every handler; requests that arrive while the server is down are lost.

use spec::program::{self, Order};
use spec::{Claim, Counts, Key, Message, Random, World, ms};
use std::cell::RefCell;
use std::future::pending;
use std::rc::Rc;
use tokio::runtime::Builder;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{JoinSet, LocalSet, spawn_local};
use tokio::time::{Instant, sleep, timeout_at};

fn main() {
    program::main(|order: &Order| order.each(run));
}

/// What all tasks of a seed share.
struct Shared {
    world: World,
    random: Random,
    clients: Vec<UnboundedSender<(Key, u64)>>,
    /// The server's handlers; `None` while it is down.
    handlers: Option<JoinSet<()>>,
}

#[derive(Clone)]
struct Sim(Rc<RefCell<Shared>>);

fn run(seed: u64, bug: bool) -> Counts {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.expect("a runtime without I/O needs nothing");
    LocalSet::new().block_on(&runtime, simulate(seed, bug))
}

async fn simulate(seed: u64, bug: bool) -> Counts {
    let (clients, inboxes): (Vec<_>, Vec<_>) =
        (0..spec::CLIENTS).map(|_| unbounded_channel()).unzip();
    let sim = Sim(Rc::new(RefCell::new(Shared {
        world: World::new(bug),
        random: Random::new(seed),
        clients,
        handlers: Some(JoinSet::new()),
    })));
    let mut all = JoinSet::new();
    for (client, inbox) in (0..).zip(inboxes) {
        all.spawn_local(sim.clone().client(client, inbox));
    }
    while all.join_next().await.is_some() {}
    let mut shared = sim.0.borrow_mut();
    // Handlers hold the simulation that holds them.
    shared.handlers = None;
    std::mem::take(&mut shared.world).finish()
}

impl Sim {
    async fn client(self, client: u8, mut inbox: UnboundedReceiver<(Key, u64)>) {
        for operation in 0..spec::OPERATIONS {
            let key = Key { client, operation };
            let response = self.ask(key, &mut inbox).await;
            let world = &mut self.0.borrow_mut().world;
            match response {
                Some(response) => world.acknowledged(key, response),
                None => world.exhausted(),
            }
        }
    }

    /// Sends until there is a response, or no attempt is left.
    async fn ask(&self, key: Key, inbox: &mut UnboundedReceiver<(Key, u64)>) -> Option<u64> {
        for attempt in 0..spec::ATTEMPTS {
            self.send(Message::Request(key));
            let deadline = Instant::now() + ms(spec::timeout(attempt));
            while let Ok(message) = timeout_at(deadline, inbox.recv()).await {
                let (about, response) = message?;
                if about == key {
                    return Some(response);
                }
            }
            self.0.borrow_mut().world.timed_out(key);
        }
        None
    }

    fn send(&self, message: Message) {
        let random = &mut self.0.borrow_mut().random;
        for _ in 0..random.copies() {
            let delay = ms(random.between(spec::DELAY));
            let sim = self.clone();
            spawn_local(async move {
                sleep(delay).await;
                sim.deliver(message);
            });
        }
    }

    fn deliver(&self, message: Message) {
        let shared = &mut *self.0.borrow_mut();
        match message {
            Message::Request(key) => {
                if let Some(handlers) = &mut shared.handlers {
                    shared.world.delivered(key);
                    handlers.spawn_local(self.clone().handle(key));
                }
            }
            Message::Response(key, response) => {
                // A client that has finished is gone.
                if shared.clients[usize::from(key.client)].send((key, response)).is_ok() {
                    shared.world.delivered(key);
                }
            }
        }
    }

    async fn handle(self, key: Key) {
        self.step(key, 1).await;
        let mut transaction = self.0.borrow().world.store.begin(key);
        self.step(key, 2).await;
        let claim = self.0.borrow_mut().world.store.claim(&transaction);
        let response = match claim {
            Claim::Locked => return,
            Claim::Done(response) => response,
            Claim::Fresh => {
                self.step(key, 3).await;
                self.0.borrow_mut().world.store.apply(&mut transaction);
                self.step(key, 4).await;
                self.0.borrow_mut().world.store.keep(&mut transaction, key.response());
                self.step(key, 5).await;
                self.0.borrow_mut().world.store.commit(&transaction);
                key.response()
            }
        };
        self.step(key, 6).await;
        self.send(Message::Response(key, response));
    }

    /// Takes the time of a step; the server may die at its end.
    async fn step(&self, key: Key, step: u8) {
        let time = ms(self.0.borrow_mut().random.between(spec::STEP));
        sleep(time).await;
        let dies = {
            let shared = &mut *self.0.borrow_mut();
            shared.world.reached(key, step);
            shared.random.chance(spec::CRASH)
        };
        if dies {
            self.crash();
            pending::<()>().await;
        }
    }

    fn crash(&self) {
        let shared = &mut *self.0.borrow_mut();
        shared.world.crashed();
        // To drop them is to abort them: the one that runs, too, as soon as it waits.
        shared.handlers = None;
        let sim = self.clone();
        spawn_local(async move {
            sleep(ms(spec::DOWN)).await;
            let shared = &mut *sim.0.borrow_mut();
            shared.world.restarted();
            shared.handlers = Some(JoinSet::new());
        });
    }
}

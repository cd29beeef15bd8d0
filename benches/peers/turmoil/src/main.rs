//! W1 on turmoil: its network and clock, hosts that are crashed and bounced.
//!
//! Fault model: latencies are turmoil's, from an exponential that is cut off, with W1's mean. Its
//! `fail_rate` breaks whole links, so copies are lost and doubled by whoever sends. A crash takes
//! effect at the end of the tick.

use spec::program::{self, Order};
use spec::{Claim, Counts, Key, Message, Random, World, ms};
use std::future::pending;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};
use turmoil::net::UdpSocket;
use turmoil::{Builder, Result};

fn main() {
    program::main(|order: &Order| order.each(run));
}

/// What all hosts of a seed share.
struct Shared {
    world: World,
    random: Random,
    /// A handler has come to a step at which the server dies.
    dying: bool,
}

#[derive(Clone)]
struct Sim(Arc<Mutex<Shared>>);

const SERVER: &str = "server";
const PORT: u16 = 9000;

/// With this rate the exponential between 1 and 50 ms has a mean of 25.5 ms.
const LATENCY_CURVE: f64 = 1.594;

/// More than any seed takes.
const HOUR: Duration = Duration::from_hours(1);

fn run(seed: u64, bug: bool) -> Counts {
    let shared = Shared { world: World::new(bug), random: Random::new(seed), dying: false };
    let sim = Sim(Arc::new(Mutex::new(shared)));
    let mut turmoil = Builder::new()
        .rng_seed(seed)
        .simulation_duration(HOUR)
        .min_message_latency(ms(*spec::DELAY.start()))
        .max_message_latency(ms(*spec::DELAY.end()))
        .build();
    turmoil.set_message_latency_curve(LATENCY_CURVE);
    let of_server = sim.clone();
    turmoil.host(SERVER, move || serve(of_server.clone()));
    for client in 0..spec::CLIENTS {
        turmoil.client(format!("client-{client}"), run_client(sim.clone(), client));
    }
    let mut up_at = None;
    while !turmoil.step().expect("no host fails") {
        if std::mem::take(&mut sim.shared().dying) {
            turmoil.crash(SERVER);
            sim.shared().world.crashed();
            up_at = Some(turmoil.elapsed() + ms(spec::DOWN));
        }
        if up_at.is_some_and(|at| turmoil.elapsed() >= at) {
            up_at = None;
            sim.shared().world.restarted();
            turmoil.bounce(SERVER);
        }
    }
    drop(turmoil);
    let world = std::mem::take(&mut sim.shared().world);
    world.finish()
}

async fn run_client(sim: Sim, client: u8) -> Result {
    let socket = UdpSocket::bind("0.0.0.0:0").await?;
    for operation in 0..spec::OPERATIONS {
        let key = Key { client, operation };
        let response = sim.ask(&socket, key).await?;
        let world = &mut sim.shared().world;
        match response {
            Some(response) => world.acknowledged(key, response),
            None => world.exhausted(),
        }
    }
    Ok(())
}

async fn serve(sim: Sim) -> Result {
    let socket = Arc::new(UdpSocket::bind(("0.0.0.0", PORT)).await?);
    loop {
        let (message, from) = receive(&socket).await?;
        let Message::Request(key) = message else { unreachable!("servers get requests only") };
        sim.shared().world.delivered(key);
        let (sim, socket) = (sim.clone(), Arc::clone(&socket));
        tokio::spawn(async move { sim.handle(&socket, key, from).await });
    }
}

async fn receive(socket: &UdpSocket) -> Result<(Message, SocketAddr)> {
    let mut bytes = [0; Message::BYTES];
    let (_, from) = socket.recv_from(&mut bytes).await?;
    Ok((Message::from_bytes(&bytes), from))
}

impl Sim {
    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.0.lock().expect("nobody panics with it")
    }

    /// Latency is the network's.
    async fn send(&self, socket: &UdpSocket, to: SocketAddr, message: Message) -> Result {
        let copies = self.shared().random.copies();
        for _ in 0..copies {
            socket.send_to(&message.to_bytes(), to).await?;
        }
        Ok(())
    }

    /// Sends until there is a response, or no attempt is left.
    async fn ask(&self, socket: &UdpSocket, key: Key) -> Result<Option<u64>> {
        let server = SocketAddr::new(turmoil::lookup(SERVER), PORT);
        for attempt in 0..spec::ATTEMPTS {
            self.send(socket, server, Message::Request(key)).await?;
            let deadline = Instant::now() + ms(spec::timeout(attempt));
            while let Ok(received) = timeout_at(deadline, receive(socket)).await {
                let (Message::Response(about, response), _) = received? else {
                    unreachable!("clients get responses only")
                };
                self.shared().world.delivered(about);
                if about == key {
                    return Ok(Some(response));
                }
            }
            self.shared().world.timed_out(key);
        }
        Ok(None)
    }

    async fn handle(&self, socket: &UdpSocket, key: Key, from: SocketAddr) {
        self.step(key, 1).await;
        let mut transaction = self.shared().world.store.begin(key);
        self.step(key, 2).await;
        let claim = self.shared().world.store.claim(&transaction);
        let response = match claim {
            Claim::Locked => return,
            Claim::Done(response) => response,
            Claim::Fresh => {
                self.step(key, 3).await;
                self.shared().world.store.apply(&mut transaction);
                self.step(key, 4).await;
                self.shared().world.store.keep(&mut transaction, key.response());
                self.step(key, 5).await;
                self.shared().world.store.commit(&transaction);
                key.response()
            }
        };
        self.step(key, 6).await;
        let sent = self.send(socket, from, Message::Response(key, response)).await;
        sent.expect("its socket is bound as long as it lives");
    }

    /// Takes the time of a step; the server may die at its end.
    async fn step(&self, key: Key, step: u8) {
        let time = ms(self.shared().random.between(spec::STEP));
        sleep(time).await;
        let dying = {
            let shared = &mut *self.shared();
            shared.world.reached(key, step);
            shared.dying |= shared.random.chance(spec::CRASH);
            shared.dying
        };
        if dying {
            pending::<()>().await;
        }
    }
}

//! W1 on madsim: its network, its clock, its generator; the server is a node that is killed and
//! restarted.
//!
//! Build it with `--cfg madsim`: without, madsim is the real world.
//!
//! Fault model: losses and latencies are madsim's, second copies are sent by us. `send_to` and
//! `recv_from` take a millisecond each at most, so that the latency is set to what is left.

use madsim::Config;
use madsim::net::Endpoint;
use madsim::rand::{Rng, thread_rng};
use madsim::runtime::{Handle, Runtime};
use madsim::task::spawn;
use madsim::time::{Instant, sleep, timeout};
use spec::program::{self, Order};
use spec::{Claim, Counts, Key, Message, World, ms};
use std::future::pending;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

fn main() {
    program::main(|order: &Order| order.each(run));
}

/// What all nodes of a seed share.
#[derive(Clone)]
struct Shared(Arc<Mutex<World>>);

impl Shared {
    fn world(&self) -> MutexGuard<'_, World> {
        self.0.lock().expect("nobody panics with it")
    }
}

const TAG: u64 = 0;
const PORT: u16 = 9000;
const SERVER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));

fn run(seed: u64, bug: bool) -> Counts {
    let mut config = Config::default();
    config.net.packet_loss_rate = spec::DROP;
    config.net.send_latency = ms(spec::DELAY.start() - 1)..ms(spec::DELAY.end() - 3);
    let shared = Shared(Arc::new(Mutex::new(World::new(bug))));
    Runtime::with_seed_and_config(seed, config).block_on(simulate(shared.clone()));
    let world = std::mem::take(&mut *shared.world());
    world.finish()
}

async fn simulate(shared: Shared) {
    let handle = Handle::current();
    let (crash, crashes) = unbounded_channel();
    let of_server = shared.clone();
    let server = handle
        .create_node()
        .name("server")
        .ip(SERVER)
        .init(move || serve(of_server.clone(), crash.clone()))
        .build();
    let node = server.id();
    let of_chaos = shared.clone();
    spawn(async move { restart(&of_chaos, node, crashes).await });
    let start = |client| {
        let node = handle.create_node().ip([10, 0, 1, client + 1].into()).build();
        node.spawn(run_client(shared.clone(), client))
    };
    let clients: Vec<_> = (0..spec::CLIENTS).map(start).collect();
    for client in clients {
        client.await.expect("clients end by themselves");
    }
}

/// Kills the server whenever a handler asks for it, and brings it back.
async fn restart(shared: &Shared, node: madsim::task::NodeId, mut crashes: UnboundedReceiver<()>) {
    let handle = Handle::current();
    while crashes.recv().await.is_some() {
        handle.kill(node);
        shared.world().crashed();
        // Another handler may have asked in the same instant.
        while crashes.try_recv().is_ok() {}
        sleep(ms(spec::DOWN)).await;
        shared.world().restarted();
        handle.restart(node);
    }
}

/// Loss and latency are the network's.
async fn send(endpoint: &Endpoint, to: SocketAddr, message: Message) {
    let copies = if thread_rng().gen_bool(spec::DUPLICATE) { 2 } else { 1 };
    for _ in 0..copies {
        let sent = endpoint.send_to(to, TAG, &message.to_bytes()).await;
        sent.expect("nodes that send are bound");
    }
}

async fn receive(endpoint: &Endpoint) -> (Message, SocketAddr) {
    let mut bytes = [0; Message::BYTES];
    let received = endpoint.recv_from(TAG, &mut bytes).await;
    let (_, from) = received.expect("nodes that receive are bound");
    (Message::from_bytes(&bytes), from)
}

async fn run_client(shared: Shared, client: u8) {
    let endpoint = Endpoint::bind("0.0.0.0:0").await.expect("any port is free");
    for operation in 0..spec::OPERATIONS {
        let key = Key { client, operation };
        let response = ask(&shared, &endpoint, key).await;
        let mut world = shared.world();
        match response {
            Some(response) => world.acknowledged(key, response),
            None => world.exhausted(),
        }
    }
}

/// Sends until there is a response, or no attempt is left.
async fn ask(shared: &Shared, endpoint: &Endpoint, key: Key) -> Option<u64> {
    for attempt in 0..spec::ATTEMPTS {
        let deadline = Instant::now() + ms(spec::timeout(attempt));
        send(endpoint, (SERVER, PORT).into(), Message::Request(key)).await;
        let left = || deadline.saturating_duration_since(Instant::now());
        while let Ok((message, _)) = timeout(left(), receive(endpoint)).await {
            let Message::Response(about, response) = message else {
                unreachable!("clients get responses only")
            };
            shared.world().delivered(about);
            if about == key {
                return Some(response);
            }
        }
        shared.world().timed_out(key);
    }
    None
}

/// The server's process, in one of its lives.
struct Server {
    shared: Shared,
    crash: UnboundedSender<()>,
    endpoint: Endpoint,
}

async fn serve(shared: Shared, crash: UnboundedSender<()>) {
    let endpoint = Endpoint::bind(("0.0.0.0", PORT)).await.expect("its last life let go of it");
    let server = Arc::new(Server { shared, crash, endpoint });
    loop {
        let (message, from) = receive(&server.endpoint).await;
        let Message::Request(key) = message else { unreachable!("servers get requests only") };
        server.shared.world().delivered(key);
        spawn(Arc::clone(&server).handle(key, from));
    }
}

impl Server {
    async fn handle(self: Arc<Self>, key: Key, from: SocketAddr) {
        self.step(key, 1).await;
        let mut transaction = self.shared.world().store.begin(key);
        self.step(key, 2).await;
        let claim = self.shared.world().store.claim(&transaction);
        let response = match claim {
            Claim::Locked => return,
            Claim::Done(response) => response,
            Claim::Fresh => {
                self.step(key, 3).await;
                self.shared.world().store.apply(&mut transaction);
                self.step(key, 4).await;
                self.shared.world().store.keep(&mut transaction, key.response());
                self.step(key, 5).await;
                self.shared.world().store.commit(&transaction);
                key.response()
            }
        };
        self.step(key, 6).await;
        send(&self.endpoint, from, Message::Response(key, response)).await;
    }

    /// Takes the time of a step; the server may die at its end.
    async fn step(&self, key: Key, step: u8) {
        sleep(ms(thread_rng().gen_range(spec::STEP))).await;
        self.shared.world().reached(key, step);
        if thread_rng().gen_bool(spec::CRASH) {
            self.crash.send(()).expect("who restarts it lives as long as the seed");
            pending::<()>().await;
        }
    }
}

//! Clients and server as actors, as a user of stateright would write them.
//!
//! Time is what may happen next. Fault model: a message in the network can be delivered again and again,
//! or be dropped; a timeout can always fire; the server crashes once, and keeps its disk.
//! It handles two requests at once, in six steps each.

use bounded::{ATTEMPTS, CLIENTS, CRASHES, End, OPERATIONS, Outcome, Question};
use stateright::Expectation;
use stateright::actor::{
    Actor, ActorModel, ActorModelState, Id, LossyNetwork, Network, Out, model_timeout,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// The name of the property that is asked about.
pub(crate) const EXACTLY_ONCE: &str = "no effect twice, and no success without one";

/// How many requests the server handles at once.
const WORKERS: usize = 2;

/// What the properties look up.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Where all ends are noted, if they are asked for. A visitor would be handed whole paths, which
    /// costs a hundred times the search.
    pub(crate) outcomes: Option<Arc<Mutex<BTreeSet<Outcome>>>>,
}

/// Whose operation, and which of them: also its idempotency key.
type Key = (u8, u8);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Message {
    Request(Key),
    Response(Key),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Timer {
    /// A client has waited long enough.
    Retry,
    /// A worker's next step is due.
    Step(usize),
}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    Client { number: u8 },
    Server { bug: bool },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum State {
    Client(Client),
    Server(Server),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client {
    attempts: u8,
    /// Whether each operation that has ended was acknowledged.
    ended: Vec<bool>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Server {
    workers: [Option<Job>; WORKERS],
    disk: Disk,
}

/// A request that is being handled, and the step that comes next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Job {
    key: Key,
    step: Step,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    Begin,
    Claim,
    Apply,
    Keep,
    Commit,
    Respond,
}

/// What survives a crash: committed effects, and how often the server has started again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Disk {
    effects: BTreeMap<Key, u8>,
    restarts: u8,
}

/// The whole system.
pub(crate) fn model(question: &Question) -> ActorModel<Node, Asked> {
    let asked = Asked { outcomes: question.outcomes.then(Arc::default) };
    let lossy = if question.lossless { LossyNetwork::No } else { LossyNetwork::Yes };
    let model = ActorModel::new(asked, ())
        .actors((0..CLIENTS).map(|number| Node::Client { number }))
        .actor(Node::Server { bug: question.bug })
        .init_network(Network::new_unordered_duplicating([]))
        .lossy_network(lossy)
        .max_crashes(1)
        .within_boundary(|_, system| only_the_server_crashes(system))
        .property(Expectation::Always, EXACTLY_ONCE, |_, system| is_exactly_once(system));
    if !question.outcomes {
        return model;
    }
    model.property(Expectation::Always, "every outcome is noted", |model, system| {
        note(&model.cfg, system);
        true
    })
}

fn only_the_server_crashes(system: &ActorModelState<Node>) -> bool {
    let clients_live = !system.crashed[..usize::from(CLIENTS)].contains(&true);
    let down = u8::from(system.crashed[usize::from(CLIENTS)]);
    clients_live && disk(system).restarts + down <= CRASHES
}

fn disk(system: &ActorModelState<Node>) -> &Disk {
    let stored = system.actor_storages[usize::from(CLIENTS)].as_ref();
    stored.expect("the server saves its disk when it starts")
}

/// How each client's operations ended: `None` for those that have not. Of an operation that has not
/// ended it is known only whether it took effect.
fn ends(system: &ActorModelState<Node>) -> impl Iterator<Item = (u8, Option<bool>)> {
    let effects = &disk(system).effects;
    let clients = (0..CLIENTS).zip(&system.actor_states);
    clients.flat_map(move |(client, state)| {
        let State::Client(Client { ended, .. }) = &**state else {
            unreachable!("clients come first")
        };
        (0..OPERATIONS).map(move |number| {
            let effects = effects.get(&(client, number)).copied().unwrap_or_default();
            (effects, ended.get(usize::from(number)).copied())
        })
    })
}

fn is_exactly_once(system: &ActorModelState<Node>) -> bool {
    ends(system).all(|(effects, acknowledged)| {
        let acknowledged = acknowledged.unwrap_or(false);
        !End { effects, acknowledged }.is_violation()
    })
}

fn note(asked: &Asked, system: &ActorModelState<Node>) {
    let end = |(effects, ended): (u8, Option<bool>)| {
        ended.map(|acknowledged| End { effects, acknowledged })
    };
    let outcome: Option<Outcome> = ends(system).map(end).collect();
    if let Some((mut outcome, outcomes)) = outcome.zip(asked.outcomes.as_ref()) {
        outcome.sort_unstable();
        outcomes.lock().expect("no property panics").insert(outcome);
    }
}

impl Actor for Node {
    type Msg = Message;
    type Timer = Timer;
    type State = State;
    type Storage = Disk;
    type Random = ();

    fn on_start(&self, _: Id, stored: &Option<Disk>, out: &mut Out<Self>) -> State {
        match *self {
            Self::Client { number } => {
                let mut client = Client { attempts: 0, ended: vec![] };
                client.send(number, out);
                State::Client(client)
            }
            Self::Server { .. } => {
                let again = |disk: &Disk| Disk { restarts: disk.restarts + 1, ..disk.clone() };
                let disk = stored.as_ref().map(again).unwrap_or_default();
                out.save(disk.clone());
                State::Server(Server { workers: Default::default(), disk })
            }
        }
    }

    fn on_msg(
        &self,
        _: Id,
        state: &mut Cow<'_, State>,
        _: Id,
        message: Message,
        out: &mut Out<Self>,
    ) {
        // A state that is not touched is no step, so it is touched only where it changes.
        match (message, &**state, self) {
            (Message::Request(key), State::Server(server), _) => {
                let Some(idle) = server.workers.iter().position(Option::is_none) else { return };
                if let State::Server(server) = state.to_mut() {
                    server.plan(idle, Job { key, step: Step::Begin }, out);
                }
            }
            (Message::Response(key), State::Client(client), &Self::Client { number })
                if usize::from(key.1) == client.ended.len() =>
            {
                if let State::Client(client) = state.to_mut() {
                    client.end(true, number, out);
                }
            }
            _ => {}
        }
    }

    fn on_timeout(&self, _: Id, state: &mut Cow<'_, State>, timer: &Timer, out: &mut Out<Self>) {
        match (timer, state.to_mut(), self) {
            (Timer::Retry, State::Client(client), &Self::Client { number }) => {
                if client.attempts < ATTEMPTS {
                    client.send(number, out);
                } else {
                    client.end(false, number, out);
                }
            }
            (Timer::Step(worker), State::Server(server), &Self::Server { bug }) => {
                server.step(*worker, bug, out);
            }
            _ => unreachable!("nobody else sets {timer:?}"),
        }
    }
}

impl Client {
    /// Sends the operation that has not ended once more.
    fn send(&mut self, number: u8, out: &mut Out<Node>) {
        self.attempts += 1;
        let operation = self.ended.len() as u8;
        out.send(Id::from(usize::from(CLIENTS)), Message::Request((number, operation)));
        out.set_timer(Timer::Retry, model_timeout());
    }

    /// Its operation has ended; it turns to the next.
    fn end(&mut self, acknowledged: bool, number: u8, out: &mut Out<Node>) {
        self.ended.push(acknowledged);
        self.attempts = 0;
        if self.ended.len() < usize::from(OPERATIONS) {
            self.send(number, out);
        } else {
            out.cancel_timer(Timer::Retry);
        }
    }
}

impl Server {
    fn plan(&mut self, worker: usize, job: Job, out: &mut Out<Node>) {
        self.workers[worker] = Some(job);
        out.set_timer(Timer::Step(worker), model_timeout());
    }

    fn step(&mut self, worker: usize, bug: bool, out: &mut Out<Node>) {
        let Some(Job { key, step }) = self.workers[worker].take() else {
            unreachable!("a worker's timer is set while it has a job")
        };
        let next = match step {
            Step::Begin => Step::Claim,
            Step::Claim if bug => Step::Apply,
            Step::Claim if self.disk.effects.contains_key(&key) => Step::Respond,
            Step::Claim if self.is_locked(key) => return,
            Step::Claim => Step::Apply,
            Step::Apply => Step::Keep,
            Step::Keep => Step::Commit,
            Step::Commit => {
                let effects = self.disk.effects.entry(key).or_default();
                *effects = (*effects + 1).min(bounded::MANY);
                out.save(self.disk.clone());
                Step::Respond
            }
            Step::Respond => {
                out.send(Id::from(usize::from(key.0)), Message::Response(key));
                return;
            }
        };
        self.plan(worker, Job { key, step: next }, out);
    }

    /// Whether a worker has claimed the key, and not committed it.
    fn is_locked(&self, key: Key) -> bool {
        let locks = |job: &Job| {
            job.key == key && matches!(job.step, Step::Apply | Step::Keep | Step::Commit)
        };
        self.workers.iter().flatten().any(locks)
    }
}

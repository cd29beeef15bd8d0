//! The world a second time, as plain state and rules for `stateright`: written from what the docs
//! say of clients, network, servers and database, and sharing no code with the simulator.
//!
//! Time is abstract. A message is under way until it is delivered or lost; a timeout may strike
//! whenever the client waits; a question is executed whenever its turn comes, so that handlers pass each
//! other freely; a dead server is up again at once, and its sessions are let go of whenever they
//! please, after the question that was on its way. Only crashes, losses and duplicates are counted.

use super::client::{Client, State};
use super::database::{Database, Receipt, Session};
use super::outcome::Outcome;
use super::strategy::{Question, Strategy};
use stateright::{Model, Property};

/// How many servers there are.
const SERVERS: u8 = 2;

/// One operation, one store, and at most so many faults.
#[derive(Clone, Debug)]
pub(crate) struct Bounded {
    pub(crate) strategy: Strategy,
    pub(crate) budget: Budget,
}

/// What may still go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Budget {
    pub(crate) crashes: u8,
    pub(crate) losses: u8,
    pub(crate) duplicates: u8,
}

/// Everything there is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    client: Client,
    /// Messages under way, sorted: a multiset.
    wire: Vec<Message>,
    /// Handlers that run, sorted.
    handlers: Vec<Handler>,
    /// What dead handlers have left behind, sorted.
    ghosts: Vec<Ghost>,
    database: Database,
    budget: Budget,
}

/// A message under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Message {
    Request(u8),
    Reply(u8, Receipt),
}

/// One delivery that is being handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Handler {
    server: u8,
    attempt: u8,
    /// What it asks next.
    asks: Question,
    session: Session,
}

/// A session that has outlived its handler, and perhaps the question that was on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ghost {
    flying: Option<Question>,
    session: Session,
}

/// What can happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// The client stops waiting.
    TimeOut,
    /// The client sends again.
    SendAgain,
    /// In calm weather, after all has come to rest, the client asks once more.
    Probe,
    /// A request reaches this server.
    Handle(Message, u8),
    /// A reply reaches the client.
    Hear(Message),
    Lose(Message),
    Duplicate(Message),
    /// A handler's question is executed, and answered.
    Execute(Handler),
    /// A server dies; the question of one of its handlers may still be on its way.
    Crash(u8, Option<Handler>),
    /// A question is executed whose server has died.
    Fly(Ghost),
    /// A session is let go of whose server has died.
    Reap(Ghost),
}

impl Model for Bounded {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        vec![World {
            client: Client::new(),
            wire: vec![Message::Request(1)],
            handlers: vec![],
            ghosts: vec![],
            database: Database::default(),
            budget: self.budget,
        }]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        world.client_acts(actions);
        world.messages_move(actions);
        let may = |handler: &&Handler| world.may_execute(handler.asks, handler.session);
        actions
            .extend(distinct(&world.handlers).filter(may).map(|handler| Action::Execute(*handler)));
        for ghost in distinct(&world.ghosts) {
            match ghost.flying {
                None => actions.push(Action::Reap(*ghost)),
                Some(question) if world.may_execute(question, ghost.session) => {
                    actions.push(Action::Fly(*ghost));
                }
                Some(_) => {}
            }
        }
        world.servers_die(actions);
    }

    fn next_state(&self, last: &World, action: Action) -> Option<World> {
        let mut world = last.clone();
        match action {
            Action::TimeOut => world.client.time_out(),
            Action::SendAgain | Action::Probe => world.send(),
            Action::Handle(message, server) => world.handle(self.strategy, message, server),
            Action::Hear(message) => world.hear(message),
            Action::Lose(message) => {
                take(&mut world.wire, &message);
                world.budget.losses -= 1;
            }
            Action::Duplicate(message) => {
                put(&mut world.wire, message);
                world.budget.duplicates -= 1;
            }
            Action::Execute(handler) => world.go_on(self.strategy, handler),
            Action::Crash(server, flying) => world.crash(server, flying),
            Action::Fly(ghost) => world.fly(ghost),
            Action::Reap(ghost) => take(&mut world.ghosts, &ghost),
        }
        Some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("every receipt stands for an effect", |_, world: &World| {
                let receipts = world.client.heard().iter().map(|heard| heard.receipt).max();
                receipts.unwrap_or(0) <= usize::from(world.database.effects)
            }),
            Property::always("the probe is answered", |_, world: &World| {
                let waits = world.client.state() == State::Waiting;
                !(waits && world.calm() && world.at_rest())
            }),
            if self.strategy == Strategy::OneTransaction {
                Property::always("no operation has two effects", |_, world: &World| {
                    world.database.effects <= 1
                })
            } else {
                Property::sometimes("some operation has two effects", |_, world: &World| {
                    world.database.effects > 1
                })
            },
        ]
    }
}

impl Budget {
    /// Whether another budget allows all of it.
    pub(crate) fn is_within(self, other: Self) -> bool {
        self.crashes <= other.crashes
            && self.losses <= other.losses
            && self.duplicates <= other.duplicates
    }
}

impl World {
    /// How it ended, if nothing more can happen.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        match self.client.state() {
            State::Answered(attempt) if self.at_rest() => Some(Outcome {
                effects: self.database.effects,
                heard: self.client.heard(),
                answered: Some(attempt),
                gave_up: self.client.gave_up,
            }),
            _ => None,
        }
    }

    fn at_rest(&self) -> bool {
        self.wire.is_empty() && self.handlers.is_empty() && self.ghosts.is_empty()
    }

    /// The weather has cleared.
    fn calm(&self) -> bool {
        self.client.probes()
    }

    /// Whether a server can still die; if not, it does not matter who handles what.
    fn can_die(&self) -> bool {
        !self.calm() && self.budget.crashes > 0
    }

    fn client_acts(&self, actions: &mut Vec<Action>) {
        match self.client.state() {
            State::Waiting if !self.calm() => actions.push(Action::TimeOut),
            State::BackingOff => actions.push(Action::SendAgain),
            State::GaveUp if self.at_rest() => actions.push(Action::Probe),
            State::Waiting | State::GaveUp | State::Answered(_) => {}
        }
    }

    fn messages_move(&self, actions: &mut Vec<Action>) {
        for &message in distinct(&self.wire) {
            match message {
                Message::Request(_) => {
                    let servers = if self.can_die() { SERVERS } else { 1 };
                    actions.extend((0..servers).map(|server| Action::Handle(message, server)));
                }
                Message::Reply(..) => actions.push(Action::Hear(message)),
            }
            if !self.calm() && self.budget.losses > 0 {
                actions.push(Action::Lose(message));
            }
            if !self.calm() && self.budget.duplicates > 0 {
                actions.push(Action::Duplicate(message));
            }
        }
    }

    fn servers_die(&self, actions: &mut Vec<Action>) {
        if !self.can_die() {
            return;
        }
        for server in 0..SERVERS {
            let on: Vec<_> =
                self.handlers.iter().filter(|handler| handler.server == server).collect();
            if !on.is_empty() {
                actions.push(Action::Crash(server, None));
            }
            let flying = on.into_iter().filter(|handler| handler.asks.leaves_the_server());
            actions.extend(flying.map(|handler| Action::Crash(server, Some(*handler))));
        }
    }

    fn send(&mut self) {
        let attempt = self.client.send();
        put(&mut self.wire, Message::Request(attempt));
    }

    fn hear(&mut self, message: Message) {
        take(&mut self.wire, &message);
        if let Message::Reply(attempt, receipt) = message {
            self.client.hear(attempt, receipt);
        }
    }

    fn handle(&mut self, strategy: Strategy, message: Message, server: u8) {
        take(&mut self.wire, &message);
        let Message::Request(attempt) = message else { return };
        let asks = strategy.first();
        put(&mut self.handlers, Handler { server, attempt, asks, session: Session::default() });
    }

    /// Whether the record is not locked by somebody else, where the question needs it.
    fn may_execute(&self, question: Question, session: Session) -> bool {
        let needs = matches!(question, Question::Claim | Question::Settle(_));
        let sessions = self.handlers.iter().map(|handler| handler.session);
        let mut sessions = sessions.chain(self.ghosts.iter().map(|ghost| ghost.session));
        !needs || session.locks() || sessions.all(|other| !other.locks())
    }

    fn go_on(&mut self, strategy: Strategy, mut handler: Handler) {
        take(&mut self.handlers, &handler);
        if let Question::Reply(receipt) = handler.asks {
            put(&mut self.wire, Message::Reply(handler.attempt, receipt));
            return;
        }
        let answer = self.database.execute(handler.asks, &mut handler.session);
        handler.asks = strategy.next(handler.asks, answer);
        if matches!(handler.asks, Question::Reply(_)) {
            handler.session = Session::default(); // whatever is open is dropped, and rolled back
        }
        put(&mut self.handlers, handler);
    }

    fn crash(&mut self, server: u8, mut flying: Option<Handler>) {
        self.budget.crashes -= 1;
        for handler in std::mem::take(&mut self.handlers) {
            if handler.server == server {
                let question = flying.take_if(|flying| *flying == handler);
                let flying = question.map(|handler| handler.asks);
                self.leave(Ghost { flying, session: handler.session });
            } else {
                put(&mut self.handlers, Handler { server: 0, ..handler });
            }
        }
    }

    fn fly(&mut self, mut ghost: Ghost) {
        take(&mut self.ghosts, &ghost);
        if let Some(question) = ghost.flying.take() {
            self.database.execute(question, &mut ghost.session);
            self.leave(ghost);
        }
    }

    /// A dead session that holds no lock is noticed by nobody.
    fn leave(&mut self, ghost: Ghost) {
        if ghost.flying.is_some() || ghost.session.locks() {
            put(&mut self.ghosts, ghost);
        }
    }
}

/// Adds to a sorted multiset.
fn put<T: Ord>(all: &mut Vec<T>, one: T) {
    let at = all.partition_point(|other| *other < one);
    all.insert(at, one);
}

/// Takes from a multiset.
fn take<T: PartialEq>(all: &mut Vec<T>, one: &T) {
    let at = all.iter().position(|other| other == one).expect("it was there when it was offered");
    all.remove(at);
}

/// The members of a sorted multiset, each once.
fn distinct<T: PartialEq>(all: &[T]) -> impl Iterator<Item = &T> {
    let fresh = |(at, one): &(usize, &T)| *at == 0 || all[at - 1] != **one;
    all.iter().enumerate().filter(fresh).map(|(_, one)| one)
}

//! Level 2. The servers and their handlers.
//!
//! Fault model: a server crashes with all its handlers and its process's memory, and is up again
//! after a while; it stands still (a long GC) with all that it does; a handler is cancelled because
//! its client hung up; a handler is held back while others pass. A database session of a dead server
//! may linger. The one question at which the crash struck may still be executed; what the server's
//! other handlers had asked, waiting for a lock or not, is withdrawn with them. Each server has a
//! clock of its own, which may be off and may drift; a crash does not set it right.

use crate::point::{Point, Step, Subject};
use crate::stage::{Slot, Stage};
use crate::time::{Span, Time};
use crate::told::portray_told;
use crate::trace::{ReplyId, Server, Trace, What};
use onestroke_scenarios::{Clocks, Range, Topology};
use onestroke_store::{
    Canon, Desk, Entry, Handler, Id, Process, Reply, Session, Settings, Trigger, Verb,
};
use smallvec::SmallVec;
use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;

/// All servers, and the slots in which their handlers run.
pub struct Servers {
    entry: Entry,
    settings: Settings,
    clocks: Clocks,
    ids: Rc<Cell<u64>>,
    nodes: Vec<Node>,
    handlers: Vec<Running>,
    /// How many handlers have started in this run.
    started: u32,
    listening: bool,
}

struct Node {
    process: Box<dyn Process>,
    up: bool,
    paused_until: Time,
    free: Vec<u32>,
}

/// One slot with the handler that runs in it.
pub struct Running {
    handler: Pin<Box<dyn Handler>>,
    /// Where question and answer lie.
    pub desk: Rc<Desk>,
    /// On which server.
    pub server: Server,
    generation: u32,
    /// What started it.
    pub subject: Subject,
    /// Its number among the handlers of this run.
    started: u32,
    /// Its present question, or the sending of its reply.
    pub step: Step,
    /// How it stands.
    pub state: State,
    /// What strikes before its present question is executed.
    pub fault: Option<crate::choice::Fault>,
    /// How many microseconds its present question takes beyond the least, and its tie.
    pub stall: (u32, u16),
    /// How long its present question takes.
    pub pace: Pace,
    /// The sessions of its open transactions.
    pub sessions: SmallVec<[Session; 2]>,
    /// The session that its present question opened.
    pub own: Option<Session>,
    /// How often it has asked what names no table, by verb.
    times: [u8; Verb::ALL.len()],
    /// How often it has asked what names a table.
    asked: SmallVec<[(Verb, u8, u8); 8]>,
}

/// How long a question and its answer take.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// At least.
    pub least: Span,
    /// One microsecond more than the most beyond that.
    pub spread: u32,
}

/// How a handler stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing runs in the slot.
    Free,
    /// Its question is on its way.
    Asking,
    /// Its question waits for another session.
    Blocked,
    /// It is held back: since the fault at this point, until that, and so many others have passed.
    Held(Point, crate::choice::Until, u8, Option<ReplyId>),
    /// Its answer is there, and waits for the process to run again.
    Answered,
    /// It has its reply, and is about to send it.
    Replying(ReplyId),
}

/// What a handler does next.
pub enum Next {
    /// It asks its desk's question.
    Asks,
    /// It has ended with this reply.
    Replies(Reply),
}

impl std::fmt::Debug for Servers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Servers").field("store", &self.entry.name).finish_non_exhaustive()
    }
}

impl Pace {
    /// Anything within this range.
    pub fn of(Range { least, most }: Range) -> Self {
        let spread = most.as_micros() - least.as_micros() + 1;
        Self { least, spread: u32::try_from(spread).unwrap_or(u32::MAX) }
    }
}

impl Servers {
    /// The servers of this topology, all with this store.
    pub fn new(entry: Entry, topology: &Topology, settings: Settings) -> Self {
        let node =
            |_| Node { process: entry.process(), up: true, paused_until: Time::ZERO, free: vec![] };
        let nodes = (0..topology.servers).map(node).collect();
        Self {
            entry,
            settings,
            clocks: topology.clocks.clone(),
            ids: Rc::default(),
            nodes,
            handlers: vec![],
            started: 0,
            listening: false,
        }
    }

    /// Starts all servers anew; keeps the slots.
    pub fn reset(&mut self) {
        for index in 0..self.handlers.len() {
            if self.handlers[index].state != State::Free {
                self.free(index);
            }
        }
        for node in &mut self.nodes {
            (node.up, node.paused_until) = (true, Time::ZERO);
            node.process.restart();
        }
        self.ids.set(0);
        self.started = 0;
    }

    /// How many servers there are.
    pub fn count(&self) -> u8 {
        u8::try_from(self.nodes.len()).expect("servers are few")
    }

    /// An id that nobody has used before.
    pub fn fresh_id(&self) -> Id {
        self.ids.set(self.ids.get() + 1);
        Id::new(self.ids.get())
    }

    /// The last id that was given out; ids count from 1.
    pub fn last_id(&self) -> u64 {
        self.ids.get()
    }

    /// The first server that is up, from `wish` on, in a circle.
    pub fn route(&self, wish: u8) -> Option<Server> {
        let count = self.count();
        let circle = (0..count).map(|step| Server((wish % count + step) % count));
        circle.into_iter().find(|server| self.nodes[usize::from(server.0)].up)
    }

    /// The first server that is up and does not stand still; else the first that is up.
    pub fn running(&self, now: Time) -> Option<Server> {
        let runs = |node: &Node| node.up && node.paused_until <= now;
        let first = self.nodes.iter().position(runs);
        first.and_then(|at| u8::try_from(at).ok()).map(Server).or_else(|| self.route(0))
    }

    /// Until when a server stands still; a moment in the past when it does not.
    pub fn paused_until(&self, server: Server) -> Time {
        self.nodes[usize::from(server.0)].paused_until
    }

    /// Lets a server stand still until a moment, or longer if it already does.
    pub fn pause(&mut self, server: Server, until: Time) {
        let node = &mut self.nodes[usize::from(server.0)];
        node.paused_until = node.paused_until.max(until);
    }

    /// Takes a server down. Its handlers are to be freed one by one.
    pub fn take_down(&mut self, server: Server) {
        self.nodes[usize::from(server.0)].up = false;
    }

    /// A server comes up again, with a process that remembers nothing.
    pub fn restart(&mut self, server: Server) {
        let node = &mut self.nodes[usize::from(server.0)];
        (node.up, node.paused_until) = (true, Time::ZERO);
        node.process.restart();
    }

    /// Starts a handler on a server.
    pub fn start(&mut self, server: Server, subject: Subject, trigger: Trigger) -> Slot {
        let index = self.take_slot(server);
        let running = &mut self.handlers[index as usize];
        running.subject = subject;
        self.started += 1;
        running.started = self.started;
        running.desk.clear();
        running.handler.as_mut().start(trigger);
        Slot { index, generation: running.generation }
    }

    /// Looks at the handler in a slot, if it is still the one that is meant.
    pub fn see(&self, slot: Slot) -> Option<&Running> {
        let running = &self.handlers[slot.index as usize];
        let same = running.generation == slot.generation && !matches!(running.state, State::Free);
        same.then_some(running)
    }

    /// The handler in a slot, of which it is known that it is the one that is meant.
    #[inline]
    pub fn at(&mut self, slot: Slot) -> &mut Running {
        let running = &mut self.handlers[slot.index as usize];
        debug_assert!(running.generation == slot.generation, "another handler is in {slot:?}");
        running
    }

    /// The handler in a slot, if it is still the one that is meant, with the moment until which its server
    /// stands still.
    #[inline]
    pub fn get_with_pause(&mut self, slot: Slot) -> Option<(&mut Running, Time)> {
        let running = &mut self.handlers[slot.index as usize];
        let same = running.generation == slot.generation && !matches!(running.state, State::Free);
        let paused_until = self.nodes[usize::from(running.server.0)].paused_until;
        same.then_some((running, paused_until))
    }

    /// The handler in a slot, if it is still the one that is meant.
    #[inline]
    pub fn get(&mut self, slot: Slot) -> Option<&mut Running> {
        let running = &mut self.handlers[slot.index as usize];
        let same = running.generation == slot.generation && !matches!(running.state, State::Free);
        same.then_some(running)
    }

    /// The slots of all handlers on a server, in the order in which they started.
    pub fn slots_on(&self, server: Server, slots: &mut Vec<Slot>) {
        self.list(slots, |running| running.server == server);
    }

    /// The slots of all handlers that are held, in the order in which they started.
    pub fn held(&self, slots: &mut Vec<Slot>) {
        self.list(slots, |running| matches!(running.state, State::Held(..)));
    }

    /// The slots of all handlers, in the order in which they started.
    pub fn live(&self, slots: &mut Vec<Slot>) {
        self.list(slots, |_| true);
    }

    /// How many slots for handlers it has, free ones included.
    pub fn room(&self) -> usize {
        let free = self.nodes.iter().map(|node| node.free.capacity());
        self.handlers.len() + free.sum::<usize>()
    }

    /// Whether all that handlers are told is kept from now on.
    pub fn set_listening(&mut self, listening: bool) {
        self.listening = listening;
        self.handlers.iter().for_each(|running| running.desk.set_listening(listening));
    }

    /// Writes how the servers and their handlers stand. `live` are the handlers, in their order.
    pub fn portray(&self, canon: &mut Canon, trace: &Trace, live: &[Slot]) {
        for node in &self.nodes {
            canon.word(node.up);
            canon.ahead(node.paused_until);
        }
        for slot in live {
            self.handlers[slot.index as usize].portray(canon, trace);
        }
        canon.word(u64::MAX);
    }

    /// The slots of the handlers that fit, in the order in which they started: which slot a handler
    /// got depends on the runs before.
    fn list(&self, slots: &mut Vec<Slot>, fits: impl Fn(&Running) -> bool) {
        slots.clear();
        let slot = |(index, running): (usize, &Running)| {
            let index = u32::try_from(index).expect("slots are bounded");
            let listed = running.state != State::Free && fits(running);
            listed.then_some(Slot { index, generation: running.generation })
        };
        slots.extend(self.handlers.iter().enumerate().filter_map(slot));
        slots.sort_unstable_by_key(|slot| self.handlers[slot.index as usize].started);
    }

    /// Runs a handler to its next question or its end.
    ///
    /// # Panics
    /// When the store awaits something that is not `Ctx`.
    pub fn poll(&mut self, stage: &mut Stage, slot: Slot) -> Next {
        let running = &mut self.handlers[slot.index as usize];
        running.desk.set_now(self.clocks.read(running.server.0, stage.now));
        let subject = running.subject;
        let poll = if stage.details {
            crate::overhear::poll(stage, subject, running.handler.as_mut())
        } else {
            running.handler.as_mut().poll()
        };
        match poll {
            Poll::Ready(Ok(reply)) => Next::Replies(reply),
            Poll::Ready(Err(failure)) => {
                stage.said(subject, || format!("failed: {failure}"));
                Next::Replies(failure.reply())
            }
            Poll::Pending => {
                let asked = running.desk.look().question().is_some();
                assert!(asked, "store {} awaits something that is not Ctx", self.entry.name);
                Next::Asks
            }
        }
    }

    /// Drops what a handler does, and frees its slot. Its open transactions are on its list.
    pub fn free(&mut self, index: usize) {
        let running = &mut self.handlers[index];
        running.handler.as_mut().cancel();
        running.desk.clear();
        running.state = State::Free;
        running.generation = running.generation.wrapping_add(1);
        running.sessions.clear();
        running.own = None;
        running.times.fill(0);
        running.asked.clear();
        running.fault = None;
        self.nodes[usize::from(running.server.0)]
            .free
            .push(u32::try_from(index).expect("slots are bounded"));
    }

    fn take_slot(&mut self, server: Server) -> u32 {
        let node = &mut self.nodes[usize::from(server.0)];
        let index = node.free.pop().unwrap_or_else(|| {
            let desk = Rc::new(Desk::new(Rc::clone(&self.ids), self.settings));
            desk.set_listening(self.listening);
            let subject = Subject::sweep(0);
            self.handlers.push(Running {
                handler: node.process.handler(Rc::clone(&desk)),
                desk,
                server,
                generation: 0,
                subject,
                started: 0,
                step: Step { subject, verb: Verb::Reply, table: 0, ordinal: 1 },
                state: State::Free,
                fault: None,
                stall: (0, 0),
                pace: Pace { least: Span::ZERO, spread: 1 },
                sessions: SmallVec::new(),
                own: None,
                times: [0; Verb::ALL.len()],
                asked: SmallVec::new(),
            });
            u32::try_from(self.handlers.len() - 1).expect("slots are bounded")
        });
        self.handlers[index as usize].state = State::Asking;
        index
    }
}

impl Running {
    /// Names the present question: how often this handler has asked the same, counting this time.
    pub fn name_step(&mut self, verb: Verb, table: u8) -> Step {
        let (table, times) = if verb.names_table() {
            let at = self.asked.iter().position(|(v, t, _)| (*v, *t) == (verb, table));
            let at = at.unwrap_or_else(|| {
                self.asked.push((verb, table, 0));
                self.asked.len() - 1
            });
            (table, &mut self.asked[at].2)
        } else {
            (0, &mut self.times[verb as usize])
        };
        *times = times.saturating_add(1);
        let ordinal = *times;
        self.step = Step { subject: self.subject, verb, table, ordinal };
        self.step
    }

    /// How long its present question takes, as the weather has it.
    pub fn takes(&self) -> Span {
        self.pace.least + Span::from_micros(u64::from(self.stall.0))
    }

    /// Writes how it stands. What it knows is what it was told; what it does follows from that.
    fn portray(&self, canon: &mut Canon, trace: &Trace) {
        self.subject.portray(canon);
        canon.word(self.server.0);
        match self.state {
            State::Free => canon.word(0_u8),
            State::Asking => canon.word(1_u8),
            State::Blocked => canon.word(2_u8),
            State::Answered => canon.word(3_u8),
            State::Replying(reply) => {
                canon.word(4_u8);
                trace.portray_reply(canon, reply);
            }
            State::Held(_, until, others, reply) => {
                canon.word(5_u8);
                until.portray(canon);
                canon.word(others);
                canon.flag(reply.is_some());
                if let Some(reply) = reply {
                    trace.portray_reply(canon, reply);
                }
            }
        }
        canon.flag(self.fault.is_some());
        self.fault.into_iter().for_each(|fault| fault.portray(canon));
        canon.word(self.stall.0);
        canon.word(self.stall.1);
        canon.size(self.sessions.len());
        self.sessions.iter().for_each(|session| canon.session(*session));
        canon.size(self.own.iter().len());
        self.own.into_iter().for_each(|session| canon.session(session));
        self.desk.with_told(|told| portray_told(canon, told));
    }

    /// Notes on the trace that the handler was held, and since which point.
    pub fn hold(&mut self, stage: &mut Stage, until: crate::choice::Until) {
        let reply = match self.state {
            State::Replying(reply) => Some(reply),
            _ => None,
        };
        self.state = State::Held(Point::before(self.step), until, 0, reply);
        stage.happened(What::Held { step: self.step });
    }
}

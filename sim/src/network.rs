//! Level 2. The network.
//!
//! Fault model: a copy of a message is lost, doubled, or late by one of the scenario's delay classes,
//! and so overtaken; requests and replies separately. A client can be cut off from all servers for a
//! while: what it sends or should receive meanwhile is lost. Nothing is altered.

use crate::choice::{Chosen, Fault};
use crate::forecast::Forecast;
use crate::point::{Message, Point};
use crate::stage::{Due, Stage};
use crate::time::{Span, Time};
use crate::trace::{Loss, ReplyId, What};
use onestroke_scenarios::Range;
use onestroke_store::Canon;

/// The network between clients and servers.
#[derive(Debug)]
pub struct Network {
    latency: Range,
    partition_for: Span,
    /// How much later an attempt leaves that the sweeper goes before.
    sweep_lead: Span,
    /// By client: until when it is cut off.
    cut_off: Vec<Time>,
}

/// A message with what it carries and whose it is.
#[derive(Clone, Copy, Debug)]
pub struct Letter {
    /// The message.
    pub message: Message,
    /// The reply that it carries, if it is one.
    pub reply: Option<ReplyId>,
    /// The client at one end.
    pub client: u16,
}

impl Network {
    /// A network with this latency, whose partitions last so long; the sweeper needs so long for its
    /// one statement.
    pub const fn new(latency: Range, partition_for: Span, sweep_lead: Span) -> Self {
        Self { latency, partition_for, sweep_lead, cut_off: Vec::new() }
    }

    /// Forgets all; so many clients are connected.
    pub fn reset(&mut self, clients: usize) {
        self.cut_off.clear();
        self.cut_off.resize(clients, Time::ZERO);
    }

    /// The weather clears: whoever was cut off is so no longer.
    pub fn heal(&mut self) {
        self.cut_off.fill(Time::ZERO);
    }

    /// Writes who is cut off, and for how long yet.
    pub fn portray(&self, canon: &mut Canon) {
        self.cut_off.iter().for_each(|until| canon.ahead(*until));
    }

    /// Sends a message. Says whether the sweeper is to run before it arrives.
    pub fn send(&mut self, stage: &mut Stage, forecast: &Forecast, letter: Letter) -> bool {
        let Letter { message, reply, client } = letter;
        let odds = forecast.send(message.leg);
        let Chosen { fault, .. } = stage.choice.at(Point::send(message), stage.now, odds, 0);
        if fault == Some(Fault::Partition) {
            self.cut_off[usize::from(client)] = stage.now + self.partition_for;
            stage.happened(What::CutOff { client, for_: self.partition_for });
        }
        let sweeps = fault == Some(Fault::Sweep);
        let lead = if sweeps { self.sweep_lead } else { Span::ZERO };
        stage.happened(What::Sent { message, reply });
        self.carry(stage, forecast, letter, (true, lead));
        if fault == Some(Fault::Duplicate) {
            let copy = Letter { message: message.double(), ..letter };
            stage.happened(What::Doubled { message: copy.message });
            self.carry(stage, forecast, copy, (false, lead));
        }
        sweeps
    }

    /// Whether a message that arrives now is lost because its client is cut off.
    pub fn loses(&self, stage: &mut Stage, message: Message, client: u16) -> bool {
        let cut_off = stage.now < self.cut_off[usize::from(client)];
        if cut_off {
            stage.happened(What::Lost { message, why: Loss::Partitioned });
        }
        cut_off
    }

    fn carry(
        &self,
        stage: &mut Stage,
        forecast: &Forecast,
        letter: Letter,
        (first, lead): (bool, Span),
    ) {
        let Letter { message, reply, client } = letter;
        if self.loses(stage, message, client) {
            return;
        }
        let spread = self.latency.most.as_micros() - self.latency.least.as_micros() + 1;
        let odds = forecast.travel(message.leg, first);
        let point = Point::travel(message);
        let Chosen { fault, offset, tie } =
            stage.choice.at(point, stage.now, odds, u32::try_from(spread).unwrap_or(u32::MAX));
        let mut delay = lead + self.latency.least + Span::from_micros(u64::from(offset));
        match fault {
            Some(Fault::Drop) => {
                stage.happened(What::Lost { message, why: Loss::Dropped });
                return;
            }
            Some(Fault::Late(by)) => {
                stage.happened(What::Delayed { message, by });
                delay = delay + by;
            }
            _ => {}
        }
        stage.after(delay, tie, Due::Arrive { message, reply });
    }
}

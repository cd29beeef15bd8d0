//! Level 3. What the world does with messages: attempts leave, copies arrive, sweeps begin.

use super::World;
use crate::network::Letter;
use crate::point::{Leg, Message, Op, Point, Subject};
use crate::stage::Due;
use crate::time::Span;
use crate::trace::{Loss, ReplyId, Server, What};
use onestroke_scenarios::Worker;
use onestroke_store::{Sweep, Trigger, Turn};

impl World {
    pub(super) fn send_attempts(&mut self, op: Op) {
        let Some((first, last)) = self.clients.take_attempts(&mut self.stage, op) else { return };
        let client = self.clients.client_of(op);
        for attempt in first..=last {
            let message = Message::request(Subject::new(op, attempt, 1));
            let letter = Letter { message, reply: None, client };
            if self.network.send(&mut self.stage, &self.forecast, letter) {
                self.sweep(self.scenario.weather.sweep_ahead);
            }
        }
    }

    pub(super) fn sweep(&mut self, ahead: Span) {
        self.sweeps = self.sweeps.saturating_add(1);
        if let Some(server) = self.servers.running(self.stage.now) {
            let trigger = Trigger::Sweep(Sweep { ahead });
            self.start(server, Subject::sweep(self.sweeps), trigger);
        }
    }

    /// Lets a turn of background work begin after a while, if there is one to come.
    pub(super) fn schedule_turn(&mut self, number: u8) {
        let Worker { turns, every } = self.scenario.worker;
        if number <= turns {
            self.stage.after(every, 0, Due::Turn { number });
        }
    }

    /// Turns begin on one server after the other; one that is down or stands still is passed by.
    pub(super) fn turn(&mut self, number: u8) {
        let now = self.stage.now;
        let wish = self.servers.route(number - 1);
        let server = wish.filter(|server| self.servers.paused_until(*server) <= now);
        if let Some(server) = server.or_else(|| self.servers.running(now)) {
            self.start(server, Subject::work(number), Trigger::Work(Turn { number }));
        }
        self.schedule_turn(number + 1);
    }

    pub(super) fn arrive(&mut self, message: Message, reply: Option<ReplyId>) {
        let Subject { op, attempt, .. } = message.subject;
        let client = self.clients.client_of(op);
        match message.leg {
            Leg::Request => self.arrive_at_server(message, client),
            Leg::Reply => {
                if self.network.loses(&mut self.stage, message, client) {
                    return;
                }
                let server = Server(0);
                self.stage.happened(What::Delivered { message, server, reply });
                let reply = reply.expect("a reply carries one");
                if self.clients.receive(&mut self.stage, op, attempt, reply) {
                    self.clients.next(&mut self.stage, op);
                }
            }
        }
    }

    pub(super) fn arrive_at_server(&mut self, message: Message, client: u16) {
        let subject = message.subject;
        let point = Point::route(subject);
        let count = self.servers.count();
        let now = self.stage.now;
        let chosen = self.stage.choice.at(point, now, &self.forecast.none, u32::from(count));
        let turn = u32::from(subject.attempt) + u32::from(subject.copy) + chosen.offset;
        let Some(server) = self.servers.route((turn % u32::from(count)) as u8) else {
            self.stage.happened(What::Lost { message, why: Loss::Refused });
            return;
        };
        let paused_until = self.servers.paused_until(server);
        if paused_until > now {
            let due = Due::Arrive { message, reply: None };
            self.stage.queue.push(paused_until, chosen.tie, due);
            return;
        }
        if self.network.loses(&mut self.stage, message, client) {
            return;
        }
        self.stage.happened(What::Delivered { message, server, reply: None });
        let trigger = Trigger::Request(self.clients.request(subject.op, subject.attempt));
        self.start(server, subject, trigger);
    }
}

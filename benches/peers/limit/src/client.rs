//! The client half: one operation after the other, each sent until it is answered or given up.

use crate::queue::Place;
use crate::sim::{Event, Sim, at};
use spec::{ATTEMPTS, Key, OPERATIONS};

#[derive(Clone, Copy, Default)]
pub(crate) struct Client {
    /// All done when it is `OPERATIONS`.
    operation: u8,
    attempt: u8,
    timer: Place,
}

impl Sim {
    #[inline]
    pub(crate) fn send_attempt(&mut self, client: u8) {
        let Client { operation, attempt, .. } = self.clients[usize::from(client)];
        let key = Key { client, operation };
        let due = self.now + spec::timeout(attempt);
        let timer = self.queue.push(due, Event::TimeOut(key, attempt));
        self.clients[usize::from(client)].timer = timer;
        self.send(Event::Request(key));
    }

    #[inline]
    pub(crate) fn respond(&mut self, key: Key, response: u64) {
        let client = self.clients[usize::from(key.client)];
        if client.operation == OPERATIONS {
            return;
        }
        self.counts.deliveries += 1;
        self.note(9, key.number());
        if client.operation == key.operation {
            self.queue.cancel(client.timer);
            self.counts.acknowledged += 1;
            self.counts.violations += u64::from(response != key.response());
            self.rows[at(key)].acknowledged = true;
            self.next_operation(key.client);
        }
    }

    #[inline]
    pub(crate) fn time_out(&mut self, key: Key, attempt: u8) {
        let client = &mut self.clients[usize::from(key.client)];
        debug_assert_eq!((client.operation, client.attempt), (key.operation, attempt));
        client.attempt += 1;
        let exhausted = client.attempt == ATTEMPTS;
        self.counts.timeouts += 1;
        self.note(10, key.number());
        if exhausted {
            self.counts.exhausted += 1;
            self.next_operation(key.client);
        } else {
            self.send_attempt(key.client);
        }
    }

    #[inline]
    pub(crate) fn next_operation(&mut self, client: u8) {
        let this = &mut self.clients[usize::from(client)];
        this.operation += 1;
        this.attempt = 0;
        if this.operation == OPERATIONS {
            self.waiting -= 1;
        } else {
            self.send_attempt(client);
        }
    }
}

//! The arithmetic of handling: leases and a queue's patience against the longest that a handler can take;
//! and the same scenario with another of these spans.
//!
//! Imports the scenario.

use crate::contract::Contract;
use crate::scenario::{QUESTIONS_MOST, Scenario};
use crate::workload::Client;
use onestroke_store::Span;

impl Scenario {
    /// How long a handler can take at most on paper: the slowest questions, and every fault of the run
    /// as the longest standstill.
    pub fn longest_handling(&self) -> Span {
        let standstills = self.weather.longest_standstill();
        let questions = self.slowest_question().times(QUESTIONS_MOST);
        questions + standstills.times(u64::from(self.weather.most_faults))
    }

    /// The shortest lease under which, on paper, nobody takes over from a handler that still works: it
    /// outlives the longest handling, on whichever clock it is read.
    pub fn smallest_safe_lease(&self) -> Span {
        self.longest_handling() + self.skew() + Span::from_micros(1)
    }

    /// The shortest visibility time-out of a queue under which, on paper, no message is delivered again
    /// while a worker still has it: a late delivery and the longest handling are over by then.
    pub fn smallest_safe_visibility(&self) -> Span {
        let delivery = self.latency.network.most + self.weather.longest_lateness();
        delivery + self.longest_handling() + Span::from_micros(1)
    }

    /// The same scenario with another window. Expiry is what it is about then, so no window is refused.
    #[must_use]
    pub fn with_window(&self, window: Span) -> Self {
        let contract = Contract { window, expires: true, ..self.contract };
        Self { contract, ..self.clone() }
    }

    /// The same scenario with another lease, and a bound that leaves probes the time to wait for it.
    #[must_use]
    pub fn with_lease(&self, lease: Span) -> Self {
        let bound = self.contract.bound.max(self.bound_for(lease));
        let contract = Contract { lease, bound, expires: true, ..self.contract };
        Self { contract, ..self.clone() }
    }

    /// The same scenario where what is not acknowledged is delivered again after this span, each time.
    #[must_use]
    pub fn with_visibility(&self, visibility: Span) -> Self {
        let client = Client {
            timeout: visibility,
            timeout_factor: 1,
            timeout_limit: visibility,
            ..self.client
        };
        let contract = Contract { expires: true, ..self.contract };
        Self { client, contract, ..self.clone() }
    }

    /// How long a probe may have to wait for the lease of a dead server, with its answer.
    pub fn bound_for(&self, lease: Span) -> Span {
        let retry = self.client.longest_backoff_after(u32::from(u8::MAX));
        lease + retry + self.slowest_answer()
    }
}

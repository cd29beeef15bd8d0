//! Level 5. What the cache forgot, and what the replica did not know yet. Imports `point`, `trace`.

use super::story::{Deed, Story, capital, named};
use crate::point::Subject;
use crate::report::timeline::stamp;
use crate::time::Time;
use crate::trace::{Result as Came, What};
use onestroke_store::Verb;

impl Story<'_> {
    /// What cache and replica had to do with a second effect, as sentences; empty when nothing.
    pub(super) fn misled(&mut self, first: Deed, second: Deed) -> String {
        let of_both = |subject| subject == first.subject || subject == second.subject;
        let failed = self.failed_over(second).map(|at| {
            (at, format!("the cache failed over at {}, and lost what it was told last", stamp(at)))
        });
        let expired = self.expired_in_cache(of_both).map(|(at, by)| {
            (at, format!("a key of the cache had expired when {} came at {}", named(by), stamp(at)))
        });
        let taken = self.taken_by_another(second.index, of_both).map(|(at, by)| {
            let (who, op) = (named(by), by.op);
            (at, format!("{who} of {op} deleted a key of the cache at {}", stamp(at)))
        });
        let behind = self.read_behind(second).map(|at| {
            let who = named(second.subject);
            (at, format!("{who} read what the replica had at {}, which was old", stamp(at)))
        });
        let mut sentences = String::new();
        for (at, text) in [failed, expired, taken, behind].into_iter().flatten() {
            sentences += &capital(&self.fact(at, text));
            sentences += ". ";
        }
        sentences
    }

    /// The last time that one of these handlers asked the cache for a key that had expired.
    pub(super) fn expired_in_cache(
        &self,
        who: impl Fn(Subject) -> bool,
    ) -> Option<(Time, Subject)> {
        self.events().rev().find_map(|(_, at, what)| match *what {
            What::Evicted { step } if who(step.subject) => Some((at, step.subject)),
            _ => None,
        })
    }

    /// When the cache lost something before a deed of somebody who asks it.
    fn failed_over(&self, before: Deed) -> Option<Time> {
        let mut events = self.events().take(before.index);
        let asks = events.any(|(_, _, what)| {
            matches!(what, What::Executed { step, .. }
                if step.verb.is_of_cache() && step.subject == before.subject)
        });
        let failed = |(_, at, what): (usize, Time, &What)| match *what {
            What::FailedOver { lost } if lost > 0 => Some(at),
            _ => None,
        };
        let all: Vec<Time> = self.events().take(before.index).filter_map(failed).collect();
        all.last().copied().filter(|_| asks)
    }

    /// Who else let the cache forget a key, before an event.
    fn taken_by_another(
        &self,
        before: usize,
        of_both: impl Fn(Subject) -> bool,
    ) -> Option<(Time, Subject)> {
        self.events().rev().find_map(|(index, at, what)| match *what {
            What::Executed { step, result: Came::Done, .. } => {
                let another = step.verb == Verb::Take && !of_both(step.subject);
                (index < before && another).then_some((at, step.subject))
            }
            _ => None,
        })
    }

    /// When the replica told somebody of a state that was over, before a deed of theirs.
    fn read_behind(&self, before: Deed) -> Option<Time> {
        self.events().rev().find_map(|(index, at, what)| match *what {
            What::ReadBehind { step } if step.subject == before.subject && index < before.index => {
                Some(at)
            }
            _ => None,
        })
    }
}

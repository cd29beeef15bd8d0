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
        let mut text = String::new();
        let before = || self.events().take(second.index);
        let asks = before().any(|(_, _, what)| {
            matches!(what, What::Executed { step, .. }
                if step.verb.is_of_cache() && step.subject == second.subject)
        });
        let failed = before().filter_map(|(_, at, what)| match *what {
            What::FailedOver { lost } if lost > 0 => Some(at),
            _ => None,
        });
        if let Some(at) = failed.last().filter(|_| asks) {
            let lost =
                format!("the cache failed over at {}, and lost what it was told last", stamp(at));
            text += &format!("{}. ", capital(&self.fact(at, lost)));
        }
        let of_both = |subject| subject == first.subject || subject == second.subject;
        if let Some((at, by)) = self.expired_in_cache(of_both) {
            let met =
                format!("a key of the cache had expired when {} came at {}", named(by), stamp(at));
            text += &format!("{}. ", capital(&self.fact(at, met)));
        }
        let taken = self.events().take(second.index).filter_map(|(_, at, what)| match *what {
            What::Executed { step, result: Came::Done, .. }
                if step.verb == Verb::Take && !of_both(step.subject) =>
            {
                Some((at, step.subject))
            }
            _ => None,
        });
        if let Some((at, by)) = taken.last() {
            let took =
                format!("{} of {} deleted a key of the cache at {}", named(by), by.op, stamp(at));
            text += &format!("{}. ", capital(&self.fact(at, took)));
        }
        let behind = self.events().take(second.index).filter_map(|(_, at, what)| match *what {
            What::ReadBehind { step } if step.subject == second.subject => Some(at),
            _ => None,
        });
        if let Some(at) = behind.last() {
            let read = format!(
                "{} read what the replica had at {}, which was old",
                named(second.subject),
                stamp(at)
            );
            text += &format!("{}. ", capital(&self.fact(at, read)));
        }
        text
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
}

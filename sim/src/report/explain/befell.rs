//! Level 5. What befell a handler, or a record, as a trace tells it. Imports `point`, `trace`.

use super::story::{Story, capital, named};
use crate::point::Subject;
use crate::report::timeline::stamp;
use crate::time::{Span, Time};
use crate::trace::{Server, What};

impl Story<'_> {
    /// The last time before an event that a record of this operation was deleted, and whether by a
    /// sweeper.
    pub(super) fn forgotten(&self, before: usize) -> Option<(usize, Time, bool)> {
        self.events().take(before).rev().find_map(|(index, at, what)| match *what {
            What::Forgotten { op, swept } if op == self.op => Some((index, at, swept)),
            _ => None,
        })
    }

    /// The handler of this operation that executed the last question before an event.
    pub(super) fn asker(&self, before: usize) -> Option<Subject> {
        self.events().take(before).rev().find_map(|(_, _, what)| match *what {
            What::Executed { step, .. } if step.subject.op == self.op => Some(step.subject),
            _ => None,
        })
    }

    /// The longest standstill of a handler that began before an event, as a sentence.
    pub(super) fn standstill(&mut self, subject: Subject, before: usize) -> String {
        let mut on = None;
        let mut longest: Option<(Span, Time)> = None;
        for (_, at, what) in self.events().take(before) {
            match *what {
                What::Started { subject: whose, server } if whose == subject => on = Some(server),
                What::Finished { subject: whose, .. }
                | What::Died { subject: whose }
                | What::Cancelled { subject: whose }
                    if whose == subject =>
                {
                    on = None;
                }
                What::Paused { server, for_ }
                    if on == Some(server) && longest.is_none_or(|(span, _)| for_ > span) =>
                {
                    longest = Some((for_, at));
                }
                _ => {}
            }
        }
        let Some((span, at)) = longest else { return String::new() };
        let text = format!("{} stood still for {span}, from {} on", named(subject), stamp(at));
        format!("{}. ", capital(&self.fact(at, text)))
    }

    /// What ended a handler between two events before it could go on: a crash, a client that hung up.
    pub(super) fn end(&mut self, subject: Subject, from: usize, to: usize) -> Option<String> {
        let mut crashed = None;
        for (index, at, what) in self.events().take(to).skip(from) {
            let text = match *what {
                What::Crashed { server } => {
                    crashed = Some(server);
                    continue;
                }
                What::Died { subject: dead } if dead == subject => {
                    let server =
                        crashed.map_or_else(|| "its server".into(), |s: Server| s.to_string());
                    format!("{server} crashed at {}{}", stamp(at), self.stand(subject, index))
                }
                What::Cancelled { subject: dropped } if dropped == subject => {
                    let stand = self.stand(subject, index);
                    format!("its handler was cancelled at {}{stand}", stamp(at))
                }
                _ => continue,
            };
            return Some(self.fact(at, text));
        }
        None
    }

    /// `, before settle`: where a handler stood at an event.
    pub(super) fn stand(&self, subject: Subject, until: usize) -> String {
        let mut stand = String::new();
        for (_, _, what) in self.events().take(until) {
            let (side, step) = match what {
                What::Asked { step, .. } => ("before", *step),
                What::Executed { step, .. } => ("after", *step),
                What::Finished { subject: done, .. } if *done == subject => {
                    ", before its reply".clone_into(&mut stand);
                    continue;
                }
                _ => continue,
            };
            if step.subject == subject {
                stand = format!(", {side} its {}", self.names.question(step));
            }
        }
        stand
    }
}

//! Level 5. Looks up in a trace what the explanations speak of. Imports `point`, `trace`, `check`.

use super::Fact;
use crate::check::Finding;
use crate::point::{Leg, Message, Names, Op, Step, Subject};
use crate::report::timeline::stamp;
use crate::time::Time;
use crate::trace::{Loss, OpFacts, ReplyFacts, ReplyId, Result as Came, Trace, What};
use onestroke_store::{EffectKind, Role, Verb};

/// One operation's part of a trace, and the facts told so far.
pub(super) struct Story<'a> {
    pub(super) trace: &'a Trace,
    pub(super) op: Op,
    pub(super) facts: Vec<Fact>,
    pub(super) names: Names<'a>,
}

/// Something that a handler did or that befell it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deed {
    pub(super) index: usize,
    pub(super) at: Time,
    pub(super) subject: Subject,
}

/// A handler's look at the key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) deed: Deed,
    pub(super) verb: Verb,
    pub(super) found: bool,
    /// It had found the key taken, and took it over.
    pub(super) took_over: bool,
}

/// An effect in words of business.
pub(super) struct Words {
    pub(super) noun: &'static str,
    pub(super) again: &'static str,
}

impl<'a> Story<'a> {
    pub(super) fn new(trace: &'a Trace, names: Names<'a>, op: Op) -> Self {
        Self { trace, op, facts: Vec::new(), names }
    }

    /// Notes a fact, and gives its text back for the paragraph.
    pub(super) fn fact(&mut self, at: Time, text: impl Into<String>) -> String {
        let text = text.into();
        self.facts.push(Fact { at, text: text.clone() });
        text
    }

    pub(super) fn op_facts(&self) -> Option<&'a OpFacts> {
        self.trace.ops.get(self.op.index())
    }

    pub(super) fn client(&self) -> String {
        client_of(self.op_facts())
    }

    pub(super) fn amount(&self) -> i64 {
        self.op_facts().map_or(0, |facts| facts.amount)
    }

    pub(super) fn words(&self) -> Words {
        let (noun, again) = match self.op_facts().map(|facts| facts.kind) {
            Some(EffectKind::Add) => ("charge", "charged again"),
            Some(EffectKind::Create) => ("creation", "created it again"),
            Some(EffectKind::Send) => ("message", "sent it again"),
            Some(EffectKind::Set) => ("update", "made it again"),
            Some(EffectKind::Transition) => ("step", "took it again"),
            None => ("effect", "had it again"),
        };
        Words { noun, again }
    }

    pub(super) fn events(
        &self,
    ) -> impl DoubleEndedIterator<Item = (usize, Time, &'a What)> + ExactSizeIterator + use<'a>
    {
        self.trace.events.iter().enumerate().map(|(index, event)| (index, event.at, &event.what))
    }

    /// The commits of one part of this operation's effect, in order.
    pub(super) fn commits(&self, wanted: u8) -> Vec<Deed> {
        let op = self.op;
        let commit = |(index, at, what): (usize, Time, &What)| match *what {
            What::Committed { op: of, part, subject, .. } if of == op && part == wanted => {
                Some(Deed { index, at, subject })
            }
            _ => None,
        };
        self.events().filter_map(commit).collect()
    }

    /// The last turn of background work that died, or whose connection broke: with how it ended.
    pub(super) fn lost_turn(&self) -> Option<(Time, Subject, String)> {
        self.events().rev().find_map(|(index, at, what)| match *what {
            What::Died { subject } if subject.is_work() => {
                Some((at, subject, format!("died with its server{}", self.stand(subject, index))))
            }
            What::Severed { step } if step.subject.is_work() => {
                let question = self.names.question(step);
                Some((at, step.subject, format!("lost its connection around its {question}")))
            }
            _ => None,
        })
    }

    /// When a part of this operation's effect was taken back for the last time.
    pub(super) fn taken_back(&self, wanted: u8) -> Option<Deed> {
        let op = self.op;
        self.events().rev().find_map(|(index, at, what)| match *what {
            What::Compensated { op: of, part, subject } if of == op && part == wanted => {
                Some(Deed { index, at, subject })
            }
            _ => None,
        })
    }

    /// When records of this operation were written, with the indices of the events.
    pub(super) fn records(&self) -> Vec<(usize, Time)> {
        let of = |what: &What| matches!(what, What::Recorded { op } if *op == self.op);
        let written = |of: &dyn Fn(&What) -> bool| -> Vec<(usize, Time)> {
            self.events()
                .filter(|(_, _, what)| of(what))
                .map(|(index, at, _)| (index, at))
                .collect()
        };
        let records = written(&of);
        // A store without records keeps its keys in the cache.
        let put = |what: &What| {
            matches!(what, What::Executed { step, result: Came::Done, .. }
                if step.verb == Verb::Put && step.subject.op == self.op)
        };
        if records.is_empty() { written(&put) } else { records }
    }

    /// Whether a question is about keys, as far as the tables are known.
    fn is_of_keys(&self, step: Step) -> bool {
        let table = self.names.tables.get(usize::from(step.table));
        !step.verb.names_table() || table.is_none_or(|table| table.role == Role::Records)
    }

    /// The last time that a handler looked at the key before an event.
    pub(super) fn look(&self, subject: Subject, before: usize) -> Option<Look> {
        let events = self.events().take(before).collect::<Vec<_>>();
        events.into_iter().rev().find_map(|(index, at, what)| match what {
            What::Executed { step, result, .. }
                if step.subject == subject && self.is_of_keys(*step) =>
            {
                let reads = matches!(step.verb, Verb::Read | Verb::Scan | Verb::Get);
                let claims = matches!(step.verb, Verb::Claim | Verb::Insert | Verb::Put);
                let looks = reads || claims;
                let done = *result == Came::Done;
                let found = if reads { done } else { !done };
                let deed = Deed { index, at, subject };
                let took_over = step.verb == Verb::Claim && done && self.was_taken(deed);
                looks.then_some(Look { deed, verb: step.verb, found, took_over })
            }
            _ => None,
        })
    }

    /// Whether the question of this handler before its claim had found the record there.
    fn was_taken(&self, claim: Deed) -> bool {
        let before = self.events().take(claim.index).rev().find_map(|(_, _, what)| match *what {
            What::Executed { step, result, .. } if step.subject == claim.subject => {
                Some((step.verb, result))
            }
            _ => None,
        });
        before == Some((Verb::Read, Came::Done))
    }

    /// Why there was a second handler at all, as a sentence; empty when the trace does not say.
    pub(super) fn why_again(&mut self, first: Subject, second: Subject) -> String {
        if first.is_background() || second.is_background() {
            return String::new();
        }
        if first == second {
            return self.ran_again(first);
        }
        if first.attempt == second.attempt {
            let text =
                format!("The network delivered the request of attempt-{} twice", first.attempt);
            return format!("{text}. ");
        }
        let op = self.op;
        // Whichever of the two began last is the one that was sent again.
        let (first, second) =
            if first.attempt < second.attempt { (first, second) } else { (second, first) };
        let Some((index, sent)) = self.sent(second) else { return String::new() };
        if self.sent(first).is_some_and(|(_, at)| at == sent) {
            let (one, other) = (first.attempt, second.attempt);
            let text = format!("the client sent attempt-{one} and attempt-{other} at one instant");
            return format!("{}. ", capital(&self.fact(sent, text)));
        }
        let why = self.events().take(index).collect::<Vec<_>>().into_iter().rev().find_map(
            |(_, _, what)| match *what {
                What::TimedOut { op: of, attempt } if of == op => {
                    Some(format!(", since attempt-{attempt} had no reply in time"))
                }
                What::Delivered { message, reply: Some(reply), .. }
                    if message.leg == Leg::Reply && message.subject.op == op =>
                {
                    let ReplyFacts { status, .. } = self.trace.reply(reply);
                    Some(format!(", since attempt-{} was told {status}", message.subject.attempt))
                }
                _ => None,
            },
        );
        let lost = self.lost(first, index).map(|lost| format!(" ({lost})")).unwrap_or_default();
        let text = format!("the client sent attempt-{} at {}", second.attempt, stamp(sent));
        let text = text + &why.unwrap_or_default();
        format!("{}{lost}. ", capital(&self.fact(sent, text)))
    }

    /// Why one handler did the same twice, as a sentence.
    fn ran_again(&mut self, subject: Subject) -> String {
        let broke = self.events().find_map(|(_, at, what)| match *what {
            What::Severed { step } if step.subject == subject => Some((at, step)),
            _ => None,
        });
        let who = named(subject);
        let text = match broke {
            Some((at, step)) => {
                let question = self.names.question(step);
                let text = format!(
                    "{who} lost its connection at {} and never heard how its {question} came out",
                    stamp(at)
                );
                self.fact(at, text)
            }
            None => self.refused(subject),
        };
        format!("{}. ", capital(&text))
    }

    /// The first question of a handler that the database refused, as the reason to begin again.
    fn refused(&mut self, subject: Subject) -> String {
        let who = named(subject);
        let refused = self.events().find_map(|(_, at, what)| match *what {
            What::Executed { step, result: Came::Refused, .. } if step.subject == subject => {
                Some((at, step))
            }
            _ => None,
        });
        let Some((at, step)) = refused else {
            return format!("{who} did it again by itself, on the way to its one reply");
        };
        let question = self.names.question(step);
        let text = format!("{who} was refused its {question} at {}, and began again", stamp(at));
        self.fact(at, text)
    }

    /// When an attempt was sent, with the index of the event.
    fn sent(&self, subject: Subject) -> Option<(usize, Time)> {
        let request = Message::request(Subject { copy: 1, ..subject });
        self.events().find_map(|(index, at, what)| match what {
            What::Sent { message, .. } if *message == request => Some((index, at)),
            _ => None,
        })
    }

    /// The loss of an attempt's reply before an event.
    fn lost(&mut self, subject: Subject, before: usize) -> Option<String> {
        let lost = self.events().take(before).find_map(|(_, at, what)| match *what {
            What::Lost { message, why } if message == Message::reply(subject) => Some((at, why)),
            _ => None,
        });
        let (at, why) = lost?;
        let how = if why == Loss::Dropped { "was lost" } else { "was cut off" };
        let text = format!("the reply to attempt-{} {how} at {}", subject.attempt, stamp(at));
        Some(self.fact(at, text))
    }

    /// The successful replies that reached the client, in order; without any, those that were made.
    pub(super) fn successes(&self) -> Vec<(Time, ReplyId)> {
        let op = self.op;
        let told = |what: &What, arrived: bool| match *what {
            What::Delivered { message, reply: Some(reply), .. } if arrived => {
                (message.subject.op == op).then_some(reply)
            }
            What::Finished { subject, reply } if !arrived => (subject.op == op).then_some(reply),
            _ => None,
        };
        let all = |arrived: bool| -> Vec<(Time, ReplyId)> {
            let events = self.events();
            let told = events.filter_map(|(_, at, what)| told(what, arrived).map(|id| (at, id)));
            told.filter(|(_, id)| self.trace.reply(*id).is_success()).collect()
        };
        let arrived = all(true);
        if arrived.is_empty() { all(false) } else { arrived }
    }

    pub(super) fn said(&self, reply: ReplyId) -> String {
        let ReplyFacts { status, body, .. } = self.trace.reply(reply);
        format!("\"{}\"", format!("{status} {body}").trim_end())
    }

    /// When and what, of the event with this index.
    pub(super) fn event(&self, index: u32) -> Option<(Time, What)> {
        self.trace.events.get(index as usize).map(|event| (event.at, event.what))
    }

    /// What is known of an operation.
    pub(super) fn facts_of(&self, op: Op) -> Option<&OpFacts> {
        self.trace.ops.get(op.index())
    }

    /// What can be said without a story.
    pub(super) fn plain(&self, finding: &Finding) -> String {
        let at = self.trace.events.get(finding.second as usize).map(|event| event.at);
        let when = at.map(|at| format!(" at {}", stamp(at))).unwrap_or_default();
        format!("{}: the contract is broken{when} ({}).", self.op, finding.kind)
    }
}

pub(super) fn client_of(facts: Option<&OpFacts>) -> String {
    facts.map_or_else(|| "the client".to_owned(), |facts| format!("client-{}", facts.client + 1))
}

/// With a capital first letter, unless it is a name.
pub(super) fn capital(text: &str) -> String {
    let name = ["client-", "server-", "op-"].iter().any(|name| text.starts_with(name));
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if !name => first.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

/// A handler in words: `attempt-2`, `copy-2 of attempt-1`.
pub(super) fn named(subject: Subject) -> String {
    if subject.is_background() {
        return subject.to_string();
    }
    if subject.copy > 1 {
        return format!("copy-{} of attempt-{}", subject.copy, subject.attempt);
    }
    format!("attempt-{}", subject.attempt)
}

/// `twice`, `3 times`.
pub(super) fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        3 => "three times".to_owned(),
        _ => format!("{count} times"),
    }
}

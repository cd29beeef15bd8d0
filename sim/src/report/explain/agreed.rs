//! Level 5. Replies that are wrong only because the contract says so: about what is in flight, what is
//! stored, and how things stand. Imports `point`, `trace`, `check`.

use super::story::{Story, capital, named};
use crate::check::Finding;
use crate::report::timeline::stamp;
use crate::time::Time;
use crate::trace::{ReplyId, What};

/// What the contract says otherwise, as far as the two events of the finding tell it.
pub(super) fn breach(story: &mut Story<'_>, finding: &Finding) -> Option<String> {
    let (from, first) = story.event(finding.first)?;
    let (at, last) = story.event(finding.second)?;
    if let What::Delivered { message, reply: Some(reply), .. } = last
        && finding.first == finding.second
        && story.trace.reply(reply).status == 409
    {
        return Some(sent_away(story, (at, named(message.subject), reply)));
    }
    let What::Finished { subject, reply } = last else { return None };
    let told = (at, named(subject), reply);
    match first {
        What::Blocked { .. } => Some(waited(story, from, told)),
        What::Finished { subject: earlier, reply: before } if finding.first < finding.second => {
            Some(two_outcomes(story, (from, named(earlier), before), told))
        }
        What::Executed { step, .. } => {
            Some(not_taken_over(story, (from, named(step.subject)), told))
        }
        What::Committed { op, subject: maker, .. } if story.trace.reply(reply).status == 202 => {
            let there = format!("the effect of {op} was there from {}", stamp(from));
            let by = named(maker);
            let there = capital(&story.fact(from, format!("{there}, made by {by}")));
            let said = said_at(story, told);
            Some(format!(
                "{there}. Yet {said}, as if it were on its way: by this contract a replay says how \
                 things stand now, and not what was said the first time."
            ))
        }
        What::Committed { op, .. } if op != subject.op => {
            let done = format!("{op} had its effect at {} under the same key", stamp(from));
            let done = capital(&story.fact(from, done));
            let said = said_at(story, told);
            Some(format!(
                "{done}. Yet {said} to {}: by this contract another payload gets the first reply, and \
                 payloads are not compared.",
                story.op
            ))
        }
        _ => None,
    }
}

/// Who ended when, and with what.
type Told = (Time, String, ReplyId);

fn said_at(story: &mut Story<'_>, (at, who, reply): Told) -> String {
    let said = story.said(reply);
    story.fact(at, format!("{who} answered {said} at {}", stamp(at)))
}

fn sent_away(story: &mut Story<'_>, (at, who, reply): Told) -> String {
    let (op, client, said) = (story.op, story.client(), story.said(reply));
    let told = format!("{client} was told {said} at {} about {op}, in reply to {who}", stamp(at));
    let told = story.fact(at, told);
    format!(
        "{}. By this contract an attempt waits for the one that is in flight, and gets its reply: a 409 \
         is an answer that nobody is prepared for.",
        capital(&told)
    )
}

fn waited(story: &mut Story<'_>, from: Time, told: Told) -> String {
    let op = story.op;
    let waits = format!("{} found {op} in flight at {}, and waited", told.1, stamp(from));
    let waits = capital(&story.fact(from, waits));
    let said = said_at(story, told);
    format!(
        "{waits} for the other's transaction; {said}. By this contract it is refused at once (409): \
         who is made to wait times out and sends again, and what waits piles up behind one slow handler."
    )
}

fn two_outcomes(story: &mut Story<'_>, before: Told, after: Told) -> String {
    let client = story.client();
    let failed = story.trace.reply(before.2).status >= 500;
    let first = capital(&said_at(story, before));
    let second = said_at(story, after);
    let why = if failed {
        "a failure is stored once the key is claimed, and told again"
    } else {
        "a refusal is stored before it is sent, and told again"
    };
    format!(
        "{first}; {second}, both about {}. By this contract {why}: {client} may have turned elsewhere \
         since, and cannot know which of the two holds.",
        story.op
    )
}

fn not_taken_over(story: &mut Story<'_>, (from, worker): (Time, String), told: Told) -> String {
    let last =
        format!("the last that was done for {} was {worker}'s, at {}", story.op, stamp(from));
    let last = capital(&story.fact(from, last));
    let said = said_at(story, told);
    format!(
        "{last}. Yet {said}, when every lease was over and nobody was at work: by this contract the \
         next attempt takes over."
    )
}

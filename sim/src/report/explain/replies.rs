//! Level 5. Findings about replies, and about records that stay. Imports `point`, `trace`.

use super::story::{Story, capital, client_of, named, times};
use crate::point::{Leg, Op, Subject};
use crate::report::timeline::stamp;
use crate::time::Time;
use crate::trace::What;

pub(super) fn mismatch(story: &mut Story<'_>) -> Option<String> {
    let facts = story.op_facts()?;
    let other = story.trace.ops.iter().enumerate().find(|(index, other)| {
        let same = (other.key, other.tenant) == (facts.key, facts.tenant);
        *index != story.op.index() && same && other.payload != facts.payload
    });
    let (index, other) = other?;
    let other_op = Op(u32::try_from(index).ok()?);
    let (op, client, noun) = (story.op, story.client(), story.words().noun);
    let (at, reply) = *story.successes().first()?;
    let said = story.said(reply);
    let told = story.fact(at, format!("{op} was told {said} at {}", stamp(at)));
    let (mine, theirs) = (facts.amount, other.amount);
    let end = if story.commits(0).is_empty() {
        format!(
            "{client} asked for a {noun} of {mine}, and was answered as if it had asked for {theirs}"
        )
    } else {
        format!("one key now stands for a {noun} of {theirs} and for one of {mine}")
    };
    Some(format!(
        "{op} carries the key of {other_op} and another payload: {mine} where {other_op} said \
         {theirs}. It should have been refused; instead {told}: {end}."
    ))
}

pub(super) fn leak(story: &mut Story<'_>) -> Option<String> {
    let (op, client) = (story.op, story.client());
    let foreign = |reply| story.trace.reply(reply).owner.filter(|owner| *owner != op);
    let (at, reply, owner) = story
        .successes()
        .into_iter()
        .find_map(|(at, reply)| foreign(reply).map(|owner| (at, reply, owner)))?;
    let said = story.said(reply);
    let told = story.fact(at, format!("{client} was told {said} at {} about {op}", stamp(at)));
    let theirs = story.trace.ops.get(owner.index());
    let whose = client_of(theirs);
    let same = theirs.zip(story.op_facts()).is_some_and(|(a, b)| a.key == b.key);
    let key = if same { ". Both carry the same key" } else { "" };
    let tenant = if whose == client { "another operation" } else { "somebody else" };
    Some(format!(
        "{}. That is the reply to {owner} of {whose}{key}: {client} holds the receipt of {tenant}, \
         and none of its own.",
        capital(&told)
    ))
}

pub(super) fn wrong(story: &mut Story<'_>) -> Option<String> {
    if let Some(text) = hidden_mismatch(story).or_else(|| unlocked(story)) {
        return Some(text);
    }
    let (op, client, noun) = (story.op, story.client(), story.words().noun);
    let told = story.successes();
    let other = told.iter().find(|(_, reply)| *reply != told[0].1).copied();
    let refusal = refused(story);
    if let (Some(&one), Some(other)) = (told.first(), other.or(refusal)) {
        let (one, other) = if one.0 <= other.0 { (one, other) } else { (other, one) };
        let (before, after) = (story.said(one.1), story.said(other.1));
        let before = format!("{client} was told {before} at {}", stamp(one.0));
        let before = story.fact(one.0, before);
        let after = format!("{after} at {}", stamp(other.0));
        story.fact(other.0, format!("{client} was told {after}"));
        return Some(format!(
            "{before}, then {after}, both about {op}: two answers that must be one, and {client} \
             cannot know which of them holds."
        ));
    }
    let Some((at, reply)) = refusal else {
        return held_off(story).or_else(|| failed(story));
    };
    let said = story.said(reply);
    let commit = story.commits(0).first().copied();
    let there = commit.map(|commit| {
        let text = format!("the {noun} of {op} was committed at {}", stamp(commit.at));
        let why = story
            .why_again(commit.subject, Subject { attempt: last_attempt(story), ..commit.subject });
        format!("{}. {why}", capital(&story.fact(commit.at, text)))
    });
    let text = story.fact(at, format!("{client} was told {said} at {}", stamp(at)));
    let end = if there.is_some() {
        format!("it takes a {noun} that took place for one that failed")
    } else if story.op_facts().is_some_and(|facts| facts.wrong_passwords > 0) {
        "its password had been wrong before, and was right by now".to_owned()
    } else {
        "that is not the reply that it is owed".to_owned()
    };
    Some(format!("{}{}: {end}.", there.unwrap_or_default(), capital(&text)))
}

pub(super) fn stuck(story: &mut Story<'_>) -> Option<String> {
    let (op, client, noun) = (story.op, story.client(), story.words().noun);
    let (probed, from) = story.events().find_map(|(index, at, what)| {
        matches!(what, What::Probed { op: of } if *of == op).then_some((index, at))
    })?;
    let mut text = String::new();
    if let Some(claim) = abandoned(story, probed) {
        text = format!("{claim}. ");
    }
    let answers: Vec<String> = story
        .events()
        .skip(probed)
        .filter_map(|(_, _, what)| match *what {
            What::Delivered { message, reply: Some(reply), .. }
                if message.leg == Leg::Reply && message.subject.op == op =>
            {
                Some(story.said(reply))
            }
            _ => None,
        })
        .collect();
    let until = story.events().rev().find_map(|(_, at, what)| {
        matches!(what, What::Unanswered { op: of } if *of == op).then_some(at)
    });
    let until = until.map(|at| format!(" until {}", stamp(at))).unwrap_or_default();
    let asked = format!("in calm weather, from {}{until}, {client} asked about {op}", stamp(from));
    let asked = capital(&story.fact(from, asked));
    let got = match answers.last() {
        Some(last) => format!("and was told {last} {}", times(answers.len())),
        None => "and had no reply".to_owned(),
    };
    Some(format!("{text}{asked} {got}: it will never learn what became of its {noun}."))
}

pub(super) fn unbounded(story: &mut Story<'_>) -> Option<String> {
    let (at, records) = story.events().rev().find_map(|(_, at, what)| match *what {
        What::Remaining { records } => Some((at, records)),
        _ => None,
    })?;
    let left = story.fact(at, format!("{records} records were left at {}", stamp(at)));
    let operations = story.trace.ops.len();
    let s = if operations == 1 { "" } else { "s" };
    Some(format!(
        "The window had passed and a last sweep had run, and {left}, of {operations} operation{s}: \
         nothing clears them, and the table grows for as long as the system lives."
    ))
}

/// A handler that wrote a key, and died or failed before it could settle it.
fn abandoned(story: &mut Story<'_>, until: usize) -> Option<String> {
    let op = story.op;
    let (index, at) = story.records().into_iter().rfind(|(index, _)| *index < until)?;
    let mut by = story.events().take(index + 1).filter_map(|(_, _, what)| match what {
        What::Executed { step, .. } if step.subject.op == op => Some(step.subject),
        _ => None,
    });
    let by = by.next_back()?;
    let end = story.end(by, index, until).or_else(|| failure(story, by, index))?;
    let claim = format!("{} wrote the key of {op} at {}", named(by), stamp(at));
    let claim = capital(&story.fact(at, claim));
    Some(format!("{claim}; {end}, and nobody took the key over or gave it back"))
}

/// The failure with which a handler ended.
fn failure(story: &mut Story<'_>, subject: Subject, from: usize) -> Option<String> {
    let (at, reply) = story.events().skip(from).find_map(|(_, at, what)| match *what {
        What::Finished { subject: done, reply } if done == subject => Some((at, reply)),
        _ => None,
    })?;
    if story.trace.reply(reply).status < 500 {
        return None;
    }
    let said = story.said(reply);
    Some(story.fact(at, format!("it failed at {} and said {said}", stamp(at))))
}

/// A 409 where the effect is committed and nobody is at work on it.
fn held_off(story: &mut Story<'_>) -> Option<String> {
    let (op, client, noun) = (story.op, story.client(), story.words().noun);
    let commit = story.commits(0).first().copied()?;
    let (at, reply) = story.events().skip(commit.index).find_map(|(_, at, what)| match *what {
        What::Finished { subject, reply } if subject.op == op => {
            (story.trace.reply(reply).status == 409).then_some((at, reply))
        }
        _ => None,
    })?;
    let done = format!("the {noun} of {op} was committed at {}", stamp(commit.at));
    let done = capital(&story.fact(commit.at, done));
    let said = story.said(reply);
    let told = story.fact(at, format!("a retry was answered {said} at {}", stamp(at)));
    if let Some((when, by)) = story.expired_in_cache(|subject| subject.op == op) {
        let gone =
            format!("a key of the cache had expired when {} came at {}", named(by), stamp(when));
        let gone = capital(&story.fact(when, gone));
        return Some(format!(
            "{done}. {gone}, and {told}, when nobody was at work on it any more: the reply that \
             {client} is owed was forgotten."
        ));
    }
    Some(format!(
        "{done}. Yet {told}, when nobody was at work on it any more: the reply that {client} is \
         owed was not given."
    ))
}

/// A 409 to another payload under the key of one that is in flight.
fn hidden_mismatch(story: &mut Story<'_>) -> Option<String> {
    let facts = story.op_facts().filter(|facts| !facts.alone)?;
    let (op, client) = (story.op, story.client());
    let (index, at, reply) = story.events().find_map(|(index, at, what)| match *what {
        What::Finished { subject, reply } if subject.op == op => {
            (story.trace.reply(reply).status == 409).then_some((index, at, reply))
        }
        _ => None,
    })?;
    let theirs = story.events().take(index).find_map(|(_, _, what)| match *what {
        What::Started { subject, .. } if subject.op != op => {
            let theirs = story.trace.ops.get(subject.op.index())?;
            let same = (theirs.key, theirs.tenant) == (facts.key, facts.tenant);
            (same && theirs.payload != facts.payload).then_some((subject.op, theirs.amount))
        }
        _ => None,
    });
    let (other, amount) = theirs?;
    let said = story.said(reply);
    let told = story.fact(at, format!("a server answered {said} to {op} at {}", stamp(at)));
    Some(format!(
        "{op} carries the key of {other} and another payload: {} where {other} said {amount}. Yet \
         {told}, as if {op} itself were in flight: {client} will come again with a payload that can \
         never be accepted, and is not told so.",
        facts.amount
    ))
}

/// A failure of the server, where the contract knows none.
fn failed(story: &mut Story<'_>) -> Option<String> {
    let (op, client, noun) = (story.op, story.client(), story.words().noun);
    let (at, reply) = story.events().find_map(|(_, at, what)| match *what {
        What::Delivered { message, reply: Some(reply), .. } if message.subject.op == op => {
            (story.trace.reply(reply).status >= 500).then_some((at, reply))
        }
        _ => None,
    })?;
    let said = story.said(reply);
    let told = story.fact(at, format!("{client} was told {said} at {} about {op}", stamp(at)));
    let commit = story.commits(0).first().copied();
    let there = commit.map_or_else(
        || format!("whether the {noun} takes place, it cannot know"),
        |commit| {
            let done = format!("the {noun} was committed at {}", stamp(commit.at));
            story.fact(commit.at, done)
        },
    );
    Some(format!(
        "{}. Nothing had failed: {there}, and the loser of a race is owed the winner's reply, or a \
         409.",
        capital(&told)
    ))
}

/// The first final reply that is no success: as it reached the client, else as it was made.
/// A success that was told to a wrong password.
fn unlocked(story: &mut Story<'_>) -> Option<String> {
    let (op, facts) = (story.op, story.op_facts()?);
    let (at, attempt, reply) = story.events().find_map(|(_, at, what)| match *what {
        What::Delivered { message, reply: Some(reply), .. } if message.leg == Leg::Reply => {
            let Subject { op: of, attempt, .. } = message.subject;
            let opened =
                of == op && facts.is_wrong(attempt) && story.trace.reply(reply).is_success();
            opened.then_some((at, attempt, reply))
        }
        _ => None,
    })?;
    let said = story.said(reply);
    let told =
        story.fact(at, format!("attempt-{attempt} of {op} was told {said} at {}", stamp(at)));
    Some(format!(
        "{}, and had come with a wrong password: whoever has the key is shown the receipt.",
        capital(&told)
    ))
}

fn refused(story: &Story<'_>) -> Option<(Time, crate::trace::ReplyId)> {
    let op = story.op;
    let wrong = story.op_facts().map_or(0, |facts| facts.wrong_passwords);
    let first = |arrived: bool| {
        story.events().find_map(|(_, at, what)| {
            let (subject, reply) = match *what {
                What::Delivered { message, reply: Some(reply), .. } if arrived => {
                    (message.subject, reply)
                }
                What::Finished { subject, reply } if !arrived => (subject, reply),
                _ => return None,
            };
            let facts = story.trace.reply(reply);
            let owed = facts.status == 401 && subject.attempt <= wrong;
            let refuses = !facts.is_success() && !facts.asks_for_retry() && !owed;
            (subject.op == op && refuses).then_some((at, reply))
        })
    };
    first(true).or_else(|| first(false))
}

fn last_attempt(story: &Story<'_>) -> u8 {
    let op = story.op;
    let attempt = |what: &What| match *what {
        What::Rejected { op: of, attempt, .. } if of == op => Some(attempt),
        _ => None,
    };
    story.events().find_map(|(_, _, what)| attempt(what)).unwrap_or(1)
}

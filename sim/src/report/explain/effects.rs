//! Level 5. Findings about effects: too many, too few, half of one. Imports `point`, `trace`.

use super::story::{Deed, Look, Story, Words, capital, client_of, named, times};
use crate::report::timeline::stamp;
use crate::trace::What;
use onestroke_store::{EffectKind, Verb};
use std::fmt::Write as _;

pub(super) fn double(story: &mut Story<'_>) -> Option<String> {
    let (first, second, count) = twice(story)?;
    let Words { noun, again } = story.words();
    let head = head(story, first);
    let key = key_of(story, first, second);
    let gone = gone(story, first, second);
    let still = standstills(story, first, second);
    let why = story.why_again(first.subject, second.subject) + &story.misled(first, second);
    let over = taken_over(story, first);
    let look = look(story, first, second);
    let by = named(second.subject);
    story.fact(second.at, format!("{noun} #2 was committed at {} by {by}", stamp(second.at)));
    let at = stamp(second.at);
    let harm = harm(story, count);
    Some(format!("{head}; {key}. {gone}{still}{why}{over}{look}, and {again} at {at}: {harm}."))
}

pub(super) fn expired(story: &mut Story<'_>) -> Option<String> {
    let (first, second, count) = twice(story)?;
    let again = story.words().again;
    let head = head(story, first);
    let gone = story.forgotten(second.index);
    let key = match gone {
        Some((index, at, swept)) => {
            let was = if index < first.index { "had been" } else { "was" };
            let how = if swept { "swept" } else { "deleted" };
            story.fact(at, format!("its record {was} {how} at {}", stamp(at)))
        }
        None => "its record had expired before the next attempt came".to_owned(),
    };
    let still = standstills(story, first, second);
    let why = story.why_again(first.subject, second.subject);
    let look = look(story, first, second);
    let (noun, by) = (story.words().noun, named(second.subject));
    story.fact(second.at, format!("{noun} #2 was committed at {} by {by}", stamp(second.at)));
    let (at, harm) = (stamp(second.at), harm(story, count));
    let end = match gone {
        Some((_, _, true)) => "The record was cleared while retries could still come",
        _ => "The window is shorter than the retries",
    };
    Some(format!("{head}; {key}. {still}{why}{look}, and {again} at {at}: {harm}. {end}."))
}

pub(super) fn torn(story: &mut Story<'_>) -> Option<String> {
    let parts = story.op_facts()?.parts;
    let stands = |part: &u8| {
        let back = story.taken_back(*part);
        story
            .commits(*part)
            .last()
            .is_some_and(|commit| back.is_none_or(|b| b.index < commit.index))
    };
    let (there, missing): (Vec<u8>, Vec<u8>) = (0..parts).partition(stands);
    let first = story.commits(*there.first()?).first().copied()?;
    let noun = story.words().noun;
    let (op, done) = (story.op, listed(&there));
    let head = format!("{done} of {op}'s {noun} {} committed at {}", was(&there), stamp(first.at));
    let head = capital(&story.fact(first.at, head));
    let gone = listed(&missing);
    let client = story.client();
    if let Some(back) = missing.iter().find_map(|part| story.taken_back(*part)) {
        let (at, by) = (stamp(back.at), named(back.subject));
        let back = story.fact(back.at, format!("{gone} had been taken back at {at} by {by}"));
        return Some(format!("{head}; {back}: {client}'s {noun} is half there, half not."));
    }
    let end = story.end(first.subject, first.index, usize::MAX);
    let because = end.map(|end| format!(", because {end}")).unwrap_or_default();
    let never = if missing.len() == 1 { "never was" } else { "never were" };
    Some(format!("{head}; {gone} {never}{because}: {client}'s {noun} is half there, half not."))
}

pub(super) fn lost(story: &mut Story<'_>) -> Option<String> {
    let op = story.op;
    let (index, at, reply) = story.events().find_map(|(index, at, what)| match *what {
        What::Succeeded { op: of, reply, .. } if of == op => Some((index, at, reply)),
        _ => None,
    })?;
    let (client, said, noun) = (story.client(), story.said(reply), story.words().noun);
    let mut text = String::new();
    if let Some(&(marked, when)) = story.records().first().filter(|(marked, _)| *marked < index) {
        let mut by = story.events().take(marked + 1).filter_map(|(_, _, what)| match what {
            What::Executed { step, .. } if step.subject.op == op => Some(step.subject),
            _ => None,
        });
        let marker = by.next_back();
        let who = marker.map_or_else(|| "an attempt".to_owned(), named);
        let mark = story.fact(when, format!("{who} wrote the key of {op} at {}", stamp(when)));
        text = capital(&mark);
        if let Some(end) = marker.and_then(|marker| story.end(marker, marked, index)) {
            let _ = write!(text, "; {end}, and no {noun} had been committed");
        }
        text += ". ";
    }
    let undone = story.events().find_map(|(_, at, what)| match *what {
        What::Undone { op: of, .. } if of == op => Some(at),
        _ => None,
    });
    if let Some(at) = undone {
        let undo = story.fact(at, format!("the {noun} was rolled back at {}", stamp(at)));
        let _ = write!(text, "{}. ", capital(&undo));
    }
    let vanished = story.events().rev().find_map(|(_, at, what)| match *what {
        What::Vanished { op: of, .. } if of == op => Some(at),
        _ => None,
    });
    if let Some(at) = vanished {
        let gone = format!(
            "the {noun} was in the cache, and was lost when it failed over at {}",
            stamp(at)
        );
        let gone = story.fact(at, gone);
        let _ = write!(text, "{}. ", capital(&gone));
    }
    if let Some((when, turn, fate)) = story.lost_turn() {
        let lost = story.fact(when, format!("{turn} {fate} at {}", stamp(when)));
        let _ = write!(text, "{}. ", capital(&lost));
    }
    let told = story.fact(at, format!("{client} was told {said} at {}", stamp(at)));
    let owner = story.trace.reply(reply).owner.filter(|owner| *owner != op);
    let foreign = owner.map_or_else(String::new, |owner| {
        format!(", the reply to {owner} of {}", client_of(story.trace.ops.get(owner.index())))
    });
    let told = capital(&told);
    Some(format!("{text}{told}{foreign}: it believes in a {noun} that is not there."))
}

/// The first two commits of the same part, and how often it was committed.
fn twice(story: &Story<'_>) -> Option<(Deed, Deed, usize)> {
    let parts = story.op_facts().map_or(1, |facts| facts.parts.max(1));
    (0..parts).map(|part| story.commits(part)).find_map(|commits| match commits[..] {
        [first, second, ..] => Some((first, second, commits.len())),
        _ => None,
    })
}

fn head(story: &mut Story<'_>, first: Deed) -> String {
    let (op, noun, amount) = (story.op, story.words().noun, story.amount());
    let (who, at) = (named(first.subject), stamp(first.at));
    let text = format!("{noun} #1 of {op} ({amount}) was committed at {at} by {who}");
    capital(&story.fact(first.at, text))
}

/// What became of the key of the first effect until the second.
fn key_of(story: &mut Story<'_>, first: Deed, second: Deed) -> String {
    let records = story.records();
    let until = records.iter().filter(|(index, _)| *index < second.index);
    let near = until.clone().find(|(index, at)| *at == first.at && *index + 3 >= first.index);
    if near.is_some() {
        return "its key was committed with it".to_owned();
    }
    if let Some((_, at)) = until.clone().find(|(index, _)| *index < first.index) {
        return story.fact(*at, format!("its key had been written at {}", stamp(*at)));
    }
    if let Some((_, at)) = until.clone().next() {
        return story.fact(*at, format!("its key only at {}", stamp(*at)));
    }
    match story.end(first.subject, first.index, second.index) {
        Some(end) => format!("its key was not, because {end}"),
        None if records.is_empty() => "no key was ever written".to_owned(),
        None => "its key was not yet written".to_owned(),
    }
}

/// Who cleared the record before the second effect, as a sentence.
fn gone(story: &mut Story<'_>, first: Deed, second: Deed) -> String {
    match story.forgotten(second.index) {
        Some((_, at, true)) => {
            let text = format!("a sweep cleared the record at {}", stamp(at));
            format!("{}. ", capital(&story.fact(at, text)))
        }
        Some((index, at, false)) if index > first.index => {
            let Some(who) = story.asker(index) else { return String::new() };
            let told = [first.subject, second.subject].contains(&who);
            let still = if told { String::new() } else { story.standstill(who, index) };
            let text = format!("{} deleted the record at {}", named(who), stamp(at));
            format!("{still}{}. ", capital(&story.fact(at, text)))
        }
        _ => String::new(),
    }
}

/// That the first effect was made by one who had taken over, as a sentence.
fn taken_over(story: &mut Story<'_>, first: Deed) -> String {
    let look = story.look(first.subject, first.index).filter(|look| look.took_over);
    let Some(Look { deed, .. }) = look else { return String::new() };
    let text = format!("{} had taken the key over at {}", named(deed.subject), stamp(deed.at));
    format!("{}. ", capital(&story.fact(deed.at, text)))
}

/// Which of the two handlers stood still, in sentences.
fn standstills(story: &mut Story<'_>, first: Deed, second: Deed) -> String {
    let both = [first.subject, second.subject];
    both.map(|subject| story.standstill(subject, second.index)).concat()
}

/// How the second handler came to believe that it was the first.
fn look(story: &mut Story<'_>, first: Deed, second: Deed) -> String {
    let who = named(second.subject);
    if second.subject.is_background() {
        return format!("{} found it still to be done", capital(&who));
    }
    let Some(Look { deed, verb, found, took_over }) = story.look(second.subject, second.index)
    else {
        return format!("{} never looked for a key", capital(&who));
    };
    let at = stamp(deed.at);
    if took_over {
        story.fact(deed.at, format!("{who} took the key over at {at}"));
        let early = deed.index < first.index;
        let took = if early { "had taken" } else { "took" };
        let before = if early { before_that(story) } else { String::new() };
        return format!("{} {took} the key over at {at}{before}", capital(&who));
    }
    let reads = matches!(verb, Verb::Read | Verb::Scan | Verb::Get);
    let what = if !reads && !found { "claimed" } else { "looked for" };
    let came = if found { ", found it" } else { ", found none" };
    let came = if what == "claimed" { "" } else { came };
    story.fact(deed.at, format!("{who} {what} the key at {at}{came}"));
    let early = deed.index < first.index;
    let had = if early { "had " } else { "" };
    let before = if early { before_that(story) } else { String::new() };
    format!("{} {had}{what} the key at {at}{before}{came}", capital(&who))
}

fn before_that(story: &Story<'_>) -> String {
    format!(", before that {}", story.words().noun)
}

/// What the repeat means to the client.
fn harm(story: &Story<'_>, count: usize) -> String {
    let (client, amount, times) = (story.client(), story.amount(), times(count));
    match story.op_facts().map(|facts| facts.kind) {
        Some(EffectKind::Add) => {
            if count > 3 {
                format!("{client} paid {amount}, {times} over")
            } else {
                format!("{client} paid {amount} {times}")
            }
        }
        Some(EffectKind::Create) => format!("{client} asked once, and it was created {times}"),
        Some(EffectKind::Send) => format!("{client} asked once, and it was sent {times}"),
        _ => format!("{client} asked once, and it was done {times}"),
    }
}

/// `part 1`, `parts 2 and 3`.
fn listed(parts: &[u8]) -> String {
    let numbers: Vec<String> = parts.iter().map(|part| (part + 1).to_string()).collect();
    match numbers.split_last() {
        Some((last, [])) => format!("part {last}"),
        Some((last, others)) => format!("parts {} and {last}", others.join(", ")),
        None => "no part".to_owned(),
    }
}

const fn was(parts: &[u8]) -> &'static str {
    if parts.len() == 1 { "was" } else { "were" }
}

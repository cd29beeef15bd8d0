//! What must occur, and what each store is expected to show.
//!
//! Imports findings and moments. Store names come from the catalogue of stores; a file may name a
//! store of its own, unless the name looks like a slip of the pen.

use super::is_kebab;
use super::section::{Node, Section};
use crate::bad::{BadScenario, did_you_mean, shortened};
use crate::finding::FindingKind;
use crate::moment::Moment;
use std::collections::BTreeMap;

/// The moments that must occur, in the order of the file.
pub(super) fn moments(top: &Section<'_>) -> Result<Vec<Moment>, BadScenario> {
    let mut moments = Vec::new();
    for node in top.list("moments")? {
        let text = top.text_of("moments", node)?;
        let moment = Moment::parse(&text).ok_or_else(|| {
            let fix = did_you_mean(&text, Moment::ALL.map(Moment::name));
            top.wrong("moments", node, (format!("`{}` is no moment", shortened(&text)), fix))
        })?;
        if moments.contains(&moment) {
            return Err(twice(top, "moments", node, &text));
        }
        moments.push(moment);
    }
    Ok(moments)
}

/// The kinds of findings that each store shows, in the order in which they are tried.
pub(super) fn findings(
    top: &Section<'_>,
) -> Result<BTreeMap<String, Vec<FindingKind>>, BadScenario> {
    let section = top.open_section("expect")?;
    let known: Vec<&str> =
        onestroke_store::stores::catalogue().iter().map(|entry| entry.name).collect();
    let mut expect = BTreeMap::new();
    for (store, start, node) in section.fields() {
        check_store(&section, store, start, &known)?;
        expect.insert(store.to_owned(), kinds(&section, store, node)?);
    }
    Ok(expect)
}

fn kinds<'a>(
    section: &Section<'a>,
    store: &str,
    node: Node<'a>,
) -> Result<Vec<FindingKind>, BadScenario> {
    let mut kinds = Vec::new();
    for node in section.list_of(store, node)? {
        let text = section.text_of(store, node)?;
        let kind = FindingKind::parse(&text).ok_or_else(|| {
            let fix = did_you_mean(&text, FindingKind::ALL.map(FindingKind::name));
            section.wrong(
                store,
                node,
                (format!("`{}` is no kind of finding", shortened(&text)), fix),
            )
        })?;
        if kinds.contains(&kind) {
            return Err(twice(section, store, node, &text));
        }
        kinds.push(kind);
    }
    kinds.sort_unstable();
    Ok(kinds)
}

fn twice(section: &Section<'_>, name: &str, node: Node<'_>, text: &str) -> BadScenario {
    section.wrong(name, node, (format!("`{text}` is listed twice"), "take one out".into()))
}

fn check_store(
    section: &Section<'_>,
    store: &str,
    start: usize,
    known: &[&str],
) -> Result<(), BadScenario> {
    if !is_kebab(store) {
        let fix = "write words of small letters and digits, joined by `-`";
        let complaint = ("is no name for a store".into(), fix.into());
        return Err(section.wrong_at(start, store, complaint));
    }
    if known.contains(&store) {
        return Ok(());
    }
    match known.iter().find(|one| is_slip_of(store, one)) {
        None => Ok(()),
        Some(one) => {
            let complaint = ("there is no such store".into(), format!("did you mean `{one}`?"));
            Err(section.wrong_at(start, store, complaint))
        }
    }
}

/// One or two letters wrong; `one-transaction-2` is a name of its own.
fn is_slip_of(store: &str, known: &str) -> bool {
    let extends = store.starts_with(known) || known.starts_with(store);
    !extends && strsim::damerau_levenshtein(store, known) <= 2
}

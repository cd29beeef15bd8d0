//! Contracts that are named after the systems that make them, from `scenarios/contracts.toml`.
//!
//! Imports the document, the section reader, and the reader of contracts.

use super::document::Document;
use super::section::Section;
use super::{CONTRACT, contract_over};
use crate::bad::{BadScenario, shortened, suggest};
use crate::contract::Contract;
use toml::de::DeTable;

const TEXT: &str = include_str!("../../contracts.toml");
const DOCUMENT: Document<'_> = Document { file: "scenarios/contracts.toml", text: TEXT };

/// The contracts that a scenario can name, each with what it is.
///
/// # Panics
/// When the file is broken; a test reads it.
pub fn contracts() -> Vec<(String, String, Contract)> {
    all().unwrap_or_else(|bad| panic!("a built-in contract is broken: {bad}"))
}

fn all() -> Result<Vec<(String, String, Contract)>, BadScenario> {
    let table = DeTable::parse(TEXT).map_err(|error| DOCUMENT.syntax(&error))?;
    let names: Vec<&str> = table.get_ref().keys().map(|key| key.get_ref().as_ref()).collect();
    let top = Section::top(DOCUMENT, table.get_ref(), &names)?;
    let mut fields = CONTRACT.to_vec();
    fields.push("about");
    let mut contracts = Vec::new();
    for name in &names {
        let section = top.section(name, &fields)?;
        let about = section.text("about")?.unwrap_or_default();
        let contract = contract_over(&section, Contract::default())?;
        contracts.push(((*name).to_owned(), about, contract));
    }
    Ok(contracts)
}

/// The contract that a section builds on: the one that it names, or the usual one.
pub(super) fn base(section: &Section<'_>) -> Result<Contract, BadScenario> {
    let Some(node) = section.node("like") else { return Ok(Contract::default()) };
    let name = section.text_of("like", node)?;
    let contracts = contracts();
    let found = contracts.iter().find(|(known, ..)| *known == name);
    found.map(|(.., contract)| *contract).ok_or_else(|| {
        let names = || contracts.iter().map(|(known, ..)| known.as_str());
        let fix = suggest(&name, names()).map_or_else(
            || format!("choose from: {}", names().collect::<Vec<_>>().join(", ")),
            |one| format!("did you mean `{one}`?"),
        );
        section.wrong("like", node, (format!("no contract is called `{}`", shortened(&name)), fix))
    })
}

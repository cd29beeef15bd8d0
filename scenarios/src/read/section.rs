//! One section of the file: reads its fields by name, and says where a wrong one stands.
//!
//! Imports the document, the units and the choices.

use super::choices::Choice;
use super::document::{Complaint, Document};
use super::units;
use crate::bad::{BadScenario, did_you_mean, shortened};
use crate::rate::{Range, Rate};
use onestroke_store::Span;
use std::ops::RangeInclusive;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A section of the file, or the absence of one: then every field has its default.
pub(super) struct Section<'a> {
    pub(super) document: Document<'a>,
    path: String,
    /// Where the section stands.
    start: usize,
    table: Option<&'a DeTable<'a>>,
}

/// A value of the file with its place.
pub(super) type Node<'a> = &'a Spanned<DeValue<'a>>;

impl<'a> Section<'a> {
    /// The whole file; no field but the known ones may stand there.
    pub(super) fn top(
        document: Document<'a>,
        table: &'a DeTable<'a>,
        known: &[&str],
    ) -> Result<Self, BadScenario> {
        let section = Self { document, path: String::new(), start: 0, table: Some(table) };
        section.only(known)?;
        Ok(section)
    }

    /// A section of this one; no field but the known ones may stand there.
    pub(super) fn section(&self, name: &str, known: &[&str]) -> Result<Self, BadScenario> {
        let section = self.open_section(name)?;
        section.only(known)?;
        Ok(section)
    }

    /// A section of this one, whose fields are checked by whoever reads them.
    pub(super) fn open_section(&self, name: &str) -> Result<Self, BadScenario> {
        let (document, path) = (self.document, self.field(name));
        let Some(node) = self.node(name) else {
            return Ok(Self { document, path, start: self.start, table: None });
        };
        let DeValue::Table(table) = node.get_ref() else {
            let fix = format!("write a section: `[{name}]`");
            return Err(self.wrong(name, node, (self.is_no("section", node), fix)));
        };
        let start = node.span().start;
        Ok(Self { document, path, start, table: Some(table) })
    }

    /// The fields that are there, with their places, in the order of their names.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&'a str, usize, Node<'a>)> {
        let table = self.table.into_iter().flatten();
        table.map(|(key, node)| (key.get_ref().as_ref(), key.span().start, node))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.node(name).is_some()
    }

    pub(super) fn node(&self, name: &str) -> Option<Node<'a>> {
        self.fields().find(|(key, _, _)| *key == name).map(|(_, _, node)| node)
    }

    /// Complains about this field unless all is right.
    pub(super) fn check(
        &self,
        right: bool,
        name: &str,
        complaint: impl FnOnce() -> Complaint,
    ) -> Result<(), BadScenario> {
        if right {
            return Ok(());
        }
        let start = self.node(name).map_or(self.start, |node| node.span().start);
        Err(self.document.bad(start, self.field(name), complaint()))
    }

    pub(super) fn wrong(&self, name: &str, node: Node<'_>, complaint: Complaint) -> BadScenario {
        self.document.bad(node.span().start, self.field(name), complaint)
    }

    pub(super) fn wrong_at(&self, start: usize, name: &str, complaint: Complaint) -> BadScenario {
        self.document.bad(start, self.field(name), complaint)
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<String>, BadScenario> {
        self.node(name).map(|node| self.text_of(name, node)).transpose()
    }

    pub(super) fn texts(&self, name: &str) -> Result<Vec<String>, BadScenario> {
        let nodes = self.list(name)?;
        nodes.iter().map(|node| self.text_of(name, node)).collect()
    }

    pub(super) fn list(&self, name: &str) -> Result<&'a [Spanned<DeValue<'a>>], BadScenario> {
        self.node(name).map_or(Ok(&[]), |node| self.list_of(name, node))
    }

    pub(super) fn list_of(
        &self,
        name: &str,
        node: Node<'a>,
    ) -> Result<&'a [Spanned<DeValue<'a>>], BadScenario> {
        match node.get_ref() {
            DeValue::Array(nodes) => Ok(nodes),
            _ => {
                let fix = "write one in `[` and `]`".into();
                Err(self.wrong(name, node, (self.is_no("list", node), fix)))
            }
        }
    }

    pub(super) fn text_of(&self, name: &str, node: Node<'_>) -> Result<String, BadScenario> {
        match node.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            _ => {
                let fix = "write one in quotes".into();
                Err(self.wrong(name, node, (self.is_no("text", node), fix)))
            }
        }
    }

    pub(super) fn flag(&self, name: &str, usual: bool) -> Result<bool, BadScenario> {
        let Some(node) = self.node(name) else { return Ok(usual) };
        let complaint = || {
            let problem = format!("{} is neither true nor false", self.document.quote(node.span()));
            (problem, "write `true` or `false`".into())
        };
        node.get_ref().as_bool().ok_or_else(|| self.wrong(name, node, complaint()))
    }

    /// A whole number within bounds.
    pub(super) fn number<T: TryFrom<u64>>(
        &self,
        name: &str,
        usual: T,
        bounds: RangeInclusive<u64>,
    ) -> Result<T, BadScenario> {
        let Some(node) = self.node(name) else { return Ok(usual) };
        let (least, most) = (*bounds.start(), *bounds.end());
        let fix = || format!("write a whole number from {least} to {most}");
        let DeValue::Integer(integer) = node.get_ref() else {
            return Err(self.wrong(name, node, (self.is_no("whole number", node), fix())));
        };
        u64::from_str_radix(integer.as_str(), integer.radix())
            .ok()
            .filter(|number| bounds.contains(number))
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| {
                self.wrong(
                    name,
                    node,
                    (format!("`{}` is out of bounds", shortened(integer.as_str())), fix()),
                )
            })
    }

    pub(super) fn span(&self, name: &str, usual: Span, most: Span) -> Result<Span, BadScenario> {
        self.node(name).map_or(Ok(usual), |node| self.span_of(name, node, most))
    }

    pub(super) fn span_of(
        &self,
        name: &str,
        node: Node<'_>,
        most: Span,
    ) -> Result<Span, BadScenario> {
        let fix = "write a whole number and us, ms, s, m, h or d, like `\"100ms\"` or `\"24h\"`";
        let span = self.unit_of(name, node, ("span of time", fix), units::span)?;
        self.not_longer(name, node, span, most)
    }

    pub(super) fn spans(&self, name: &str, most: Span) -> Result<Vec<Span>, BadScenario> {
        self.list(name)?.iter().map(|node| self.span_of(name, node, most)).collect()
    }

    pub(super) fn rate(&self, name: &str, usual: Rate) -> Result<Rate, BadScenario> {
        self.node(name).map_or(Ok(usual), |node| self.rate_of(name, node))
    }

    pub(super) fn rate_of(&self, name: &str, node: Node<'_>) -> Result<Rate, BadScenario> {
        let fix = "write a percentage from `\"0%\"` to `\"100%\"`, like `\"0.5%\"`";
        self.unit_of(name, node, ("rate", fix), units::rate)
    }

    pub(super) fn range(&self, name: &str, usual: Range, most: Span) -> Result<Range, BadScenario> {
        let Some(node) = self.node(name) else { return Ok(usual) };
        let fix = "write the shortest and the longest span, like `\"1ms..3ms\"`";
        let range = self.unit_of(name, node, ("range", fix), units::range)?;
        let ends = ("ends before it begins".into(), fix.into());
        self.check(range.least <= range.most, name, || ends)?;
        self.not_longer(name, node, range.most, most)?;
        Ok(range)
    }

    pub(super) fn choice<T: Choice>(&self, name: &str, usual: T) -> Result<T, BadScenario> {
        let Some(node) = self.node(name) else { return Ok(usual) };
        let text = self.text_of(name, node)?;
        let names = T::NAMES.iter().map(|(name, _)| *name);
        let found = T::NAMES.iter().find(|(name, _)| *name == text);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let problem = format!("`{}` is not one of the choices", shortened(&text));
            self.wrong(name, node, (problem, did_you_mean(&text, names)))
        })
    }

    pub(super) fn not_zero(&self, name: &str, span: Span) -> Result<(), BadScenario> {
        let complaint = || ("is zero".into(), "write a span longer than zero".into());
        self.check(span > Span::ZERO, name, complaint)
    }

    /// `span` may not be shorter than the field beside it.
    pub(super) fn at_least(
        &self,
        name: &str,
        span: Span,
        (other, least): (&str, Span),
    ) -> Result<(), BadScenario> {
        self.check(span >= least, name, || {
            let (span, least) = (units::show(span), units::show(least));
            (format!("{span} is less than {other}, {least}"), format!("write {least} or more"))
        })
    }

    /// A value of another type.
    fn is_no(&self, what: &str, node: Node<'_>) -> String {
        format!("{} is no {what}", self.document.quote(node.span()))
    }

    /// A text that `parse` can read; `what` it should be, and how to write one.
    fn unit_of<T>(
        &self,
        name: &str,
        node: Node<'_>,
        (what, fix): (&str, &str),
        parse: fn(&str) -> Option<T>,
    ) -> Result<T, BadScenario> {
        let text = node.get_ref().as_str();
        text.and_then(parse).ok_or_else(|| {
            let problem = match text {
                Some(text) => format!("`{}` is no {what}", shortened(text)),
                None => self.is_no(what, node),
            };
            self.wrong(name, node, (problem, fix.into()))
        })
    }

    fn not_longer(
        &self,
        name: &str,
        node: Node<'_>,
        span: Span,
        most: Span,
    ) -> Result<Span, BadScenario> {
        if span <= most {
            return Ok(span);
        }
        let text = node.get_ref().as_str().unwrap_or_default();
        let problem = format!("`{}` is too long", shortened(text));
        let fix = format!("the longest is `\"{}\"`", units::show(most));
        Err(self.wrong(name, node, (problem, fix)))
    }

    /// Every field of the section must be known.
    fn only(&self, known: &[&str]) -> Result<(), BadScenario> {
        match self.fields().find(|(key, _, _)| !known.contains(key)) {
            None => Ok(()),
            Some((key, start, _)) => {
                let fix = did_you_mean(key, known.iter().copied());
                let complaint = ("there is no such field".into(), fix);
                Err(self.document.bad(start, self.field(key), complaint))
            }
        }
    }

    fn field(&self, name: &str) -> String {
        if self.path.is_empty() { name.into() } else { format!("{}.{name}", self.path) }
    }
}

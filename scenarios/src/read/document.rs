//! The file itself: its name, and where in it something stands.
//!
//! Imports nothing but the complaint.

use crate::bad::{BadScenario, shortened};
use std::ops::Range;

/// The file: its name and its text.
#[derive(Clone, Copy)]
pub(super) struct Document<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
}

/// What is wrong, and what would be right.
pub(super) type Complaint = (String, String);

impl Document<'_> {
    /// The file's name without folder and ending.
    pub(super) fn stem(&self) -> String {
        let name = self.file.rsplit(['/', '\\']).next().unwrap_or(self.file);
        let stem = name.strip_suffix(".toml").unwrap_or(name);
        if stem.is_empty() { "scenario".into() } else { stem.into() }
    }

    /// A value as it is written, for messages.
    pub(super) fn quote(&self, span: Range<usize>) -> String {
        format!("`{}`", shortened(self.text.get(span).unwrap_or_default()))
    }

    pub(super) fn syntax(&self, error: &toml::de::Error) -> BadScenario {
        let span = error.span().unwrap_or_default();
        let start = span.start;
        let said = error.message().replace('\n', ", ");
        let complaint = match self.text.get(span).map(str::trim) {
            Some(key) if said == "duplicate key" && !key.is_empty() => {
                let problem = format!("`{}` is there already", shortened(key));
                (problem, "take one of the two out".into())
            }
            _ if said.contains("recursion") => (
                "this is nested too deeply".into(),
                "a scenario has sections and lists only".into(),
            ),
            _ => (format!("this is no TOML: {said}"), String::new()),
        };
        self.bad(start, String::new(), complaint)
    }

    pub(super) fn bad(
        &self,
        start: usize,
        field: String,
        (problem, fix): Complaint,
    ) -> BadScenario {
        let bytes = &self.text.as_bytes()[..start.min(self.text.len())];
        let before = String::from_utf8_lossy(bytes);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        BadScenario { file: self.file.into(), line, column, field, problem, fix }
    }
}

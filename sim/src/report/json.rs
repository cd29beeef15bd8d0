//! Level 5. One run's report for machines: versioned, its fields in a fixed order, no wall time.
//!
//! The parts are public, so that a campaign's report can be made of them. A field that does not
//! apply is left out; hashes are hexadecimal texts, because numbers of JSON do not hold 64 bits
//! everywhere. Imports `point`, `choice`, `trace`, `check`, `plan`, and the labels of `search`.

use super::explain::{Explanation, Fact};
use crate::check::Finding;
use crate::choice::Strike;
use crate::plan::strike_line;
use crate::point::Names;
use crate::search::shrink::Label;
use crate::time::Span;
use crate::trace::Trace;
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the schema: it grows when a field changes its meaning or goes.
pub const SCHEMA: u32 = 1;

/// One run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunReport {
    /// The version of the schema.
    pub schema: u32,
    /// Who made the report.
    pub tool: Tool,
    /// What was run.
    #[serde(flatten)]
    pub subject: Subject,
    /// Where its decisions came from.
    #[serde(flatten)]
    pub source: RunSource,
    /// What came of it.
    pub verdict: Verdict,
    /// The breaches, in the order of the oracle.
    pub findings: Vec<FindingReport>,
    /// Dangerous situations that the run passed through, and how often.
    pub moments: BTreeMap<String, u64>,
    /// The hash of the trace: 16 hexadecimal digits.
    pub trace_hash: String,
    /// How many events the trace has.
    pub events: u64,
}

/// Name and version of this tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version, with the commit where it is known.
    pub version: String,
}

/// What was run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Subject {
    /// The scenario.
    pub scenario: String,
    /// The store.
    pub store: String,
    /// What is under it.
    pub backend: String,
}

/// Where a run's decisions came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunSource {
    /// From a seed.
    Seed(u64),
    /// From a plan: its faults, one a line.
    Plan(Vec<String>),
}

/// What came of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No breach in this run.
    NoBreach,
    /// At least one breach.
    Breach,
}

/// One breach of the contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FindingReport {
    /// The kind, by name.
    pub kind: String,
    /// Whose operation, as in `op-1`; null when it is nobody's in particular.
    pub op: Option<String>,
    /// What happened, in plain words.
    pub paragraph: String,
    /// The moments that make the story.
    pub facts: Vec<FactReport>,
    /// The faults that bring it about, one a line, as in a plan file; the size of the workload where a
    /// smaller one is enough; and `seed` and `vary` lines where it needs that timing.
    pub plan: Vec<String>,
    /// What is known of each fault of a shrunk plan.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultReport>,
}

/// A fault of a shrunk plan, without which the finding does not show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultReport {
    /// Its line in the plan.
    pub fault: String,
    /// Whether its magnitude matters.
    pub magnitude: String,
    /// The least magnitude, about, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_us: Option<u64>,
    /// The greatest magnitude, about, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_us: Option<u64>,
}

/// One moment of the story.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FactReport {
    /// When, in microseconds of virtual time.
    pub at_us: u64,
    /// What.
    pub text: String,
}

impl RunReport {
    /// A report with the verdict that its findings make.
    pub fn new(
        (tool, subject, source): (Tool, Subject, RunSource),
        findings: Vec<FindingReport>,
        moments: BTreeMap<String, u64>,
        trace: &Trace,
    ) -> Self {
        let verdict = if findings.is_empty() { Verdict::NoBreach } else { Verdict::Breach };
        Self {
            schema: SCHEMA,
            tool,
            subject,
            source,
            verdict,
            findings,
            moments,
            trace_hash: hex(trace.hash()),
            events: trace.events.len() as u64,
        }
    }

    /// Its JSON, indented, with a line feed at the end.
    pub fn pretty(&self) -> String {
        let json = serde_json::to_string_pretty(self).expect("a report has only plain keys");
        json + "\n"
    }

    /// Its JSON on one line, with a line feed at the end.
    pub fn line(&self) -> String {
        let json = serde_json::to_string(self).expect("a report has only plain keys");
        json + "\n"
    }
}

impl Tool {
    /// This tool, in this version.
    pub fn this(version: &str) -> Self {
        Self { name: "onestroke".to_owned(), version: version.to_owned() }
    }
}

impl FindingReport {
    /// A finding, explained, with the faults that bring it about.
    pub fn new(finding: &Finding, explanation: Explanation, plan: Vec<String>) -> Self {
        Self {
            kind: finding.kind.name().to_owned(),
            op: finding.op.map(|op| op.to_string()),
            paragraph: explanation.paragraph,
            facts: explanation.facts.into_iter().map(FactReport::from).collect(),
            plan,
            faults: vec![],
        }
    }

    /// The same, with what is known of the faults of its shrunk plan.
    #[must_use]
    pub fn labelled(mut self, labels: &[(Strike, Label)], names: Names<'_>) -> Self {
        let fault = |(strike, label): &(Strike, Label)| {
            let (from, to) = label.bounds();
            FaultReport {
                fault: strike_line(*strike, names),
                magnitude: label.name().to_owned(),
                from_us: from.map(Span::as_micros),
                to_us: to.map(Span::as_micros),
            }
        };
        self.faults = labels.iter().map(fault).collect();
        self
    }
}

impl From<Fact> for FactReport {
    fn from(fact: Fact) -> Self {
        Self { at_us: fact.at.as_micros(), text: fact.text }
    }
}

/// A hash as 16 hexadecimal digits.
pub fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Fault;
    use crate::plan::strike_lines;
    use crate::point::{Message, Op, Point};
    use crate::report::explain::explain;
    use crate::report::sample::{NAMES, Sample, subject};
    use expect_test::expect;
    use onestroke_scenarios::FindingKind;

    #[test]
    fn the_fields_of_a_report_and_their_order_are_fixed() {
        let sample = Sample::new(&[(1, 40)]).crash_between();
        let kind = FindingKind::DoubleEffect;
        let finding = Finding { kind, op: Some(Op(0)), first: 0, second: 0 };
        let message = Message::request(subject(1, 2));
        let strike = Strike { point: Point::travel(message), fault: Fault::Drop };
        let explanation = explain(&sample.trace, &finding, NAMES);
        let found = FindingReport::new(&finding, explanation, strike_lines(&[strike], NAMES));
        let of = Subject {
            scenario: "rainy-night".into(),
            store: "effect-then-key".into(),
            backend: "memory".into(),
        };
        let moments = BTreeMap::from([("request-lost".to_owned(), 1)]);
        let head = (Tool::this("0.1.0"), of, RunSource::Seed(42));
        let report = RunReport::new(head, vec![found], moments, &sample.trace);
        expect![[r#"
            {
              "schema": 1,
              "tool": {
                "name": "onestroke",
                "version": "0.1.0"
              },
              "scenario": "rainy-night",
              "store": "effect-then-key",
              "backend": "memory",
              "seed": 42,
              "verdict": "breach",
              "findings": [
                {
                  "kind": "double-effect",
                  "op": "op-1",
                  "paragraph": "Charge #1 of op-1 (40) was committed at 4 ms by attempt-1; its key was not, because server-1 crashed at 5 ms, before its settle. The client sent attempt-3 at 360 ms, since attempt-2 had no reply in time. Attempt-3 looked for the key at 364 ms, found none, and charged again at 365 ms: client-1 paid 40 twice.",
                  "facts": [
                    {
                      "at_us": 4000,
                      "text": "charge #1 of op-1 (40) was committed at 4 ms by attempt-1"
                    },
                    {
                      "at_us": 5000,
                      "text": "server-1 crashed at 5 ms, before its settle"
                    },
                    {
                      "at_us": 360000,
                      "text": "the client sent attempt-3 at 360 ms, since attempt-2 had no reply in time"
                    },
                    {
                      "at_us": 364000,
                      "text": "attempt-3 looked for the key at 364 ms, found none"
                    },
                    {
                      "at_us": 365000,
                      "text": "charge #2 was committed at 365 ms by attempt-3"
                    }
                  ],
                  "plan": [
                    "drop request of op-1 attempt-2"
                  ]
                }
              ],
              "moments": {
                "request-lost": 1
              },
              "trace_hash": "84db61caf82121cf",
              "events": 35
            }
        "#]].assert_eq(&report.pretty());
        let late = Strike { fault: Fault::Late(Span::from_millis(300)), ..strike };
        let label = Label::AtLeast(Span::from_millis(120));
        let labels = [(strike, Label::Plain), (late, label)];
        let labelled = report.findings[0].clone().labelled(&labels, NAMES);
        expect![[r#"[{"fault":"drop request of op-1 attempt-2","magnitude":"none"},{"fault":"late 300ms request of op-1 attempt-2","magnitude":"at-least","from_us":120000}]"#]]
        .assert_eq(&serde_json::to_string(&labelled.faults).expect("plain keys"));
        let plan = RunSource::Plan(vec!["drop request of op-1 attempt-2".into()]);
        let calm = RunReport { source: plan, findings: vec![], ..report };
        assert!(calm.line().contains(r#""plan":["drop request of op-1 attempt-2"],"verdict""#));
    }
}

//! Level 5. What a suite came to, for CI servers: a JUnit file, and annotations for GitHub.
//!
//! Both are made of one value, and hold no wall time. Imports nothing of this crate.

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};
use std::fmt::Write as _;

/// What a suite came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteReport {
    /// Version and commit of this tool.
    pub version: String,
    /// The scenarios, and last the pinned plans.
    pub groups: Vec<Group>,
    /// Why it did not come to its end, if it did not.
    pub cut_short: Option<String>,
}

/// A scenario, or the pinned plans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its cases, in the order in which they were run.
    pub cases: Vec<Case>,
}

/// One store in a scenario, a moment that must occur, or a pinned plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// The file that says what is expected.
    pub file: String,
    /// The line of it, from 1.
    pub line: usize,
    /// What came of it.
    pub ended: Ended,
}

/// What came of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// As expected; with what was run.
    Fine(String),
    /// Not as expected, at least once.
    Failed(Vec<Failure>),
    /// It was not run, or not to its end; why.
    Skipped(String),
}

/// What is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// In a few words.
    pub title: String,
    /// In a sentence.
    pub message: String,
    /// The plan file that shows it.
    pub plan: Option<String>,
    /// The command that shows it again.
    pub again: Option<String>,
}

impl SuiteReport {
    /// As a JUnit file.
    pub fn junit(&self) -> String {
        let mut report = Report::new("onestroke");
        for group in &self.groups {
            let mut suite = TestSuite::new(group.name.as_str());
            suite.add_property(Property::new("version", self.version.as_str()));
            suite.add_test_cases(group.cases.iter().map(|case| case.junit(&group.name)));
            report.add_test_suite(suite);
        }
        if let Some(why) = &self.cut_short {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(why.as_str()).set_type("cut-short");
            let mut suite = TestSuite::new("onestroke");
            suite.add_property(Property::new("version", self.version.as_str()));
            suite.add_test_case(TestCase::new("the suite comes to its end", status));
            report.add_test_suite(suite);
        }
        report.to_string().expect("a report of plain texts can be written")
    }

    /// As workflow commands of GitHub: one line for each failure.
    pub fn annotations(&self) -> String {
        let mut text = String::new();
        for (group, case) in self.groups.iter().flat_map(Group::with_cases) {
            let Ended::Failed(failures) = &case.ended else { continue };
            for failure in failures {
                let title = format!("{} / {}: {}", group.name, case.name, failure.title);
                let _ = writeln!(
                    text,
                    "::error file={},line={},title={}::{}",
                    property(&case.file),
                    case.line,
                    property(&title),
                    data(&failure.whole())
                );
            }
        }
        if let Some(why) = &self.cut_short {
            let _ = writeln!(text, "::error title=cut short::{}", data(why));
        }
        text
    }
}

impl Group {
    fn with_cases(&self) -> impl Iterator<Item = (&Self, &Case)> {
        self.cases.iter().map(move |case| (self, case))
    }
}

impl Case {
    fn junit(&self, group: &str) -> TestCase {
        let status = match &self.ended {
            Ended::Fine(_) => TestCaseStatus::success(),
            Ended::Skipped(why) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(why.as_str());
                status
            }
            Ended::Failed(failures) => failed(failures),
        };
        let mut case = TestCase::new(self.name.as_str(), status);
        case.set_classname(group);
        case.extra.insert("file".into(), self.file.as_str().into());
        case.extra.insert("line".into(), self.line.to_string().into());
        if let Ended::Fine(run) = &self.ended {
            case.set_system_out(run.as_str());
        }
        case
    }
}

fn failed(failures: &[Failure]) -> TestCaseStatus {
    let join = |part: fn(&Failure) -> String, by: &str| {
        failures.iter().map(part).collect::<Vec<_>>().join(by)
    };
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status
        .set_message(join(|failure| failure.message.clone(), "; "))
        .set_type(join(|failure| failure.title.clone(), ", "))
        .set_description(join(Failure::whole, "\n\n"));
    status
}

impl Failure {
    /// All that is known of it, in lines.
    fn whole(&self) -> String {
        let mut text = self.message.clone();
        if let Some(plan) = &self.plan {
            let _ = write!(text, "\nplan: {plan}");
        }
        if let Some(again) = &self.again {
            let _ = write!(text, "\nsee it again: {again}");
        }
        text
    }
}

/// The message of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value before the `::` of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn case(name: &str, ended: Ended) -> Case {
        Case { name: name.into(), file: "odd, 100%.toml".into(), line: 7, ended }
    }

    fn report(cut_short: Option<&str>) -> SuiteReport {
        let failure = Failure {
            title: "double-effect".into(),
            message: "shows <double-effect>: 100% of it".into(),
            plan: Some("left/a.plan".into()),
            again: Some("sim --plan left/a.plan".into()),
        };
        let silent = Failure {
            title: "silent".into(),
            message: "never occurred".into(),
            plan: None,
            again: None,
        };
        let cases = vec![
            case("no-dedup", Ended::Fine("400 seeds".into())),
            case("check-then-act", Ended::Failed(vec![failure, silent])),
            case("one-transaction", Ended::Skipped("not run".into())),
        ];
        SuiteReport {
            version: "0".into(),
            groups: vec![Group { name: "lost-reply".into(), cases }],
            cut_short: cut_short.map(str::to_owned),
        }
    }

    #[test]
    fn annotations_are_escaped_as_github_says() {
        expect![[r"
            ::error file=odd%2C 100%25.toml,line=7,title=lost-reply / check-then-act%3A double-effect::shows <double-effect>: 100%25 of it%0Aplan: left/a.plan%0Asee it again: sim --plan left/a.plan
            ::error file=odd%2C 100%25.toml,line=7,title=lost-reply / check-then-act%3A silent::never occurred
        "]]
        .assert_eq(&report(None).annotations());
    }

    #[test]
    fn a_reader_of_junit_finds_all_again() {
        let text = report(None).junit();
        let read = Report::deserialize_from_str(&text).expect("it is a JUnit file");
        assert_eq!((read.tests, read.failures, read.errors), (3, 1, 0));
        let suite = &read.test_suites[0];
        assert_eq!((suite.name.as_str(), suite.disabled), ("lost-reply", 1));
        let TestCaseStatus::NonSuccess { message, ty, description, .. } =
            &suite.test_cases[1].status
        else {
            panic!("it failed: {text}")
        };
        let said = |text: &Option<quick_junit::XmlString>| {
            text.as_ref().map(|text| text.as_str().to_owned()).unwrap_or_default()
        };
        assert_eq!(said(message), "shows <double-effect>: 100% of it; never occurred");
        assert_eq!(said(ty), "double-effect, silent");
        assert_eq!(
            said(description),
            "shows <double-effect>: 100% of it\nplan: left/a.plan\nsee it again: sim --plan \
             left/a.plan\n\nnever occurred"
        );
        assert_eq!(suite.test_cases[1].extra["line"].as_str(), "7");
        assert!(!text.contains("time"), "no wall times: {text}");
    }

    #[test]
    fn a_suite_that_is_cut_short_is_not_green() {
        let report = report(Some("interrupted"));
        let read = Report::deserialize_from_str(&report.junit()).expect("it is a JUnit file");
        assert_eq!((read.tests, read.failures, read.errors), (4, 1, 1));
        assert!(report.annotations().ends_with("::error title=cut short::interrupted\n"));
    }
}

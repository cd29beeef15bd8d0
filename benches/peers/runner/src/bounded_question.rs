//! The bounded question M1: asked of stateright and of ours in turn, once every round.

use crate::program::{Program, Workspace};
use anyhow::Result;
use bounded::{Outcome, Report};
use std::collections::BTreeSet;

/// One way to answer it.
#[derive(Debug)]
pub(crate) struct Way {
    pub(crate) name: &'static str,
    program: Program,
    arguments: &'static [&'static str],
    /// What it explores.
    pub(crate) explores: &'static str,
    /// How many times ours it should take. Zero: nothing is asked.
    pub(crate) target: u32,
}

/// Ours first: with the least number of faults at which it comes to all that the actors come to.
const WAYS: &[Way] = &[
    Way {
        name: "onestroke, 2 faults",
        program: Program { package: "bounded", name: "bounded-onestroke", rustflags: None },
        arguments: &["--faults", "2"],
        explores: "runs",
        target: 0,
    },
    Way {
        name: "onestroke, 3 faults",
        program: Program { package: "bounded", name: "bounded-onestroke", rustflags: None },
        arguments: &["--faults", "3"],
        explores: "runs",
        target: 0,
    },
    Way {
        name: "stateright actors",
        program: Program { package: "bounded", name: "bounded-stateright", rustflags: None },
        arguments: &[],
        explores: "states",
        target: 10,
    },
    Way {
        name: "stateright actors, a loss is a long delay",
        program: Program { package: "bounded", name: "bounded-stateright", rustflags: None },
        arguments: &["--lossless"],
        explores: "states",
        target: 0,
    },
];

/// All that was asked one way.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) way: &'static Way,
    pub(crate) rounds: Vec<Report>,
    /// How the operations can end: with a server that looks the key up, and with one that does not.
    pub(crate) outcomes: [BTreeSet<Outcome>; 2],
    /// Whether it says that the server which does not look is wrong.
    pub(crate) sees_the_bug: bool,
}

/// Builds both programs, which are in one package.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    workspace.build(&WAYS[0].program)
}

/// Asks each way for the outcomes, and then round after round for the answer alone.
pub(crate) fn ask(workspace: &Workspace, rounds: u32) -> Result<Vec<Answered>> {
    let mut all = Vec::new();
    for way in WAYS {
        let ask = |more: &[&str]| -> Result<Report> {
            workspace.run(&way.program, &[way.arguments, more].concat())
        };
        let outcomes = [ask(&["--outcomes"])?, ask(&["--outcomes", "--bug"])?];
        let outcomes = outcomes.map(|report| report.answer.outcomes);
        let sees_the_bug = ask(&["--bug"])?.answer.violated;
        all.push(Answered { way, rounds: vec![], outcomes, sees_the_bug });
    }
    for round in 0..rounds {
        eprintln!("the bounded question, round {} of {rounds}", round + 1);
        for answered in &mut all {
            let way = answered.way;
            answered.rounds.push(workspace.run(&way.program, way.arguments)?);
        }
    }
    Ok(all)
}

/// All that is wrong, in words.
pub(crate) fn problems(all: &[Answered]) -> Vec<String> {
    let mut problems = Vec::new();
    for one in all {
        let name = one.way.name;
        if one.rounds.iter().any(|round| round.answer.violated) {
            problems.push(format!("{name} calls the server wrong that looks keys up"));
        }
        if !one.sees_the_bug {
            problems.push(format!("{name} does not see that a server looks no key up"));
        }
        if one.outcomes != all[0].outcomes {
            problems.push(format!("{name} comes to other outcomes than {}", all[0].way.name));
        }
        if one.outcomes.iter().any(BTreeSet::is_empty) {
            problems.push(format!("{name} comes to no outcome"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use bounded::{Answer, End};

    fn answered(way: &'static Way) -> Answered {
        let answer = Answer { violated: false, explored: 7, outcomes: BTreeSet::new() };
        let report = Report { answer, cpu_ns: 1, wall_ns: 1, resident_kib: 1 };
        let once = BTreeSet::from([vec![End { effects: 1, acknowledged: true }]]);
        let twice = BTreeSet::from([vec![End { effects: 2, acknowledged: true }]]);
        Answered { way, rounds: vec![report], outcomes: [once, twice], sees_the_bug: true }
    }

    #[test]
    fn equal_answers_are_fair_and_others_are_named() {
        assert_eq!(problems(&[answered(&WAYS[0]), answered(&WAYS[2])]), [""; 0]);
        let mut other = answered(&WAYS[2]);
        other.rounds[0].answer.violated = true;
        other.sees_the_bug = false;
        other.outcomes[0].clear();
        let expected = [
            "stateright actors calls the server wrong that looks keys up",
            "stateright actors does not see that a server looks no key up",
            "stateright actors comes to other outcomes than onestroke, 2 faults",
            "stateright actors comes to no outcome",
        ];
        assert_eq!(problems(&[answered(&WAYS[0]), other]), expected);
    }
}

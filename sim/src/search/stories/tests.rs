//! Which plans tell the same story, and that threads do not matter.

use super::*;
use crate::check::Finding;
use crate::plan::Plan;
use crate::run::Backend;
use onestroke_store::Table;
use onestroke_store::effects::EFFECTS;
use onestroke_store::record::RECORDS;
use std::sync::Arc;

const TABLES: [&Table; 2] = [&RECORDS, &EFFECTS];

/// The normal form of a plan with these faults, whose finding is about the operation.
fn normal(op: u32, lines: &str) -> Normal {
    let head = "onestroke plan 1\nscenario rainy-night\nstore no-dedup\nbackend memory\n\
                expect double-effect\n";
    let names = crate::point::Names { tables: &TABLES };
    let plan = Plan::read(&format!("{head}\n{lines}"), "a test", names);
    let plan = plan.unwrap_or_else(|bad| panic!("{bad}"));
    let kind = FindingKind::DoubleEffect;
    let finding = Finding { kind, op: Some(Op(op - 1)), first: 0, second: 0 };
    Normal::of(&Found { finding, plan, struck: 0, hash: 0, labels: vec![], minimal: true })
}

#[test]
fn a_story_does_not_depend_on_what_a_seed_happens_to_draw() {
    let alike = [
        ((4, "drop reply of op-4 attempt-1"), (1, "drop reply of op-1 attempt-2")),
        (
            (1, "pause 600ms in op-2 attempt-1 before commit"),
            (4, "pause 20ms in op-1 attempt-3 before commit"),
        ),
        (
            (2, "crash in op-2 attempt-1 after commit, locks linger"),
            (3, "crash in op-3 attempt-1 after commit"),
        ),
        (
            (2, "hold op-2 attempt-1 before apply until op-2 attempt-2 after commit"),
            (1, "hold op-1 attempt-1 before apply until 3 questions of others"),
        ),
        ((1, "sweep before op-1 attempt-2"), (2, "sweep before op-2 attempt-3")),
    ];
    for ((op, plan), (other, second)) in alike {
        assert_eq!(normal(op, plan), normal(other, second), "{plan} / {second}");
    }
}

#[test]
fn other_faults_sides_questions_and_victims_are_other_stories() {
    let all = [
        (1, "drop reply of op-1 attempt-1"),
        (1, "drop request of op-1 attempt-1"),
        (1, "crash in op-1 attempt-1 before commit"),
        (1, "crash in op-1 attempt-1 before commit, in flight"),
        (1, "crash in op-1 attempt-1 after commit"),
        (1, "crash in op-1 attempt-1 after apply"),
        (1, "drop reply of op-1 attempt-1\ndrop reply of op-1 attempt-2"),
        (1, "drop reply of op-1 attempt-1\ndrop reply of op-2 attempt-1"),
        (2, "drop reply of op-1 attempt-1\ncrash in op-2 attempt-1 after apply"),
        (1, "drop reply of op-1 attempt-1\ncrash in op-2 attempt-1 after apply"),
        (1, ""),
    ];
    for (at, (op, plan)) in all.iter().enumerate() {
        for (other, second) in &all[..at] {
            assert_ne!(normal(*op, plan), normal(*other, second), "{plan} / {second}");
        }
    }
}

#[test]
fn whichever_operation_has_the_lower_number_the_story_is_the_same() {
    let (crash, pause) =
        ("crash in op-2 attempt-1 after apply", "pause 20ms in op-3 attempt-1 before commit");
    let mirrored =
        "crash in op-3 attempt-1 after apply\npause 20ms in op-2 attempt-1 before commit";
    assert_eq!(normal(1, &format!("{crash}\n{pause}")), normal(1, mirrored));
    assert_eq!(normal(2, &format!("{crash}\n{pause}")), normal(3, mirrored));
}

#[test]
fn seeds_are_grouped_the_same_by_one_thread_and_by_three() {
    let scenario = Arc::new(onestroke_scenarios::find("rainy-night").expect("it is there"));
    let mut stores = onestroke_store::stores::catalogue().into_iter();
    let store = stores.find(|store| store.name == "seen-means-done").expect("it is there");
    let setup = Setup { scenario, store, backend: Backend::Memory };
    let kind = FindingKind::LostEffect;
    let mut runner = Runner::new(&setup);
    let shows = |seed: &u64| runner.seed(*seed).findings.iter().any(|one| one.kind == kind);
    let seeds: Vec<u64> = (0..200).filter(shows).take(20).collect();
    assert_eq!(seeds.len(), 20, "the store is caught often");
    let told = |threads| {
        let stories = stories(&setup, kind, &seeds, threads).unwrap_or_else(|bad| panic!("{bad}"));
        assert_eq!(stories.shrunk, 20);
        let all = stories.all.into_iter();
        all.map(|story| (story.seed, story.seeds, story.found.plan)).collect::<Vec<_>>()
    };
    let one = told(1);
    assert_eq!(one, told(3));
    assert_eq!(one.iter().map(|(_, seeds, _)| seeds).sum::<u64>(), 20);
    assert!((2..20).contains(&one.len()), "{} stories", one.len());
    assert!(one.iter().all(|story| one[0].2.strikes.len() <= story.2.strikes.len()));
}

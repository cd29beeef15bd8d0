//! W1, measured: all systems in turn, round after round, so that a slow spell of the machine meets all.

use crate::Length;
use crate::program::Workspace;
use crate::systems::{LIMIT, SYSTEMS, System};
use anyhow::Result;
use spec::program::Report;

/// All that was run of one system.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) system: &'static System,
    /// One each round, on one thread.
    pub(crate) rounds: Vec<Report>,
    /// One each round, on two threads; none where it was not asked for.
    pub(crate) two_threads: Vec<Report>,
    /// With the planted bug.
    pub(crate) bug: Report,
}

/// All systems, in the order of [`SYSTEMS`].
#[derive(Debug)]
pub(crate) struct All(pub(crate) Vec<Measured>);

/// How many seeds are enough to see the planted bug.
const BUG_SEEDS: u64 = 20;

/// Builds all of them.
pub(crate) fn build(workspace: &Workspace) -> Result<()> {
    let mut built = vec![];
    for System { program, .. } in SYSTEMS {
        if !built.contains(program) {
            workspace.build(program)?;
            built.push(*program);
        }
    }
    Ok(())
}

/// Runs every system with the bug, and then all rounds.
pub(crate) fn measure(workspace: &Workspace, length: Length, rounds: u32) -> Result<All> {
    let mut all = Vec::new();
    for system in SYSTEMS {
        let bug = run(workspace, system, BUG_SEEDS, &["--bug"])?;
        all.push(Measured { system, rounds: vec![], two_threads: vec![], bug });
    }
    for round in 0..rounds {
        eprintln!("W1, round {} of {rounds}", round + 1);
        for measured in &mut all {
            measured.measure(workspace, length)?;
        }
    }
    Ok(All(all))
}

fn run(workspace: &Workspace, system: &System, seeds: u64, more: &[&str]) -> Result<Report> {
    let seeds = seeds.to_string();
    workspace.run(&system.program, &[&["--seeds", &seeds], system.arguments, more].concat())
}

impl Measured {
    fn measure(&mut self, workspace: &Workspace, length: Length) -> Result<()> {
        let seeds = self.system.seeds_of(length);
        self.rounds.push(run(workspace, self.system, seeds, &[])?);
        if self.system.two_threads {
            // Twice the seeds, so that each thread has as many as the one had.
            let two = run(workspace, self.system, 2 * seeds, &["--threads", "2"])?;
            self.two_threads.push(two);
        }
        Ok(())
    }

    /// Over all rounds.
    pub(crate) fn events_a_seed(&self) -> f64 {
        let sum = |of: fn(&Report) -> u64| self.rounds.iter().map(of).sum::<u64>() as f64;
        sum(|round| round.total.events) / sum(|round| round.seeds)
    }

    /// CPU time of an event in each round, in nanoseconds.
    pub(crate) fn ns_an_event(&self) -> Vec<f64> {
        let ns = |round: &Report| round.cpu_ns as f64 / round.total.events as f64;
        self.rounds.iter().map(ns).collect()
    }

    /// How much more is done in a second of the wall clock on two threads, in each round.
    pub(crate) fn two_against_one(&self) -> Vec<f64> {
        self.each_two_against_one(|report| report.seeds as f64 / report.wall_ns as f64)
    }

    /// How much more CPU time a seed takes on two threads, in each round.
    pub(crate) fn cpu_two_against_one(&self) -> Vec<f64> {
        self.each_two_against_one(|report| report.cpu_ns as f64 / report.seeds as f64)
    }

    fn each_two_against_one(&self, figure: fn(&Report) -> f64) -> Vec<f64> {
        let pairs = self.rounds.iter().zip(&self.two_threads);
        pairs.map(|(one, two)| figure(two) / figure(one)).collect()
    }
}

impl All {
    /// The system that the others are compared with.
    pub(crate) fn ours(&self) -> &Measured {
        &self.0[0]
    }

    /// The system whose events a seed are those of the workload.
    pub(crate) fn limit(&self) -> &Measured {
        let found = self.0.iter().find(|one| one.system.program == LIMIT);
        found.expect("the limit is a system")
    }
}

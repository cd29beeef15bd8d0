//! Level 6. `sim suite` for CI servers: the JUnit file, the annotations, and the plans that are left
//! behind for whoever looks into it.

use super::args::{Format, Suite, VERSION};
use super::bad::Bad;
use super::campaign::{Cell, Ran};
use super::hunt::{grouped, plan_name};
use super::replay::{Replayed, scenario_path};
use super::screen::{Screen, program};
use super::story::quoted;
use super::suite::{Absent, Breach, Place, Read, breaches};
use crate::plan::Header;
use crate::report::ci::{Case, Ended, Failure, Group, SuiteReport};
use crate::run::Runner;
use crate::search::stories::stories;
use onestroke_scenarios::{FindingKind, Moment};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A suite whose outcome somebody else reads.
pub(super) struct Ci<'a> {
    suite: &'a Suite,
    threads: usize,
    /// The names of the plans that were left so far.
    left: BTreeSet<String>,
}

/// What was run.
pub(super) struct Done<'a> {
    pub ran: &'a Ran,
    /// What was read, with the lines to point at.
    pub read: &'a [Read],
    /// The pinned plans: file, text, and what came of it.
    pub pins: &'a [(String, String, Replayed)],
    /// What names a store that this program does not have.
    pub absent: &'a [Absent],
    /// How many seeds each cell was to have.
    pub seeds: u64,
}

impl<'a> Ci<'a> {
    /// Before anything is run: what cannot be written is said now. Until the suite has come to its
    /// end the JUnit file says that it has not.
    pub(super) fn begin(suite: &'a Suite, threads: usize) -> Result<Self, Bad> {
        if let Some(folder) = &suite.save_plans {
            std::fs::create_dir_all(folder).map_err(Bad::file(folder))?;
        }
        let cut_short = Some("the suite did not come to its end".to_owned());
        let ci = Self { suite, threads, left: BTreeSet::new() };
        ci.write(&SuiteReport { version: VERSION.to_owned(), groups: vec![], cut_short })?;
        Ok(ci)
    }

    /// After all was run: leaves the plans, writes the JUnit file, and prints the annotations.
    pub(super) fn end(mut self, done: &Done<'_>, screen: &Screen) -> Result<(), Bad> {
        let Suite { junit, github, save_plans, .. } = self.suite;
        if junit.is_none() && !github && save_plans.is_none() {
            return Ok(());
        }
        let report = self.report(done)?;
        self.write(&report)?;
        match screen.format {
            _ if !github => {}
            Format::Human => screen.print(&report.annotations()),
            // There stdout is one document, and GitHub reads both.
            _ => screen.hint(&report.annotations()),
        }
        Ok(())
    }

    fn write(&self, report: &SuiteReport) -> Result<(), Bad> {
        let Some(file) = &self.suite.junit else { return Ok(()) };
        std::fs::write(file, report.junit()).map_err(Bad::file(file))
    }

    fn report(&mut self, done: &Done<'_>) -> Result<SuiteReport, Bad> {
        let breaches = breaches(done.ran);
        let mut groups = Vec::new();
        for read in done.read {
            groups.push(self.scenario(read, done, &breaches)?);
        }
        let mut cases = Vec::new();
        for pin in done.pins {
            cases.push(self.pin(pin)?);
        }
        cases.extend(done.absent.iter().filter(|one| one.pinned).map(not_here));
        if !cases.is_empty() {
            groups.push(Group { name: "pinned plans".to_owned(), cases });
        }
        let cells = done.ran.cells.len();
        let cut_short = done
            .ran
            .interrupted
            .then(|| format!("interrupted in cell {cells}: what comes after it was not run"));
        Ok(SuiteReport { version: VERSION.to_owned(), groups, cut_short })
    }

    fn scenario(
        &mut self,
        read: &Read,
        done: &Done<'_>,
        breaches: &[Breach<'_>],
    ) -> Result<Group, Bad> {
        let name = &read.scenario.name;
        let here: Vec<_> =
            breaches.iter().filter(|one| one.cell.setup.scenario.name == *name).collect();
        let of = |place: Place| here.iter().filter(move |one| one.place == place);
        let mut cases = Vec::new();
        let case = |name: &str, line, ended| Case {
            name: name.to_owned(),
            file: read.file.clone(),
            line,
            ended,
        };
        for breach in of(Place::Scenario) {
            let failure = failure("no expectations", breach);
            let line = read.places.of_expectations();
            cases.push(case("expectations", line, Ended::Failed(vec![failure])));
        }
        for cell in done.ran.cells.iter().filter(|cell| cell.setup.scenario.name == *name) {
            let store = cell.setup.store.name;
            let mut failures = Vec::new();
            for breach in of(Place::Store(store)) {
                failures.push(self.of_store(breach)?);
            }
            let ended = ended(failures, cell, done.seeds);
            cases.push(case(store, read.places.of_store(store), ended));
        }
        for one in done.absent.iter().filter(|one| one.file == read.file && !one.pinned) {
            cases.push(not_here(one));
        }
        for (_, moment, runs) in done.ran.moments().iter().filter(|one| one.0.name == *name) {
            let silent = of(Place::Moment(*moment)).map(|one| failure("never occurred", one));
            let silent: Vec<Failure> = silent.collect();
            let fine = || Ended::Fine(format!("it occurred in {} runs", grouped(*runs)));
            let ended = if silent.is_empty() { fine() } else { Ended::Failed(silent) };
            cases.push(case(&moment_name(*moment), read.places.of_moment(*moment), ended));
        }
        Ok(Group { name: name.clone(), cases })
    }

    /// A store that is not as expected; what it shows and should not, it leaves as a plan.
    fn of_store(&mut self, breach: &Breach<'_>) -> Result<Failure, Bad> {
        let Some(kind) = breach.shown else { return Ok(failure("never showed", breach)) };
        let mut failure = failure(kind.name(), breach);
        let cell = breach.cell;
        let tally = &cell.campaign.found[&kind];
        let Some(folder) = &self.suite.save_plans else {
            failure.again = Some(seen_by_seed(cell, tally.first));
            return Ok(failure);
        };
        let told = stories(&cell.setup, kind, &tally.lowest, self.threads)?;
        let found = &told.shortest().found;
        let text = found.plan.write(Runner::new(&cell.setup).names());
        let name = plan_name(found);
        self.leave((folder, &name), &text, &mut failure)?;
        Ok(failure)
    }

    fn pin(&mut self, (file, text, pin): &(String, String, Replayed)) -> Result<Case, Bad> {
        let prefix = format!("{file}:");
        let line = |complaint: &String| {
            let after = complaint.strip_prefix(&prefix)?;
            after.split(':').next()?.parse().ok()
        };
        let lines: Vec<usize> = pin.complaints.iter().filter_map(line).collect();
        let mut failures = Vec::new();
        for complaint in &pin.complaints {
            let message = complaint.clone();
            let title = "not as it says".to_owned();
            failures.push(Failure { title, message, plan: None, again: None });
        }
        if let (Some(first), Some(folder)) = (failures.first_mut(), &self.suite.save_plans) {
            let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
            self.leave((folder, &name), &moved(text, file)?, first)?;
        }
        let fine = || {
            let shown = pin.plan.expect.map_or("nothing", FindingKind::name);
            Ended::Fine(format!("it shows {shown}"))
        };
        let ended = if failures.is_empty() { fine() } else { Ended::Failed(failures) };
        let line = lines.first().copied().unwrap_or(1);
        Ok(Case { name: file.clone(), file: file.clone(), line, ended })
    }

    /// Writes a plan, under a name that no other one has.
    fn leave(
        &mut self,
        (folder, name): (&PathBuf, &str),
        text: &str,
        failure: &mut Failure,
    ) -> Result<(), Bad> {
        let stem = name.strip_suffix(".plan").unwrap_or(name);
        let numbered = (2..).map(|number| format!("{stem}--{number}.plan"));
        let mut names = std::iter::once(format!("{stem}.plan")).chain(numbered);
        let name = names.find(|name| !self.left.contains(name)).expect("numbers do not end");
        let path = folder.join(&name);
        self.left.insert(name);
        std::fs::write(&path, text).map_err(Bad::file(&path))?;
        let path = path.display().to_string();
        failure.again = Some(format!("{} --plan {}", program(), quoted(&path)));
        failure.plan = Some(path);
        Ok(())
    }
}

/// A store that a scenario or a pinned plan names, and that was not run.
fn not_here(absent: &Absent) -> Case {
    let Absent { file, line, store, pinned } = absent;
    let name = if *pinned { file } else { store };
    let why = format!("this program does not have the store `{store}`");
    Case { name: name.clone(), file: file.clone(), line: *line, ended: Ended::Skipped(why) }
}

/// What came of a store in a scenario.
fn ended(failures: Vec<Failure>, cell: &Cell, seeds: u64) -> Ended {
    let run = cell.campaign.seeds;
    if !failures.is_empty() {
        return Ended::Failed(failures);
    }
    if run < seeds {
        return Ended::Skipped(format!("interrupted after {run} of {seeds} seeds"));
    }
    let shown = cell.campaign.found.iter();
    let shown: Vec<String> =
        shown.map(|(kind, tally)| format!("{} in {}", kind.name(), grouped(tally.seeds))).collect();
    let shown = if shown.is_empty() { "nothing".to_owned() } else { shown.join(", ") };
    Ended::Fine(format!("{} seeds, as expected: {shown}", grouped(run)))
}

fn failure(title: &str, breach: &Breach<'_>) -> Failure {
    Failure { title: title.to_owned(), message: breach.text(), plan: None, again: None }
}

fn moment_name(moment: Moment) -> String {
    format!("moment {}", moment.name())
}

fn seen_by_seed(cell: &Cell, seed: u64) -> String {
    let (scenario, store) = (quoted(&cell.setup.scenario.name), cell.setup.store.name);
    format!("{} --seed {seed} --scenario {scenario} --store {store}", program())
}

/// A plan's text, to lie in another folder: its scenario's file is named by a path that is right
/// from here.
fn moved(text: &str, file: &str) -> Result<String, Bad> {
    let header = Header::read(text, file)?;
    let path = scenario_path(&header.scenario, file);
    let at = header.line("scenario");
    let line = |(number, line): (usize, &str)| {
        let is_it = number + 1 == at && path != header.scenario;
        if is_it { format!("scenario  {path}\n") } else { format!("{line}\n") }
    };
    Ok(text.lines().enumerate().map(line).collect())
}

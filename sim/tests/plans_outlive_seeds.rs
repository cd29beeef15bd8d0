//! P2: a finding outlives its seed. A plan names faults by what they hit, so it shows its finding
//! after the seed's key, the weights or unrelated code have changed.

mod common;
#[path = "plans_outlive_seeds/with_reads.rs"]
mod with_reads;

use common::{Caught, caught, kinds};
use onestroke_scenarios::{Fault, Rate, Scenario, Sites, Weather, catalogue};
use onestroke_sim::choice::Source;
use onestroke_sim::plan::Plan;
use onestroke_sim::run::{Backend, Keep, Runner, Setup};
use onestroke_store::Span;
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

static CAUGHT: LazyLock<Vec<Caught>> = LazyLock::new(|| caught(Backend::Memory));

/// Another key function.
const SALT: u64 = 0x05EE_D0FA_D1FF_E4E7;

/// What a plan's text shows under this setup: the hash if the finding is there, or what is wrong.
fn shown(caught: &Caught, setup: &Setup) -> Result<u64, String> {
    let text = caught.text();
    let mut runner = Runner::new(setup);
    let plan = Plan::read(&text, "bug.plan", runner.names()).map_err(|bad| bad.to_string())?;
    let outcome = runner.replay(&plan, Keep::default()).clone();
    let unreached = plan_lines(&runner.unreached(), &runner);
    if kinds(&outcome).contains(&caught.found.finding.kind) && unreached.is_empty() {
        return Ok(outcome.hash);
    }
    let shows = kinds(&outcome);
    Err(format!("{}: shows {shows:?}; not reached: {unreached:?}\n{text}", caught.place()))
}

fn plan_lines(strikes: &[onestroke_sim::choice::Strike], runner: &Runner) -> Vec<String> {
    onestroke_sim::plan::strike_lines(strikes, runner.names())
}

#[test]
fn there_are_plans_of_every_faulty_store_and_of_most_kinds() {
    let of = |name: fn(&Caught) -> &str| CAUGHT.iter().map(name).collect::<BTreeSet<_>>();
    let stores = of(|caught| caught.setup.store.name);
    let kinds = of(|caught| caught.found.finding.kind.name());
    let recordings = CAUGHT.iter().filter(|one| one.found.plan.workload.is_some()).count();
    let places: Vec<String> = CAUGHT.iter().map(Caught::place).collect();
    println!("{} plans, {recordings} with variations:\n{}", places.len(), places.join("\n"));
    for caught in CAUGHT.iter().filter(|one| one.found.plan.workload.is_some()) {
        println!("{}\n{}", caught.place(), caught.text());
    }
    assert!(CAUGHT.len() >= 60, "only {} plans", CAUGHT.len());
    let faulty = catalogue().into_iter().flat_map(|scenario| scenario.expect);
    let faulty: BTreeSet<String> =
        faulty.filter(|(_, kinds)| !kinds.is_empty()).map(|(store, _)| store).collect();
    let without: Vec<_> = faulty.iter().filter(|store| !stores.contains(store.as_str())).collect();
    assert!(without.is_empty(), "no plan of {without:?}");
    assert!(kinds.len() >= 10, "{kinds:?}");
}

#[test]
fn a_plan_does_not_depend_on_the_key_of_its_seed_and_the_seed_does() {
    for caught in CAUGHT.iter() {
        let mut runner = Runner::new(&caught.setup);
        let hash = runner.seed(caught.seed).hash;
        let salted = Source::Seeded { seed: caught.seed, salt: SALT };
        let other = runner.run(salted, Keep::default()).hash;
        assert_ne!(hash, other, "{}: the key does not matter to the seed", caught.place());
        let after = runner.replay(&caught.found.plan, Keep::default()).hash;
        assert_eq!(after, caught.found.hash, "{}", caught.place());
        assert_eq!(shown(caught, &caught.setup), Ok(caught.found.hash));
    }
}

#[test]
fn a_plan_survives_other_weights() {
    let mut changed = 0;
    for caught in CAUGHT.iter() {
        let scenario = &*caught.setup.scenario;
        let weather = other_weights(&scenario.weather);
        let scenario = Arc::new(Scenario { weather, ..scenario.clone() });
        let setup = Setup { scenario, ..caught.setup.clone() };
        let seeds = [&caught.setup, &setup].map(|setup| Runner::new(setup).seed(caught.seed).hash);
        changed += usize::from(seeds[0] != seeds[1]);
        assert_eq!(shown(caught, &setup), Ok(caught.found.hash));
    }
    let all = CAUGHT.len();
    println!("of {all} seeds, {changed} have another trace under the other weights");
    assert!(changed * 10 > all * 9, "the weights changed only {changed} of {all} seeds");
}

#[test]
fn a_plan_survives_unrelated_code() {
    let variants = with_reads::stores();
    let mut lost = Vec::new();
    let mut survived = 0;
    for caught in CAUGHT.iter() {
        let same = |store: &&onestroke_store::Entry| store.name == caught.setup.store.name;
        let Some(store) = variants.iter().find(same).cloned() else { continue };
        match shown(caught, &Setup { store, ..caught.setup.clone() }) {
            Ok(hash) => {
                assert_ne!(hash, caught.found.hash, "{}: no read was added", caught.place());
                survived += 1;
            }
            Err(bad) => lost.push(bad),
        }
    }
    println!("{survived} plans survive");
    assert!(lost.is_empty(), "{} of {survived} do not:\n{}", lost.len(), lost.join("\n"));
    assert!(survived >= 12, "only {survived} plans");
}

/// Every weight is another one; spans stay, because a plan's faults last as long as they say.
fn other_weights(weather: &Weather) -> Weather {
    let rate = |rate: Rate| Rate::from_ppm(rate.ppm() / 3 + 70_001);
    let fault = |fault: Fault| Fault { rate: rate(fault.rate), at: Sites::EVERYWHERE };
    let spans = |spans: &[Span]| match spans {
        [] => vec![Span::from_millis(40)],
        some => some.to_vec(),
    };
    Weather {
        swarm: !weather.swarm,
        most_faults: weather.most_faults + 5,
        drop_request: rate(weather.drop_request),
        drop_reply: rate(weather.drop_reply),
        duplicate_request: rate(weather.duplicate_request),
        duplicate_reply: rate(weather.duplicate_reply),
        late_request: rate(weather.late_request),
        late_reply: rate(weather.late_reply),
        late_duplicate: rate(weather.late_duplicate),
        late: spans(&weather.late),
        partition: rate(weather.partition),
        crash: fault(weather.crash),
        in_flight: rate(weather.in_flight),
        linger: rate(weather.linger),
        cancel: fault(weather.cancel),
        pause: fault(weather.pause),
        pause_for: spans(&weather.pause_for),
        hold: fault(weather.hold),
        sweep: rate(weather.sweep),
        ..weather.clone()
    }
}

//! How the cost of an event grows: with operations, clients, servers, records in the table, and seeds.
//!
//! `cargo run --release -p onestroke-benches --example scaling [FILE.svg]` measures each axis in turn,
//! some rounds over, and prints the median against the smallest size of the axis: a ratio near one is
//! linear in all. Wall time is what it measures; nothing else here may read a clock.

use onestroke_scenarios::{Order, Scenario, find};
use onestroke_sim::run::{Backend, Runner, Setup};
use onestroke_store::memory::{Memory, Profile};
use onestroke_store::record::{
    CREATED_AT, EXPIRES_AT, FINGERPRINT, KEY, OPERATION, RECORDS, TENANT,
};
use onestroke_store::stores::catalogue;
use onestroke_store::{
    Action, DbAnswer, Digest, Engine, Isolation, OnConflict, Origin, Outcome, Row, Session,
    Statement, Time, Verb, Wait,
};
use plotters::prelude::*;
use std::time::Duration;

/// Each figure is the median of so many rounds.
const ROUNDS: usize = 5;

/// One axis: its name, what is measured, and nanoseconds by size.
struct Axis {
    name: &'static str,
    of: &'static str,
    points: Vec<(u32, f64)>,
}

fn main() {
    let axes = [
        // First, so that what is resident is its own.
        seeds(),
        operations(),
        crowd("clients, postgres", Backend::Memory, &[10, 100, 1_000, 10_000]),
        crowd("clients, one writer", Backend::MemorySqlite, &[10, 30, 100, 300, 1_000]),
        servers(),
        claims(),
        sweeps(),
    ];
    for axis in &axes {
        let first = axis.points[0].1;
        println!("\n{}: ns {}", axis.name, axis.of);
        for (size, nanos) in &axis.points {
            println!("{size:>10}  {nanos:>9.1}  x{:.2}", nanos / first);
        }
    }
    if let Some(kib) = in_status("VmHWM:") {
        println!("\nmost memory that was ever resident: {} MiB", kib / 1_024);
    }
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(&path, svg(&axes)).unwrap_or_else(|bad| panic!("{path}: {bad}"));
    }
}

fn setup(scenario: Scenario, backend: Backend) -> Setup {
    let store = catalogue().into_iter().find(|store| store.name == "one-transaction");
    Setup { scenario: scenario.into(), store: store.expect("it is there"), backend }
}

fn rush() -> Scenario {
    find("checkout-rush").expect("it is in the catalogue")
}

/// Nanoseconds of one call.
#[expect(clippy::disallowed_methods, reason = "wall time is what this program measures")]
fn timed(work: impl FnOnce()) -> f64 {
    let began = std::time::Instant::now();
    work();
    nanos(began.elapsed())
}

#[expect(clippy::cast_precision_loss, reason = "a measurement has no more digits")]
fn nanos(elapsed: Duration) -> f64 {
    elapsed.as_nanos() as f64
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_unstable_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Nanoseconds an event of some seeds of this setup, once the runner has its room.
#[expect(clippy::cast_precision_loss, reason = "a measurement has no more digits")]
fn per_event(setup: &Setup, seeds: u64) -> f64 {
    let mut runner = Runner::new(setup);
    let mut round = || {
        let mut events = 0;
        let nanos = timed(|| events = (0..seeds).map(|seed| runner.seed(seed).events).sum());
        nanos / events.max(1) as f64
    };
    round();
    median((0..ROUNDS).map(|_| round()).collect())
}

/// Four clients with more and more operations, one after the other.
fn operations() -> Axis {
    let of = |each: u16| {
        let mut scenario = rush();
        let workload = &mut scenario.workload;
        (workload.clients, workload.operations, workload.order) = (4, each, Order::Sequential);
        let seeds = (4_000 / u64::from(each)).max(2);
        (u32::from(each), per_event(&setup(scenario, Backend::Memory), seeds))
    };
    let points = [4, 16, 64, 256, 1_000].map(of).to_vec();
    Axis { name: "operations of each of 4 clients", of: "an event", points }
}

fn crowd(name: &'static str, backend: Backend, sizes: &[u16]) -> Axis {
    let of = |clients: &u16| {
        let scenario = rush().crowded(*clients).unwrap_or_else(|bad| panic!("{bad}"));
        let seeds = (2_000 / u64::from(*clients)).max(1);
        (u32::from(*clients), per_event(&setup(scenario, backend), seeds))
    };
    Axis { name, of: "an event", points: sizes.iter().map(of).collect() }
}

fn servers() -> Axis {
    let of = |servers: u8| {
        let mut scenario = rush();
        scenario.topology.servers = servers;
        (u32::from(servers), per_event(&setup(scenario, Backend::Memory), 1_000))
    };
    Axis { name: "servers", of: "an event", points: [1, 2, 4, 8, 16].map(of).to_vec() }
}

/// The same runner, seed after seed, up to ten million: no memory of those before.
fn seeds() -> Axis {
    let scenario = find("same-instant").expect("it is in the catalogue");
    let mut runner = Runner::new(&setup(scenario, Backend::Memory));
    let mut next = 0;
    let mut until = |last: u32| {
        let mut events = 0;
        let nanos = timed(|| {
            while next < last {
                events += runner.seed(u64::from(next)).events;
                next += 1;
            }
        });
        #[expect(clippy::cast_precision_loss, reason = "a measurement has no more digits")]
        let each = nanos / events.max(1) as f64;
        let memory = in_status("VmRSS:").map_or_else(String::new, |kib| format!(", {kib} KiB"));
        eprintln!("{last} seeds with one runner{memory} resident");
        (last, each)
    };
    let points = [1_000, 10_000, 100_000, 1_000_000, 10_000_000].map(&mut until).to_vec();
    Axis { name: "seeds with one runner", of: "an event", points }
}

/// The table's sizes.
const RECORDS_IN_TABLE: [u32; 5] = [100, 1_000, 10_000, 100_000, 1_000_000];

/// Claim a key in a transaction and commit, with so many records in the table.
fn claims() -> Axis {
    const CLAIMS: u32 = 1_000;
    let of = |records: u32| {
        let mut memory = filled(records);
        let rounds = (0..ROUNDS as u32).map(|round| {
            let from = records + round * CLAIMS;
            let claims: Vec<_> = (from..from + CLAIMS).map(|key| claim(key, Time::MAX)).collect();
            timed(|| claims.iter().for_each(|one| commit(&mut memory, one))) / f64::from(CLAIMS)
        });
        (records, median(rounds.collect()))
    };
    Axis {
        name: "records in the table",
        of: "a claim and commit",
        points: RECORDS_IN_TABLE.map(of).to_vec(),
    }
}

/// One sweep that looks at all records, and deletes a hundred of them.
fn sweeps() -> Axis {
    let of = |records: u32| {
        let mut memory = filled(records);
        let rounds = (0..ROUNDS as u32).map(|round| {
            let expired = records + round * 100;
            for key in expired..expired + 100 {
                commit(&mut memory, &claim(key, Time::from_micros(1)));
            }
            let action = Action::Delete {
                filter: [EXPIRES_AT.at_most(Time::from_micros(2))].into_iter().collect(),
            };
            let sweep = statement(Verb::Delete, action);
            timed(|| {
                let swept = memory.execute(Session(0), &sweep, Origin::NONE);
                assert_eq!(swept, Outcome::Done(Ok(DbAnswer::Changed(100))));
            }) / f64::from(records)
        });
        (records, median(rounds.collect()))
    };
    Axis {
        name: "records in the table",
        of: "a record, of a sweep",
        points: RECORDS_IN_TABLE.map(of).to_vec(),
    }
}

fn filled(records: u32) -> Memory {
    let mut memory = Memory::new(Profile::Postgres);
    memory.reset(&[&RECORDS]);
    (0..records).for_each(|key| commit(&mut memory, &claim(key, Time::MAX)));
    assert_eq!(memory.count(&RECORDS), u64::from(records));
    memory
}

fn commit(memory: &mut Memory, claim: &Statement) {
    let begun = memory.begin(Session(0), Isolation::ReadCommitted);
    let claimed = memory.execute(Session(0), claim, Origin(0));
    let committed = memory.commit(Session(0));
    assert!(matches!(begun, Outcome::Done(Ok(_))), "{begun:?}");
    assert_eq!(claimed, Outcome::Done(Ok(DbAnswer::Inserted)));
    assert_eq!(committed, Outcome::Done(Ok(DbAnswer::Committed)));
}

fn claim(number: u32, expires: Time) -> Statement {
    let cells = [
        TENANT.set("tenant-1"),
        OPERATION.set("charge"),
        KEY.set(format!("key-{number}").as_str()),
        FINGERPRINT.set(Digest::default()),
        CREATED_AT.set(Time::ZERO),
        EXPIRES_AT.set(expires),
    ];
    let row = Row::of(&RECORDS, cells);
    statement(Verb::Claim, Action::Insert { row, on_conflict: OnConflict::Nothing })
}

const fn statement(verb: Verb, action: Action) -> Statement {
    Statement {
        verb,
        table: &RECORDS,
        action,
        effect: None,
        undoes: false,
        wait: Wait::Block,
        cause: None,
    }
}

/// A figure of memory in KiB by its name in /proc/self/status (proc(5)), where the system has one.
fn in_status(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// A line for each axis: size against the cost at the axis' smallest size.
fn svg(axes: &[Axis]) -> String {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (900, 460)).into_drawing_area();
        draw(axes, &area).expect("text can be written to a string");
    }
    text
}

type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

fn draw(axes: &[Axis], area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>) -> Drawn {
    const COLOURS: [RGBColor; 7] = [
        RGBColor(0, 114, 178),
        RGBColor(213, 94, 0),
        RGBColor(0, 158, 115),
        RGBColor(204, 121, 167),
        RGBColor(230, 159, 0),
        RGBColor(86, 180, 233),
        RGBColor(0, 0, 0),
    ];
    area.fill(&WHITE)?;
    let ratios =
        axes.iter().flat_map(|axis| axis.points.iter().map(|one| one.1 / axis.points[0].1));
    let most = ratios.fold(2.0, f64::max) * 1.2;
    let (panel, side) = area.split_horizontally(620);
    let mut chart = ChartBuilder::on(&panel)
        .caption("cost of one, against the smallest size", ("sans-serif", 16))
        .margin(10)
        .x_label_area_size(34)
        .y_label_area_size(44)
        .build_cartesian_2d((0.8..1_500_000.0).log_scale(), (0.2..most).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc("size")
        .x_label_formatter(&|size| format!("{size:.0}"))
        .y_label_formatter(&|ratio| format!("x{ratio}"))
        .draw()?;
    for (at, (axis, colour)) in axes.iter().zip(COLOURS).enumerate() {
        let of = |(size, nanos): &(u32, f64)| (f64::from(*size), nanos / axis.points[0].1);
        let points: Vec<_> = axis.points.iter().map(of).collect();
        chart.draw_series(LineSeries::new(points.clone(), colour.stroke_width(2)))?;
        chart.draw_series(points.into_iter().map(|one| Circle::new(one, 3, colour.filled())))?;
        let y = 30 + 22 * i32::try_from(at).unwrap_or(0);
        side.draw(&PathElement::new(vec![(4, y), (30, y)], colour.stroke_width(2)))?;
        let name = format!("{}: {}", axis.name, axis.of);
        side.draw(&Text::new(name, (36, y - 6), ("sans-serif", 13)))?;
    }
    Ok(())
}

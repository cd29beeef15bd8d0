//! Random plans, for the property tests.

use super::{BACKENDS, Plan, Size};
use crate::choice::{Fault, Strike, Until, Variation, can_fly, travels};
use crate::point::{Leg, Message, Op, Point, Step, Subject};
use crate::time::Span;
use onestroke_scenarios::FindingKind;
use onestroke_store::Verb;
use proptest::prelude::*;

fn subjects() -> impl Strategy<Value = Subject> {
    let op = prop_oneof![0..4_u32, Just(Op::MOST - 1)];
    let delivery = (op, 1..=255_u8, 1..=15_u8)
        .prop_map(|(op, attempt, copy)| Subject::new(Op(op), attempt, copy));
    let sweeps = (1..=255_u8).prop_map(Subject::sweep);
    let turns = (1..=255_u8).prop_map(Subject::work);
    prop_oneof![6 => delivery, 1 => sweeps, 1 => turns]
}

fn messages() -> impl Strategy<Value = Message> {
    let delivery =
        subjects().prop_filter("sweeps send nothing", |subject| !subject.is_background());
    (delivery, any::<bool>(), 1..=3_u8).prop_map(|(subject, request, echo)| {
        if request { Message::request(subject) } else { Message { subject, leg: Leg::Reply, echo } }
    })
}

fn steps() -> impl Strategy<Value = Step> {
    let verbs = prop::sample::select(Verb::ALL.to_vec());
    (subjects(), verbs, 0..2_u8, 1..=255_u8).prop_map(|(subject, verb, table, ordinal)| {
        let table = if verb.names_table() { table } else { 0 };
        Step { subject, verb, table, ordinal }
    })
}

fn strikes() -> impl Strategy<Value = Strike> {
    let span = prop_oneof![0..10_000_000_u64, any::<u64>()].prop_map(Span::from_micros);
    let until = prop_oneof![
        (1..=255_u8).prop_map(Until::Passed),
        steps().prop_map(|step| Until::Point(Point::after(step))),
        Just(Until::Longest),
    ];
    let first = |message: Message| {
        let subject = Subject { copy: 1, ..message.subject };
        Point::send(Message::request(subject))
    };
    let side = |(step, after): (Step, bool)| {
        if after { Point::after(step) } else { Point::before(step) }
    };
    let sites = || (steps(), any::<bool>()).prop_map(side);
    let strike = |(point, fault)| Strike { point, fault };
    prop_oneof![
        messages().prop_map(|m| Strike { point: Point::travel(m), fault: Fault::Drop }),
        messages().prop_map(|m| Strike { point: Point::send(m), fault: Fault::Duplicate }),
        messages().prop_map(move |m| Strike { point: first(m), fault: Fault::Partition }),
        messages().prop_map(move |m| Strike { point: first(m), fault: Fault::Sweep }),
        (messages().prop_map(Point::travel), span.clone().prop_map(Fault::Late)).prop_map(strike),
        (sites(), span.prop_map(Fault::Pause)).prop_map(strike),
        sites().prop_map(|point| Strike { point, fault: Fault::Cancel }),
        sites().prop_map(|point| Strike { point, fault: Fault::FailOver }),
        (steps(), any::<bool>(), any::<bool>())
            .prop_filter("it travels", |(step, ..)| travels(step.verb))
            .prop_map(|(step, after, in_flight)| Strike {
                point: if after { Point::after(step) } else { Point::before(step) },
                fault: Fault::Sever { in_flight: in_flight && !after && can_fly(step.verb) }
            }),
        (steps(), until).prop_map(|(step, until)| Strike {
            point: Point::before(step),
            fault: Fault::Hold(until)
        }),
        (steps(), any::<bool>(), any::<bool>()).prop_map(|(step, in_flight, linger)| Strike {
            point: Point::before(step),
            fault: Fault::Crash { in_flight: in_flight && can_fly(step.verb), linger }
        }),
        (steps(), any::<bool>()).prop_map(|(step, linger)| Strike {
            point: Point::after(step),
            fault: Fault::Crash { in_flight: false, linger }
        }),
    ]
}

fn variations() -> impl Strategy<Value = Variation> {
    let points = prop_oneof![
        messages().prop_map(Point::send),
        messages().prop_map(Point::travel),
        steps().prop_map(Point::before),
        steps().prop_map(Point::after),
        steps().prop_map(Point::wake),
        steps().prop_map(Point::victim),
        subjects().prop_map(|subject| Point::backoff(subject.op, subject.attempt)),
        subjects().prop_map(Point::route),
    ];
    (points, any::<u32>(), any::<u16>()).prop_map(|(point, offset, tie)| Variation {
        point,
        offset,
        tie,
    })
}

fn sizes() -> impl Strategy<Value = Size> {
    let many = || prop::option::of(1..=u16::MAX);
    let few = || prop::option::of(1..=u8::MAX);
    (many(), many(), few(), few()).prop_map(|(clients, operations, attempts, at_once)| Size {
        clients,
        operations,
        attempts,
        at_once,
    })
}

pub(super) fn plans() -> impl Strategy<Value = Plan> {
    let kinds: Vec<Option<FindingKind>> =
        FindingKind::ALL.into_iter().map(Some).chain([None]).collect();
    let varied = prop::collection::vec(variations(), 0..12).prop_map(|mut variations| {
        variations.sort_by_key(|variation| variation.point);
        variations.dedup_by_key(|variation| variation.point);
        variations
    });
    // A recording has both, a plan perhaps a seed.
    let seed_and_hash = prop_oneof![
        Just((None, None)),
        any::<u64>().prop_map(|seed| (Some(seed), None)),
        any::<(u64, u64)>().prop_map(|(seed, hash)| (Some(seed), Some(hash))),
    ];
    (
        ("[a-z][a-z-]{0,20}", "[a-z][a-z-]{0,20}", prop_oneof![Just(Size::FULL), sizes()]),
        prop::sample::select(BACKENDS.to_vec()),
        prop::sample::select(kinds),
        prop::collection::vec(strikes(), 0..12),
        (varied, seed_and_hash),
    )
        .prop_map(|((scenario, store, size), backend, expect, mut strikes, timing)| {
            strikes.sort_by_key(|strike| strike.point);
            strikes.dedup_by_key(|strike| strike.point);
            let (variations, (workload, hash)) = timing;
            let backend = backend.into();
            let size = if hash.is_some() { Size::FULL } else { size };
            Plan { scenario, store, backend, expect, workload, size, strikes, variations, hash }
        })
}

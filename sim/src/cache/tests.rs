//! The cache by itself: what it answers, what it forgets, and what it loses.

use super::*;
use crate::choice::{Bounds, Choice};
use crate::point::Subject;
use crate::queue::Queue;
use crate::trace::Trace;
use onestroke_store::EffectKind;

const LAG: Span = Span::from_millis(20);
const OP: Op = Op(0);

/// A cache and its stage, at a moment that a test sets.
struct World {
    cache: Cache,
    stage: Stage,
}

impl World {
    fn new() -> Self {
        let stage = Stage {
            now: Time::ZERO,
            queue: Queue::new(),
            choice: Choice::new(Bounds { horizon: Time::ZERO, most_faults: 0 }),
            trace: Trace::default(),
            details: false,
            loud: false,
        };
        Self { cache: Cache::new(Terms { replication_lag: LAG }), stage }
    }

    fn at(&mut self, millis: u64) -> &mut Self {
        self.stage.now = Time::from_micros(millis * 1_000);
        self
    }

    fn does(&mut self, key: &str, action: CacheAction) -> Result<CacheAnswer, CacheError> {
        let subject = Subject::new(OP, 1, 1);
        let step = Step { subject, verb: action.verb(), table: 0, ordinal: 1 };
        let command = Command { key: key.into(), action, cause: None };
        self.cache.execute(&mut self.stage, (step, OP, false), &command)
    }

    fn gets(&mut self, key: &str) -> Option<Value> {
        match self.does(key, CacheAction::Get) {
            Ok(CacheAnswer::Found(value)) => value,
            answer => panic!("get was answered with {answer:?}"),
        }
    }

    fn happened(&self, what: What) -> usize {
        self.stage.trace.events.iter().filter(|event| event.what == what).count()
    }

    fn portrait(&self) -> Vec<u8> {
        let mut canon = Canon::default();
        canon.begin(self.stage.now);
        self.cache.portray(&mut canon, self.stage.now);
        canon.bytes().to_vec()
    }
}

fn put(value: i64, millis: Option<u64>, if_absent: bool) -> CacheAction {
    CacheAction::Set { value: Value::Int(value), expires: millis.map(Span::from_millis), if_absent }
}

fn count(by: i64, once: Option<&str>) -> CacheAction {
    let effect = Some(Mark { kind: EffectKind::Add, part: 0, parts: 1 });
    CacheAction::Increment { by, once: once.map(Into::into), effect }
}

const VANISHED: What = What::Vanished { op: OP, part: 0 };

#[test]
fn a_key_is_put_once_if_absent_and_again_when_it_has_expired() {
    let mut world = World::new();
    assert_eq!(world.does("lock", put(1, Some(50), true)), Ok(CacheAnswer::Done(true)));
    assert_eq!(world.at(49).does("lock", put(2, Some(50), true)), Ok(CacheAnswer::Done(false)));
    assert_eq!(world.at(50).does("lock", put(3, Some(50), true)), Ok(CacheAnswer::Done(true)));
    assert_eq!(world.gets("lock"), Some(Value::Int(3)));
}

#[test]
fn a_key_is_deleted_by_its_value_only() {
    let mut world = World::new();
    let delete = |value| CacheAction::Delete { only_if: Some(Value::Int(value)) };
    world.does("lock", put(1, None, true)).expect("it is a put");
    assert_eq!(world.does("lock", delete(2)), Ok(CacheAnswer::Done(false)));
    assert_eq!(world.does("lock", delete(1)), Ok(CacheAnswer::Done(true)));
    assert_eq!(world.gets("lock"), None);
}

#[test]
fn a_number_is_counted_once_beside_its_mark_and_a_text_is_no_number() {
    let mut world = World::new();
    let counted = |number| Ok(CacheAnswer::Counted(number));
    assert_eq!(world.does("revenue", count(40, Some("m-1"))), counted(Some(40)));
    assert_eq!(world.does("revenue", count(40, Some("m-1"))), counted(None));
    assert_eq!(world.does("revenue", count(25, None)), counted(Some(65)));
    let text = Value::Text("text".into());
    let action = CacheAction::Set { value: text, expires: None, if_absent: false };
    world.does("revenue", action).expect("it is a put");
    assert_eq!(world.does("revenue", count(1, None)), Err(CacheError::NotANumber));
}

#[test]
fn a_fail_over_loses_what_was_written_last_and_brings_back_what_stood_there() {
    let mut world = World::new();
    world.does("old", put(1, None, false)).expect("it is a put");
    world.at(10).does("old", put(2, None, false)).expect("it is a put");
    world.does("new", put(3, None, false)).expect("it is a put");
    world.at(29);
    world.cache.fail_over(&mut world.stage);
    assert_eq!(world.gets("old"), Some(Value::Int(1)), "it was replicated at 20 ms");
    assert_eq!(world.gets("new"), None);
    assert_eq!(world.happened(What::FailedOver { lost: 2 }), 1);
    world.cache.fail_over(&mut world.stage);
    assert_eq!(world.happened(What::FailedOver { lost: 0 }), 1, "the new primary is whole");
}

#[test]
fn what_was_counted_is_lost_with_its_mark_and_an_old_count_is_not() {
    let mut world = World::new();
    world.does("revenue", count(40, Some("m-1"))).expect("it counts");
    world.at(25).does("revenue", count(25, Some("m-2"))).expect("it counts");
    world.cache.fail_over(&mut world.stage);
    assert_eq!((world.gets("revenue"), world.gets("m-2")), (Some(Value::Int(40)), None));
    assert_eq!(world.happened(VANISHED), 1);
}

#[test]
fn a_shift_of_the_clock_is_no_difference_and_the_time_left_is() {
    let held = |put_at, now| {
        let mut world = World::new();
        world.at(put_at).does("lock", put(1, Some(50), true)).expect("it is a put");
        world.at(now).portrait()
    };
    assert_eq!(held(0, 5), held(100, 105));
    assert_ne!(held(0, 5), held(0, 6), "it expires sooner");
    assert_eq!(held(0, 50), held(0, 90), "it has expired, and is replicated");
    assert_ne!(held(0, 19), held(5, 25), "a fail-over would lose one of them later");
}

//! Random histories of the PostgreSQL profile: unique keys stay unique, nobody waits for nothing,
//! and what serializable transactions were told could have been told to them one after another.

mod memory_script;

use memory_script::{K, THINGS, V};
use onestroke_store::memory::{Memory, Profile};
use onestroke_store::{
    Action, Condition, DbAnswer, DbError, Engine, Filter, Isolation, OnConflict, Origin, Outcome,
    Row, Session, Statement, Value, Verb, Wait,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

#[derive(Clone, Debug)]
enum Step {
    Begin(Isolation),
    Ask(Box<Action>),
    Commit,
    Rollback,
}

fn key() -> impl Strategy<Value = Value> {
    prop_oneof![1 => Just(Value::Null), 8 => (1..4_i64).prop_map(Value::Int)]
}

fn number() -> impl Strategy<Value = Value> {
    (0..3_i64).prop_map(Value::Int)
}

fn by_key() -> impl Strategy<Value = Filter> {
    (1..4_i64).prop_map(|key| [K.is(key)].into_iter().collect())
}

fn by_value() -> impl Strategy<Value = Filter> {
    number().prop_map(|value| [V.is(value)].into_iter().collect())
}

fn filter() -> impl Strategy<Value = Filter> {
    prop_oneof![by_key(), by_value()]
}

/// Any statement. A read of one row names its key: which of several rows is the first one depends
/// on the order of insertion, which serializability does not speak of.
fn action() -> impl Strategy<Value = Action> {
    let on_conflict = prop_oneof![
        Just(OnConflict::Fail),
        Just(OnConflict::Nothing),
        number().prop_map(|value| OnConflict::Update([V.set(value)].into_iter().collect())),
    ];
    prop_oneof![
        4 => (key(), number(), on_conflict).prop_map(|(key, value, on_conflict)| {
            let row = Row::of(&THINGS, [K.set(key), V.set(value)]);
            Action::Insert { row, on_conflict }
        }),
        2 => (by_key(), any::<bool>()).prop_map(|(filter, lock)| Action::Read { filter, lock }),
        2 => filter().prop_map(|filter| Action::Scan { filter, limit: 99 }),
        3 => (filter(), number()).prop_map(|(filter, value)| {
            Action::Update { filter, set: [V.set(value)].into_iter().collect() }
        }),
        1 => filter().prop_map(|filter| Action::Delete { filter }),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let level = prop_oneof![
        Just(Isolation::ReadCommitted),
        Just(Isolation::Snapshot),
        Just(Isolation::Serializable),
    ];
    prop_oneof![
        3 => level.prop_map(Step::Begin),
        9 => action().prop_map(|action| Step::Ask(Box::new(action))),
        2 => Just(Step::Commit),
        1 => Just(Step::Rollback),
    ]
}

fn statement(action: &Action) -> Statement {
    let action = action.clone();
    Statement {
        verb: Verb::Read,
        table: &THINGS,
        action,
        effect: None,
        undoes: false,
        wait: Wait::Block,
        cause: None,
    }
}

/// Sessions of which some are blocked.
struct Drive {
    engine: Memory,
    blocked: Vec<Option<Action>>,
}

impl Drive {
    fn new(sessions: usize) -> Self {
        let mut engine = Memory::new(Profile::Postgres);
        engine.reset(&[&THINGS]);
        Self { engine, blocked: vec![None; sessions] }
    }

    /// Asks a statement; `None`: it is blocked.
    fn ask(&mut self, session: usize, action: &Action) -> Option<Result<DbAnswer, DbError>> {
        let statement = statement(action);
        let origin = Origin(session as u32);
        match self.engine.execute(Session(session as u32), &statement, origin) {
            Outcome::Blocked => {
                self.blocked[session] = Some(action.clone());
                None
            }
            Outcome::Done(answer) => {
                self.blocked[session] = None;
                Some(answer)
            }
        }
    }

    /// Whether a blocked session stands in a circle of waits; it is given up then.
    fn break_circle(&mut self, session: usize) -> bool {
        let mut circle = Vec::new();
        self.engine.deadlock(Session(session as u32), &mut circle);
        if circle.is_empty() {
            return false;
        }
        assert!(circle.iter().all(|session| self.blocked[session.0 as usize].is_some()));
        assert_eq!(self.engine.give_up(Session(session as u32)), DbError::Deadlock);
        self.blocked[session] = None;
        true
    }

    fn keys_are_unique(&mut self) {
        let rows = self.engine.committed(&THINGS);
        assert_eq!(rows.len() as u64, self.engine.count(&THINGS));
        let mut keys: Vec<_> = rows.iter().filter_map(|(_, row)| row.int(K)).collect();
        keys.sort_unstable();
        assert!(keys.windows(2).all(|pair| pair[0] != pair[1]), "a key is there twice: {keys:?}");
    }

    /// Ends everything. Whoever is blocked must be able to go on once the others have ended, or
    /// stand in a circle.
    fn wind_up(&mut self) {
        while self.blocked.iter().any(Option::is_some) {
            let mut moved = false;
            for session in 0..self.blocked.len() {
                match self.blocked[session].clone() {
                    Some(action) if self.engine.may_proceed(Session(session as u32)) => {
                        self.ask(session, &action);
                        moved = true;
                    }
                    Some(_) => moved |= self.break_circle(session),
                    None if self.engine.in_transaction(Session(session as u32)) => {
                        self.engine.commit(Session(session as u32));
                        moved = true;
                    }
                    None => {}
                }
            }
            assert!(moved, "somebody waits for nothing");
        }
        for session in 0..self.blocked.len() {
            self.engine.commit(Session(session as u32));
        }
    }
}

fn any_history(sessions: usize, steps: &[(usize, Step)]) {
    let mut drive = Drive::new(sessions);
    for (session, step) in steps {
        let session = *session % sessions;
        let id = Session(session as u32);
        if let Some(action) = drive.blocked[session].clone() {
            if drive.engine.may_proceed(id) {
                drive.ask(session, &action);
            } else if matches!(step, Step::Rollback) {
                drive.engine.rollback(id);
                drive.blocked[session] = None;
            } else {
                drive.break_circle(session);
            }
        } else {
            match step {
                Step::Begin(isolation) => drop(drive.engine.begin(id, *isolation)),
                Step::Ask(action) => drop(drive.ask(session, action)),
                Step::Commit => drop(drive.engine.commit(id)),
                Step::Rollback => drive.engine.rollback(id),
            }
        }
        drive.keys_are_unique();
    }
    drive.wind_up();
    drive.keys_are_unique();
    assert_eq!(drive.engine.tuples() as u64, drive.engine.count(&THINGS), "dead tuples are kept");
}

/// What a transaction asked and was told.
type Told = Vec<(Action, DbAnswer)>;

/// Runs one transaction for each list of statements, interleaved as `order` says, on a table with
/// two rows; gives back what the committed ones were told, and the rows at the end.
fn run(level: Isolation, asked: &[Vec<Action>], order: &[usize]) -> (Vec<Told>, Vec<Row>) {
    let mut drive = Drive::new(asked.len());
    fill(&mut drive.engine);
    let mut told: Vec<Told> = vec![Told::new(); asked.len()];
    let mut alive = vec![true; asked.len()];
    let mut committed = Vec::new();
    for session in 0..asked.len() {
        drive.engine.begin(Session(session as u32), level);
    }
    let rest = (0..asked.len()).cycle().take(1_000);
    for session in order.iter().map(|session| session % asked.len()).chain(rest) {
        let id = Session(session as u32);
        if !alive[session] {
            continue;
        }
        if drive.blocked[session].is_some() && !drive.engine.may_proceed(id) {
            alive[session] = !drive.break_circle(session);
            continue;
        }
        let Some(action) = asked[session].get(told[session].len()) else {
            if drive.engine.commit(id) == Outcome::Done(Ok(DbAnswer::Committed)) {
                committed.push(session);
            }
            alive[session] = false;
            continue;
        };
        match drive.ask(session, action) {
            Some(Ok(answer)) => told[session].push((action.clone(), answer)),
            Some(Err(_)) => alive[session] = false,
            None => {}
        }
    }
    assert!(alive.iter().all(|alive| !alive), "a transaction has not ended");
    let told = committed.iter().map(|session| std::mem::take(&mut told[*session])).collect();
    (told, rows(&mut drive.engine))
}

fn fill(engine: &mut Memory) {
    for key in 1..3 {
        let row = Row::of(&THINGS, [K.set(key), V.set(key)]);
        let insert = statement(&Action::Insert { row, on_conflict: OnConflict::Fail });
        engine.execute(Session(0), &insert, Origin::NONE);
    }
}

fn rows(engine: &mut Memory) -> Vec<Row> {
    let mut rows: Vec<_> = engine.committed(&THINGS).into_iter().map(|(_, row)| row).collect();
    rows.sort_unstable();
    rows
}

/// Whether some order of the transactions, one after another, tells each what it was told and
/// leaves the same rows.
fn some_order_explains(told: &[Told], end: &[Row]) -> bool {
    let mut engine = Memory::new(Profile::Postgres);
    let mut order: Vec<usize> = (0..told.len()).collect();
    permutations(&mut order, 0, &mut |order| {
        engine.reset(&[&THINGS]);
        fill(&mut engine);
        let same = |(action, answer): &(Action, DbAnswer)| {
            let outcome = engine.execute(Session(0), &statement(action), Origin::NONE);
            match outcome {
                Outcome::Done(Ok(again)) => sorted(again) == sorted(answer.clone()),
                _ => false,
            }
        };
        order.iter().flat_map(|place| &told[*place]).all(same) && rows(&mut engine) == end
    })
}

fn sorted(mut answer: DbAnswer) -> DbAnswer {
    if let DbAnswer::Rows(rows) = &mut answer {
        rows.sort_unstable();
    }
    answer
}

fn permutations(
    order: &mut Vec<usize>,
    from: usize,
    try_one: &mut impl FnMut(&[usize]) -> bool,
) -> bool {
    if from == order.len() {
        return try_one(order);
    }
    (from..order.len()).any(|place| {
        order.swap(from, place);
        let found = permutations(order, from + 1, try_one);
        order.swap(from, place);
        found
    })
}

type Small = (Vec<Vec<Action>>, Vec<usize>);

fn small_history() -> impl Strategy<Value = Small> {
    let asked = prop::collection::vec(prop::collection::vec(action(), 1..4), 2..5);
    (asked, prop::collection::vec(0..12_usize, 0..20))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn keys_stay_unique_and_nobody_waits_for_nothing(
        sessions in 2..5_usize,
        steps in prop::collection::vec((0..12_usize, step()), 1..80),
    ) {
        any_history(sessions, &steps);
    }

    #[test]
    fn serializable_histories_have_a_serial_order((asked, order) in small_history()) {
        let (told, end) = run(Isolation::Serializable, &asked, &order);
        prop_assert!(some_order_explains(&told, &end), "no order explains {told:#?}\n{end:?}");
    }
}

#[test]
fn snapshot_histories_do_not_all_have_one_so_the_check_can_fail() {
    let mut runner = TestRunner::deterministic();
    let mut unexplained = 0;
    for _ in 0..3_000 {
        let (asked, order) = small_history().new_tree(&mut runner).expect("a history").current();
        let (told, end) = run(Isolation::Snapshot, &asked, &order);
        unexplained += u32::from(!some_order_explains(&told, &end));
    }
    assert!(unexplained > 10, "only {unexplained} histories were not serializable");
}

#[test]
fn serializable_does_not_refuse_everything() {
    let mut runner = TestRunner::deterministic();
    let (mut committed, mut asked_for) = (0, 0);
    for _ in 0..1_000 {
        let (asked, order) = small_history().new_tree(&mut runner).expect("a history").current();
        asked_for += asked.len();
        committed += run(Isolation::Serializable, &asked, &order).0.len();
    }
    assert!(committed * 3 > asked_for, "{committed} of {asked_for} committed");
}

#[test]
fn a_long_life_keeps_no_dead_tuples() {
    let mut engine = Memory::new(Profile::Postgres);
    engine.reset(&[&THINGS]);
    let filter = |key: i64| -> [Condition; 1] { [K.is(key)] };
    for round in 0..20_000_i64 {
        let key = round % 50;
        let row = Row::of(&THINGS, [K.set(key), V.set(round)]);
        let actions = [
            Action::Insert { row, on_conflict: OnConflict::Fail },
            Action::Update {
                filter: filter(key).into_iter().collect(),
                set: [V.set(0)].into_iter().collect(),
            },
            Action::Delete { filter: filter(key - 20).into_iter().collect() },
        ];
        for action in &actions {
            engine.execute(Session(0), &statement(action), Origin::NONE);
        }
        assert_eq!(engine.tuples() as u64, engine.count(&THINGS));
    }
}

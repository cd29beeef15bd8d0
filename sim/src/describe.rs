//! Level 1. Questions and answers in words, for the timeline. Never part of the trace hash.

use crate::trace::Result as Came;
use onestroke_store::effects::name_of;
use onestroke_store::{
    Act, Action, CacheAction, CacheAnswer, CacheError, Call, CallAnswer, CallError, Column,
    Command, DbAnswer, DbError, Isolation, Mark, Question, Reply, Role, Row, Statement, Table,
    Verb,
};

const HOUR_US: u64 = 3_600_000_000;

/// What a store asks: `claim key-1`, `read orders`.
pub(crate) fn question(question: Question<'_>) -> String {
    match question {
        Question::Begin(isolation) => format!("begin ({})", isolation_name(isolation)),
        Question::Statement { statement, .. } => self::statement(statement),
        Question::Commit(_) => "commit".into(),
        Question::Rollback(_) => "rollback".into(),
        Question::Sleep(span) => format!("sleep {span}"),
        Question::Call(call) => self::call(call),
        Question::Cache(command) => self::command(command),
        Question::Replica(statement) => format!("{} on the replica", self::statement(statement)),
    }
}

/// What a store asks of another service: `call charge, key-1`.
fn call(call: &Call) -> String {
    let key = call.key.as_ref().map_or_else(|| ", no key".into(), |key| format!(", {key}"));
    match call.act {
        Act::Do(Mark { kind, .. }) => format!("call {}{key}", name_of(kind)),
        Act::Undo(Mark { kind, .. }) => format!("call undo {}{key}", name_of(kind)),
        Act::LookUp => format!("call look up{key}"),
        Act::Tell => "call tell".into(),
    }
}

/// What a store asks of the cache: `put key-1 if absent`.
fn command(command: &Command) -> String {
    let Command { key, action, .. } = command;
    let verb = action.verb();
    match action {
        CacheAction::Get | CacheAction::Delete { only_if: None } => format!("{verb} {key}"),
        CacheAction::Set { if_absent, .. } => {
            format!("{verb} {key}{}", if *if_absent { " if absent" } else { "" })
        }
        CacheAction::Delete { only_if: Some(value) } => format!("{verb} {key} if it is {value}"),
        CacheAction::Increment { by, once: None, .. } => format!("{verb} {by} in {key}"),
        CacheAction::Increment { by, once: Some(once), .. } => {
            format!("{verb} {by} in {key} unless {once}")
        }
    }
}

/// What the cache says.
pub(crate) fn cached(command: &Command, answer: &Result<CacheAnswer, CacheError>) -> String {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return format!("refused: {error}"),
    };
    match (answer, &command.action) {
        (CacheAnswer::Found(Some(value)), _) => format!("cache: {value}"),
        (CacheAnswer::Counted(Some(number)), _) => format!("cache: now {number}"),
        (CacheAnswer::Counted(None), _) => "cache: counted before".into(),
        (CacheAnswer::Done(true), CacheAction::Set { value, expires, .. }) => {
            // A key that outlives the run by far need not say until when.
            let short = expires.filter(|span| span.as_micros() < HOUR_US);
            let span = short.map_or_else(String::new, |span| format!(", for {span}"));
            format!("cache: {value}{span}")
        }
        (CacheAnswer::Done(true), _) => "cache: key gone".into(),
        (CacheAnswer::Done(false), CacheAction::Set { .. }) => "cache: key is there".into(),
        (CacheAnswer::Done(false), CacheAction::Delete { only_if: Some(_) }) => {
            "cache: not its value".into()
        }
        (CacheAnswer::Done(false) | CacheAnswer::Found(None), _) => "cache: no such key".into(),
    }
}

/// What another service says.
pub(crate) fn called(answer: Result<CallAnswer, CallError>, came: Came) -> String {
    match answer {
        Ok(CallAnswer::Done(receipt)) if came == Came::Nothing => format!("knows {}", receipt.id),
        Ok(CallAnswer::Done(receipt)) => format!("service: done, {}", receipt.id),
        Ok(CallAnswer::Unknown) => "service: not known".into(),
        Err(error) => format!("refused: {error}"),
    }
}

/// What the database says: `record key-1 (in progress)`, `no row`.
pub(crate) fn answer(question: Question<'_>, result: &Result<DbAnswer, DbError>) -> String {
    let answer = match result {
        Ok(answer) => answer,
        Err(error) => return format!("refused: {error}"),
    };
    let table = match question {
        Question::Statement { statement, .. } | Question::Replica(statement) => {
            Some(statement.table)
        }
        _ => None,
    };
    let what = table.map_or("row", noun);
    match answer {
        DbAnswer::Began(_) => "transaction open".into(),
        DbAnswer::Inserted => match question {
            Question::Statement { statement, .. } => inserted(statement),
            _ => "inserted".into(),
        },
        DbAnswer::Conflict => "key is taken".into(),
        DbAnswer::Row(None) => format!("no {what}"),
        DbAnswer::Row(Some(row)) => table.map_or_else(|| "row".into(), |table| shown(table, row)),
        DbAnswer::Rows(rows) if rows.len() == 1 => format!("1 {what}"),
        DbAnswer::Rows(rows) => format!("{} {what}s", rows.len()),
        DbAnswer::Changed(_) if overwrites(question) => {
            format!("overwrites {what}{}", key(question))
        }
        DbAnswer::Changed(0) => format!("no {what} fits"),
        DbAnswer::Changed(1) => format!("1 {what} changed"),
        DbAnswer::Changed(rows) => format!("{rows} {what}s changed"),
        DbAnswer::Committed => "COMMITTED".into(),
        DbAnswer::RolledBack => "rolled back".into(),
    }
}

/// What a server replies: `201 receipt id-1`.
pub(crate) fn reply(reply: &Reply) -> String {
    format!("{} {}", reply.status, reply.body).trim_end().to_owned()
}

/// Whether it is an upsert that found the row of another.
const fn overwrites(question: Question<'_>) -> bool {
    matches!(
        question,
        Question::Statement { statement: Statement { action: Action::Insert { .. }, .. }, .. }
    )
}

/// The key of the record that is inserted, if it is one.
fn key(question: Question<'_>) -> String {
    match question {
        Question::Statement { statement, .. } if is_records(statement.table) => {
            match &statement.action {
                Action::Insert { row, .. } => format!(" {}", key_in(statement.table, row)),
                _ => String::new(),
            }
        }
        _ => String::new(),
    }
}

fn statement(statement: &Statement) -> String {
    let verb = statement.verb;
    let subject = match (&statement.action, verb) {
        (Action::Insert { row, .. }, _) if is_records(statement.table) => {
            key_in(statement.table, row)
        }
        (Action::Insert { row, .. }, Verb::Apply) if statement.effect.is_some() => {
            return effect(statement, row);
        }
        (
            Action::Read { filter, .. } | Action::Update { filter, .. } | Action::Delete { filter },
            _,
        ) if is_records(statement.table) => {
            let key = filter.iter().find(|condition| condition.column.name == "key");
            key.map_or_else(|| "expired records".into(), |key| key.value.to_string())
        }
        _ => statement.table.name.to_owned(),
    };
    match verb {
        Verb::Read if is_records(statement.table) => format!("look up {subject}"),
        _ => format!("{verb} {subject}"),
    }
}

fn effect(statement: &Statement, row: &Row) -> String {
    use onestroke_store::effects::{AMOUNT, EFFECTS, KIND};
    let part = match statement.effect {
        Some(mark) if mark.parts > 1 => format!(" (part {} of {})", mark.part + 1, mark.parts),
        _ => String::new(),
    };
    if statement.table.name == EFFECTS.name {
        let amount = row.int(AMOUNT).unwrap_or_default();
        return format!("apply {} {amount}{part}", row.text(KIND));
    }
    format!("apply to {}{part}", statement.table.name)
}

fn inserted(statement: &Statement) -> String {
    match &statement.action {
        Action::Insert { row, .. } if is_records(statement.table) => shown(statement.table, row),
        _ if statement.effect.is_some() => "written".into(),
        _ => format!("{} inserted", noun(statement.table)),
    }
}

fn shown(table: &'static Table, row: &Row) -> String {
    if !is_records(table) {
        return format!("{} found", noun(table));
    }
    let key = key_in(table, row);
    let Some(status) = column(table, "status") else { return format!("record {key}") };
    match row.int(status) {
        None => format!("record {key} (in progress)"),
        Some(status) => {
            // A record that outlives the run by far need not say until when.
            let near = column(table, "expires_at").and_then(|column| row.time(column));
            let near = near.filter(|at| at.as_micros() < HOUR_US);
            let until = near.map_or_else(String::new, |at| format!(", until {at}"));
            let body = column(table, "body").map_or_else(Default::default, |body| row.text(body));
            format!("record {key} ({status} {body}{until})")
        }
    }
}

fn noun(table: &'static Table) -> &'static str {
    if is_records(table) { "record" } else { "row" }
}

fn is_records(table: &'static Table) -> bool {
    table.role == Role::Records
}

/// The column with this name, if the table has one: stores bring tables of records of their own.
fn column(table: &'static Table, name: &str) -> Option<Column> {
    table.columns.iter().copied().find(|column| column.name == name)
}

fn key_in(table: &'static Table, row: &Row) -> String {
    column(table, "key").map_or_else(String::new, |key| row.text(key).to_string())
}

const fn isolation_name(isolation: Isolation) -> &'static str {
    match isolation {
        Isolation::ReadCommitted => "read committed",
        Isolation::Snapshot => "snapshot",
        Isolation::Serializable => "serializable",
    }
}

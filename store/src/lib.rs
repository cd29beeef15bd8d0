//! Idempotency stores as straight-line `async` code, and the databases under them.
//!
//! A store handles triggers and sees the world only through [`Ctx`]: each `await` asks one question.
//! This crate knows neither the simulator nor virtual time nor scenarios; whoever polls a handler
//! decides when, and whether, its question is answered.

mod cache;
mod call;
mod canon;
mod ctx;
mod desk;
pub mod effects;
mod engine;
pub mod memory;
pub mod record;
mod replica;
mod request;
mod runtime;
mod schema;
mod settings;
#[cfg(feature = "sqlite")]
pub mod sqlite;
mod statement;
mod store;
pub mod stores;
mod value;

pub use cache::{Cache, CacheAction, CacheAnswer, CacheError, Command};
pub use call::{Act, Call, CallAnswer, CallError};
pub use canon::Canon;
pub use ctx::{Ctx, Db, Tx};
pub use desk::{Answer, Asked, Desk, Question, Told};
pub use engine::{DbAnswer, DbError, Engine, Isolation, Origin, Outcome, Session};
pub use record::{Claim, Record};
pub use replica::Replica;
pub use request::{
    BadPayload, Effect, Failure, Payload, Receipt, Reply, Request, Sweep, Trigger, Turn,
};
pub use runtime::{Outside, block_on};
pub use schema::{Column, Role, Table, Type};
pub use settings::{InFlight, Settings, Stored, WindowFrom};
pub use statement::{
    Action, Assignment, Assignments, Compare, Condition, EffectKind, Filter, Mark, OnConflict, Row,
    Statement, Verb, Wait,
};
pub use store::{Entry, Handler, Process, Store};
pub use value::{Digest, Id, Span, Text, Time, Value};

//! A read replica of the database: it shows what had been committed a while ago.
//!
//! How far it lags behind is up to the scenario; without a lag it shows what is committed now. Reads on it
//! are in no transaction, see no uncommitted row, and lock nothing.

use crate::ctx::Ctx;
use crate::desk::{Answer, Desk};
use crate::engine::{DbAnswer, DbError};
use crate::record::{RECORDS, Record, key_of};
use crate::request::Request;
use crate::schema::Table;
use crate::statement::{Action, Condition, Row, Statement, Verb, Wait};
use std::rc::Rc;

/// A read replica, as a store reaches it.
#[derive(Clone, Debug)]
pub struct Replica {
    desk: Rc<Desk>,
}

impl Replica {
    pub(crate) const fn new(desk: Rc<Desk>) -> Self {
        Self { desk }
    }

    /// Reads the first row that fits.
    pub async fn read(
        &self,
        table: &'static Table,
        filter: impl IntoIterator<Item = Condition>,
    ) -> Result<Option<Row>, DbError> {
        let action = Action::Read { filter: filter.into_iter().collect(), lock: false };
        match self.ask(Verb::Read, table, action).await? {
            DbAnswer::Row(row) => Ok(row),
            answer => unreachable!("a read was answered with {answer:?}"),
        }
    }

    /// Reads all rows that fit, at most `limit`.
    pub async fn scan(
        &self,
        table: &'static Table,
        filter: impl IntoIterator<Item = Condition>,
        limit: u32,
    ) -> Result<Vec<Row>, DbError> {
        let action = Action::Scan { filter: filter.into_iter().collect(), limit };
        match self.ask(Verb::Scan, table, action).await? {
            DbAnswer::Rows(rows) => Ok(rows),
            answer => unreachable!("a scan was answered with {answer:?}"),
        }
    }

    /// Looks the request's record up; an expired one does not count.
    pub async fn find_record(
        &self,
        ctx: &Ctx,
        request: &Request,
    ) -> Result<Option<Record>, DbError> {
        let row = self.read(&RECORDS, key_of(request)).await?;
        let record = row.as_ref().map(Record::from_row);
        Ok(record.filter(|record| record.expires_at > ctx.now()))
    }

    async fn ask(
        &self,
        verb: Verb,
        table: &'static Table,
        action: Action,
    ) -> Result<DbAnswer, DbError> {
        self.desk.ask_replica(|statement| {
            *statement = Statement {
                verb,
                table,
                action,
                effect: None,
                undoes: false,
                wait: Wait::Refuse,
                cause: None,
            };
        });
        match self.desk.answered().await {
            Answer::Db(answer) => answer,
            answer => unreachable!("the replica was asked, and it answered {answer:?}"),
        }
    }
}

//! Family `controllers`: a request writes down what is wanted; turns of background work look at what is
//! there, and create what is missing. Where they look is what they get wrong.

mod controller_expects;
mod controller_reads_primary;
mod controller_stale_reads;
mod controller_unique_name;

use crate::record::{KEY, OPERATION, TENANT};
use crate::schema::{Column, Table};
use crate::{Ctx, DbError, EffectKind, Entry, Failure, Id, Mark, Reply, Request, Row, Text};

/// The stores of this family, the wrong ones first.
pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("controller-stale-reads", controller_stale_reads::SUMMARY, || {
            controller_stale_reads::ControllerStaleReads
        }),
        Entry::new("controller-expects", controller_expects::SUMMARY, || {
            controller_expects::ControllerExpects::default()
        }),
        Entry::new("controller-unique-name", controller_unique_name::SUMMARY, || {
            controller_unique_name::ControllerUniqueName
        }),
        Entry::new("controller-reads-primary", controller_reads_primary::SUMMARY, || {
            controller_reads_primary::ControllerReadsPrimary
        }),
    ]
}

/// What was wanted, by its number.
const WISH: Column = Column::id(3, "wish");

/// What is wanted: one row for each request.
static WISHES: Table = Table::new("wishes", &[TENANT, OPERATION, KEY, WISH])
    .unique(&[&[TENANT, OPERATION, KEY], &[WISH]])
    .records();

/// The name of what is there.
const NAME: Column = Column::id(0, "name");
/// For which wish it is there.
const FOR: Column = Column::id(1, "wish");

/// What is there, under names that are made up.
static PODS: Table = Table::new("pods", &[NAME, FOR]).unique(&[&[NAME]]);

/// What is there, under the names of the wishes: one for each.
static NAMED_PODS: Table = Table::new("pods", &[NAME, FOR]).unique(&[&[FOR]]);

/// More than a run wants.
const MOST: u32 = 10_000;

const CREATED: Mark = Mark { kind: EffectKind::Create, part: 0, parts: 1 };

/// Writes down what is wanted, once for each key.
async fn wish(ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
    let id = ctx.fresh_id();
    let [tenant, operation, key] = [&request.tenant, &request.operation, &request.key];
    let cells = [TENANT.set(tenant), OPERATION.set(operation), KEY.set(key), WISH.set(id)];
    ctx.db().insert_if_absent(&WISHES, cells).await?;
    Ok(Reply { status: 202, body: Text::const_new("wanted") })
}

/// The wishes, in the order in which they were written.
async fn wishes(ctx: &Ctx) -> Result<Vec<Id>, DbError> {
    let rows = ctx.db().scan(&WISHES, [], MOST).await?;
    Ok(rows.iter().filter_map(|row| row.id(WISH)).collect())
}

/// Whether one of these is there for a wish.
fn is_there(pods: &[Row], wish: Id) -> bool {
    pods.iter().any(|pod| pod.id(FOR) == Some(wish))
}

/// Creates what a wish is for, on behalf of whoever wished it.
async fn create(ctx: &Ctx, pods: &'static Table, wish: Id) -> Result<(), DbError> {
    let ctx = ctx.on_behalf_of(wish);
    let cells = [NAME.set(ctx.fresh_id()), FOR.set(wish)];
    ctx.db().insert_as_effect(pods, cells, CREATED).await
}

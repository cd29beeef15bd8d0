//! Volumes by the name that they were asked for under, alive or deleted; and the cleanup that deletes what nobody
//! has attached.

use crate::{
    Column, Condition, Ctx, EffectKind, Failure, Isolation, Mark, Receipt, Reply, Request, Row,
    Table,
};

/// Whose.
const TENANT: Column = Column::text(0, "tenant");
/// The name that it was asked for under: the token follows from it.
const NAME: Column = Column::text(1, "name");
/// The volume's number.
pub(super) const ID: Column = Column::id(2, "id");
/// Whether somebody uses it.
const ATTACHED: Column = Column::int(3, "attached");
/// Whether it is gone.
pub(super) const DELETED: Column = Column::int(4, "deleted");

/// All volumes.
pub(super) static VOLUMES: Table =
    Table::new("volumes", &[TENANT, NAME, ID, ATTACHED, DELETED]).unique(&[&[TENANT, NAME]]);

const WHOLE: Mark = Mark { kind: EffectKind::Add, part: 0, parts: 1 };

fn named(request: &Request) -> [Condition; 2] {
    [TENANT.is(&request.tenant), NAME.is(&request.key)]
}

/// Makes the volume of this name, unless there is one, dead or alive. With the volume that stands there.
pub(super) async fn make(ctx: &Ctx, request: &Request) -> Result<Option<Row>, Failure> {
    let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
    let id = ctx.fresh_id();
    let cells = [
        TENANT.set(&request.tenant),
        NAME.set(&request.key),
        ID.set(id),
        ATTACHED.set(0),
        DELETED.set(0),
    ];
    if tx.insert_if_absent(&VOLUMES, cells).await? {
        tx.apply_part(Receipt { id }, request.effect.amount, WHOLE).await?;
    }
    // Also where nothing was made: the look is outside of the transaction, which must not be in its own way.
    tx.commit().await?;
    Ok(ctx.db().read(&VOLUMES, named(request)).await?)
}

/// Makes another volume in the place of one that is gone.
pub(super) async fn make_anew(ctx: &Ctx, request: &Request, dead: &Row) -> Result<(), Failure> {
    let Some(old) = dead.id(ID) else { return Ok(()) };
    let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
    let id = ctx.fresh_id();
    let [tenant, name] = named(request);
    let same = [tenant, name, ID.is(old), DELETED.is(1)];
    let anew = [ID.set(id), ATTACHED.set(0), DELETED.set(0)];
    if tx.update(&VOLUMES, same, anew).await? == 1 {
        tx.apply_part(Receipt { id }, request.effect.amount, WHOLE).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Attaches the volume, if it is alive, and says so.
pub(super) async fn attach(ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
    let [tenant, name] = named(request);
    let alive = [tenant, name, DELETED.is(0)];
    ctx.db().update(&VOLUMES, alive, [ATTACHED.set(1)]).await?;
    let volume = ctx.db().read(&VOLUMES, named(request)).await?;
    match volume.as_ref().and_then(|volume| Some((volume.id(ID)?, volume.int(DELETED)?))) {
        Some((id, 0)) => Ok(Reply::created(Receipt { id })),
        _ => Err(Failure::Other("the volume is gone".into())),
    }
}

/// Deletes the volumes that nobody has attached.
pub(super) async fn clean_up(ctx: &Ctx) -> Result<Reply, Failure> {
    let idle = ctx.db().scan(&VOLUMES, [ATTACHED.is(0), DELETED.is(0)], 10).await?;
    for volume in idle {
        let Some(id) = volume.id(ID) else { continue };
        let ctx = ctx.on_behalf_of(id);
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        let still = [ID.is(id), ATTACHED.is(0), DELETED.is(0)];
        if tx.update(&VOLUMES, still, [DELETED.set(1)]).await? == 1 {
            tx.take_back(Receipt { id }, WHOLE).await?;
        }
        tx.commit().await?;
    }
    Ok(Reply::no_content())
}

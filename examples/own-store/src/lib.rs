//! A store of one's own: the order itself carries the client's token, and there is no table of keys.
//!
//! The unique key over customer and token is the guard, in the same statement that makes the effect;
//! a retry reads the order that the first attempt made. It runs unchanged in the simulator and on
//! real SQLite.

use onestroke_store::{
    Column, Ctx, DbError, Entry, Failure, Isolation, Mark, Receipt, Reply, Request, Store, Table,
};

const CUSTOMER: Column = Column::text(0, "customer");
const TOKEN: Column = Column::text(1, "token");
const FINGERPRINT: Column = Column::digest(2, "fingerprint");
const AMOUNT: Column = Column::int(3, "amount");
const RECEIPT: Column = Column::id(4, "receipt");

/// Orders, each with the token under which its customer sent it.
pub static ORDERS: Table = Table::new("orders", &[CUSTOMER, TOKEN, FINGERPRINT, AMOUNT, RECEIPT])
    .unique(&[&[CUSTOMER, TOKEN]]);

/// The order is its own idempotency record.
#[derive(Debug)]
pub struct OrderToken;

impl Store for OrderToken {
    const TABLES: &'static [&'static Table] = &[&ORDERS];

    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let id = ctx.fresh_id();
        let order = [
            CUSTOMER.set(&request.tenant),
            TOKEN.set(&request.key),
            FINGERPRINT.set(request.payload.fingerprint()),
            AMOUNT.set(request.effect.amount),
            RECEIPT.set(id),
        ];
        let mark = Mark { kind: request.effect.kind, part: 0, parts: 1 };
        let tx = ctx.db().begin(Isolation::ReadCommitted).await?;
        match tx.insert_as_effect(&ORDERS, order, mark).await {
            Ok(()) => {
                tx.commit().await?;
                Ok(Reply::created(Receipt { id }))
            }
            Err(DbError::UniqueViolation { .. }) => {
                tx.rollback().await?;
                Self::replay(ctx, request).await
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl OrderToken {
    async fn replay(ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let mine = [CUSTOMER.is(&request.tenant), TOKEN.is(&request.key)];
        let order = ctx.db().read(&ORDERS, mine).await?;
        let Some(order) = order else { return Ok(Reply::in_flight()) };
        if order.digest(FINGERPRINT) != Some(request.payload.fingerprint()) {
            return Ok(Reply::mismatch());
        }
        let id =
            order.id(RECEIPT).ok_or_else(|| Failure::Other("an order has no receipt".into()))?;
        tracing::info!(receipt = %id, "the order is there already");
        Ok(Reply::created(Receipt { id }))
    }
}

/// The store under its name, for tests and for the command line.
pub fn entry() -> Entry {
    Entry::new("order-token", "the order carries its token; a retry reads the order", || OrderToken)
}

#[cfg(test)]
mod tests {
    use super::entry;
    use onestroke_sim::run::Backend;
    use onestroke_sim::testing::Check;

    #[test]
    fn an_order_is_made_once_on_a_rainy_night() {
        Check::new(entry()).scenario("rainy-night").seeds(2_000).run();
    }

    #[test]
    fn an_order_is_made_once_on_real_sqlite() {
        Check::new(entry()).scenario("network-duplicate").backend(Backend::Sqlite).seeds(200).run();
    }

    #[test]
    fn a_token_reused_for_another_order_is_refused() {
        Check::new(entry()).scenario("reused-key").run();
    }

    #[test]
    fn two_customers_may_choose_the_same_token() {
        Check::new(entry()).scenario("two-tenants").run();
    }
}

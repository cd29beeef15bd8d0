//! `seen-means-done`: marks the key as seen, then applies the effect; a key that was seen counts as
//! done. A crash after the mark, and the retry is told success though nothing ever happened.

use crate::{Claim, Ctx, Failure, Reply, Request, Store};

pub(super) const SUMMARY: &str = "marks the key as seen, then applies the effect; after a crash \
    between the two the retry is told success, and nothing happened";

/// A key that was seen counts as done.
#[derive(Debug)]
pub struct SeenMeansDone;

impl Store for SeenMeansDone {
    async fn handle(&self, ctx: &Ctx, request: &Request) -> Result<Reply, Failure> {
        let db = ctx.db();
        if let Claim::Lost(record) = db.claim(ctx, request).await? {
            return Ok(match record.replay_or_refuse(request) {
                reply if reply == Reply::in_flight() => Reply::no_content(),
                reply => reply,
            });
        }
        let receipt = db.apply(request.effect).await?;
        let reply = Reply::created(receipt);
        db.settle(request, &reply).await?;
        Ok(reply)
    }
}

//! Effects in another service: no transaction spans the two, so each store chooses which failure it
//! can live with, or passes a key on.

mod call_each_time;
mod call_then_record;
mod downstream_key;
mod frees_on_timeout;
mod mail_may_fail;
mod record_then_call;
mod refusal;
mod refusal_forgotten;
mod refusal_recorded;
mod release_on_error;

use crate::store::Entry;
use crate::{Request, Text};

/// The stores, the wrong ones first.
pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("call-each-time", call_each_time::SUMMARY, || call_each_time::CallEachTime),
        Entry::new("call-then-record", call_then_record::SUMMARY, || {
            call_then_record::CallThenRecord
        }),
        Entry::new("record-then-call", record_then_call::SUMMARY, || {
            record_then_call::RecordThenCall
        }),
        Entry::new("frees-on-timeout", frees_on_timeout::SUMMARY, || {
            frees_on_timeout::FreesOnTimeout
        }),
        Entry::new("downstream-key", downstream_key::SUMMARY, || downstream_key::DownstreamKey),
        Entry::new("release-on-error", release_on_error::SUMMARY, || {
            release_on_error::ReleaseOnError
        }),
        Entry::new("refusal-forgotten", refusal_forgotten::SUMMARY, || {
            refusal_forgotten::RefusalForgotten
        }),
        Entry::new("refusal-recorded", refusal_recorded::SUMMARY, || {
            refusal_recorded::RefusalRecorded
        }),
        Entry::new("mail-may-fail", mail_may_fail::SUMMARY, || mail_may_fail::MailMayFail),
    ]
}

/// The key under which another service is to know a request: its own, with its scope.
fn derived(request: &Request) -> Text {
    let Request { tenant, operation, key, .. } = request;
    Text::from(format!("{tenant}/{operation}/{key}"))
}

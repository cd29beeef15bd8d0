//! Identity: what makes two requests the same intent, for whom, and for how long.

mod any_payload;
mod as_agreed;
mod fingerprint_without_stamps;
mod password_after_key;
mod password_before_key;
mod password_consumes_key;
mod payload_key;
mod raw_fingerprint;
mod raw_payload_key;
mod requires_key;
mod scoped_by_credential;
mod server_made_key;
mod stable_payload_key;
mod ttl_of_a_day;
mod unscoped_endpoint;
mod window_from_completion;
mod window_from_last_hit;

pub use any_payload::AnyPayload;
pub use as_agreed::AsAgreed;
pub use fingerprint_without_stamps::FingerprintWithoutStamps;
pub use password_after_key::PasswordAfterKey;
pub use password_before_key::PasswordBeforeKey;
pub use password_consumes_key::PasswordConsumesKey;
pub use payload_key::PayloadKey;
pub use raw_fingerprint::RawFingerprint;
pub use raw_payload_key::RawPayloadKey;
pub use requires_key::RequiresKey;
pub use scoped_by_credential::ScopedByCredential;
pub use server_made_key::ServerMadeKey;
pub use stable_payload_key::StablePayloadKey;
pub use ttl_of_a_day::TtlOfADay;
pub use unscoped_endpoint::UnscopedEndpoint;
pub use window_from_completion::WindowFromCompletion;
pub use window_from_last_hit::WindowFromLastHit;

use crate::store::Entry;

pub(super) fn stores() -> Vec<Entry> {
    vec![
        Entry::new("server-made-key", server_made_key::SUMMARY, || ServerMadeKey),
        Entry::new("requires-key", requires_key::SUMMARY, || RequiresKey),
        Entry::new("raw-fingerprint", raw_fingerprint::SUMMARY, || RawFingerprint),
        Entry::new("fingerprint-without-stamps", fingerprint_without_stamps::SUMMARY, || {
            FingerprintWithoutStamps
        }),
        Entry::new("payload-key", payload_key::SUMMARY, || PayloadKey),
        Entry::new("raw-payload-key", raw_payload_key::SUMMARY, || RawPayloadKey),
        Entry::new("stable-payload-key", stable_payload_key::SUMMARY, || StablePayloadKey),
        Entry::new("unscoped-endpoint", unscoped_endpoint::SUMMARY, || UnscopedEndpoint),
        Entry::new("scoped-by-credential", scoped_by_credential::SUMMARY, || ScopedByCredential),
        Entry::new("password-consumes-key", password_consumes_key::SUMMARY, || PasswordConsumesKey),
        Entry::new("password-after-key", password_after_key::SUMMARY, || PasswordAfterKey),
        Entry::new("password-before-key", password_before_key::SUMMARY, || PasswordBeforeKey),
        Entry::new("window-from-last-hit", window_from_last_hit::SUMMARY, || WindowFromLastHit),
        Entry::new("window-from-completion", window_from_completion::SUMMARY, || {
            WindowFromCompletion
        }),
        Entry::new("ttl-of-a-day", ttl_of_a_day::SUMMARY, || TtlOfADay),
        Entry::new("any-payload", any_payload::SUMMARY, || AnyPayload),
        Entry::new("as-agreed", as_agreed::SUMMARY, || AsAgreed),
    ]
}

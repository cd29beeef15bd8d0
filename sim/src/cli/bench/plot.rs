//! Level 6. The plot of `sim bench`.

use super::Benched;

/// To come.
pub(super) fn svg(_: &Benched) -> String {
    String::new()
}

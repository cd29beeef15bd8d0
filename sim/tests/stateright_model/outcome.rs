//! What both worlds can state of one run: what was done, what the client heard, what it believes.

/// How one run ended, when nothing more can happen and the probe, if there was one, is answered.
///
/// Receipts are numbered in the order in which the client hears of them: the two worlds give out ids
/// each in its own way, and what can be compared is which replies agree.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Outcome {
    /// Committed effects of the operation.
    pub(crate) effects: u8,
    /// All replies that reached the client, in order, also those that it waits for no more.
    pub(crate) heard: Vec<Heard>,
    /// The attempt whose reply the client took for the final one.
    pub(crate) answered: Option<u8>,
    /// The client had given up before the weather cleared; its next attempt was the probe.
    pub(crate) gave_up: bool,
}

/// One reply that reached the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Heard {
    /// The attempt that it answers.
    pub(crate) attempt: u8,
    /// Its status.
    pub(crate) status: u16,
    /// Its receipt.
    pub(crate) receipt: usize,
}

/// Numbers receipts in the order in which they are first heard of.
pub(crate) fn numbered<R: PartialEq>(replies: impl Iterator<Item = (u8, u16, R)>) -> Vec<Heard> {
    let mut known: Vec<R> = Vec::new();
    let mut heard = Vec::new();
    for (attempt, status, receipt) in replies {
        let at = known.iter().position(|other| *other == receipt).unwrap_or_else(|| {
            known.push(receipt);
            known.len() - 1
        });
        heard.push(Heard { attempt, status, receipt: at + 1 });
    }
    heard
}

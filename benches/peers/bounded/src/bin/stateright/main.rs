//! The bounded question, asked of stateright's actors: depth first on one thread, which is the
//! quicker of its two searches.

mod actors;

use bounded::{Answer, Question};
use stateright::{Checker, Model};
use std::sync::PoisonError;

fn main() {
    bounded::main(answer);
}

fn answer(question: &Question) -> Answer {
    let model = actors::model(question);
    let noted = model.cfg.outcomes.clone();
    let checker = model.checker().threads(1).spawn_dfs().join();
    let outcomes =
        noted.map(|all| std::mem::take(&mut *all.lock().unwrap_or_else(PoisonError::into_inner)));
    Answer {
        violated: checker.discovery(actors::EXACTLY_ONCE).is_some(),
        explored: checker.unique_state_count() as u64,
        outcomes: outcomes.unwrap_or_default(),
    }
}

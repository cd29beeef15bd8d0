//! Level 5. Search: many runs of one setup, and the shortest story of what they found.

pub mod doctor;
pub mod exhaust;
pub mod hunt;
pub mod shrink;

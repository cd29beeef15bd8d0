//! Level 5. Search: many runs of one setup, and the shortest story of what they found.

pub mod cost;
pub mod doctor;
pub mod exhaust;
pub mod hunt;
pub mod influence;
pub mod interval;
pub mod likelihood;
pub mod shrink;
pub mod stories;
pub mod ttl;

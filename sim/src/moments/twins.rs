//! Level 3. Which operations that have arrived carry the same key, or the same payload.
//!
//! Kept by key and by payload, so that an arrival costs the same however many came before. Imports the
//! trace's facts only.

use crate::trace::OpFacts;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// All that have arrived.
#[derive(Debug, Default)]
pub(super) struct Twins {
    /// By key, by tenant and key, by tenant and payload: the group's place. Looked up only.
    places: HashMap<(Sort, u32, u32), u32, FxBuildHasher>,
    groups: Vec<Group>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sort {
    Key,
    KeyOfTenant,
    PayloadOfTenant,
}

/// Those who have one thing in common, and whether they differ in another.
#[derive(Clone, Copy, Debug)]
struct Group {
    first: u32,
    differ: bool,
}

/// The groups of an operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place([u32; 3]);

/// What an operation has in common with others that have arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alike {
    /// Another operation of the tenant has the same key and another payload.
    pub(super) reused: bool,
    /// An operation of another tenant has the same key.
    pub(super) shared: bool,
    /// Another operation of the tenant has the same payload and another key.
    pub(super) repeated: bool,
}

impl Twins {
    /// Forgets all; keeps the memory.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.groups.clear();
    }

    /// An operation arrives for the first time.
    pub(super) fn arrive(&mut self, facts: &OpFacts) -> Place {
        let tenant = u32::from(facts.tenant);
        Place([
            self.join((Sort::Key, 0, facts.key), tenant),
            self.join((Sort::KeyOfTenant, tenant, facts.key), facts.payload),
            self.join((Sort::PayloadOfTenant, tenant, facts.payload), facts.key),
        ])
    }

    /// How an operation that has arrived compares with the others.
    pub(super) fn of(&self, Place(groups): Place) -> Alike {
        let [shared, reused, repeated] = groups.map(|at| self.groups[at as usize].differ);
        Alike { reused, shared, repeated }
    }

    fn join(&mut self, group: (Sort, u32, u32), differs_by: u32) -> u32 {
        let groups = &mut self.groups;
        let place = *self.places.entry(group).or_insert_with(|| {
            groups.push(Group { first: differs_by, differ: false });
            u32::try_from(groups.len() - 1).expect("operations are bounded")
        });
        let group = &mut self.groups[place as usize];
        group.differ |= group.first != differs_by;
        place
    }
}

//! Level 1. The event queue, ordered by (time, tie, sequence).
//!
//! The tie is drawn by the weather, so that events of one moment change places from seed to seed; the
//! sequence keeps the order total. Plain heap; it keeps its memory between runs.

use crate::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An event to come, with its moment, its tie and its number of pushing.
pub type Listed<T> = ((Time, u16, u32), T);

/// Events to come.
#[derive(Debug)]
pub struct Queue<T> {
    heap: BinaryHeap<Entry<T>>,
    sequence: u32,
}

impl<T> Queue<T> {
    /// An empty queue.
    pub const fn new() -> Self {
        Self { heap: BinaryHeap::new(), sequence: 0 }
    }

    /// Forgets all; keeps the memory.
    pub fn clear(&mut self) {
        self.heap.clear();
        self.sequence = 0;
    }

    /// Lets `what` happen at a moment.
    pub fn push(&mut self, at: Time, tie: u16, what: T) {
        self.sequence += 1;
        self.heap.push(Entry { key: Reverse((at, tie, self.sequence)), what });
    }

    /// For how many events it has room.
    pub fn room(&self) -> usize {
        self.heap.capacity()
    }

    /// Puts all events into a list, in their order. The numbers of pushing are left out: only the
    /// order is theirs.
    pub fn list(&self, list: &mut Vec<Listed<T>>)
    where
        T: Copy,
    {
        list.clear();
        list.extend(self.heap.iter().map(|entry| (entry.key.0, entry.what)));
        list.sort_unstable_by_key(|(key, _)| *key);
    }

    /// The next event, and its moment.
    pub fn pop(&mut self) -> Option<(Time, T)> {
        self.heap.pop().map(|entry| (entry.key.0.0, entry.what))
    }
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[derive(Debug)]
struct Entry<T> {
    key: Reverse<(Time, u16, u32)>,
    what: T,
}

impl<T> PartialEq for Entry<T> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<T> Eq for Entry<T> {}

impl<T> PartialOrd for Entry<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Entry<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_by_time_then_tie_then_order_of_pushing() {
        let mut queue = Queue::new();
        let at = Time::from_micros;
        for (time, tie, name) in [(2, 0, 'd'), (1, 9, 'c'), (1, 0, 'a'), (1, 0, 'b'), (3, 0, 'e')] {
            queue.push(at(time), tie, name);
        }
        let order: String = std::iter::from_fn(|| queue.pop().map(|(_, name)| name)).collect();
        assert_eq!(order, "abcde");
    }
}

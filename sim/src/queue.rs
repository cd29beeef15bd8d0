//! Level 1. The event queue, ordered by (time, tie, sequence).
//!
//! The tie is drawn by the weather, so that events of one moment change places from seed to seed; the
//! sequence keeps the order total. A usual run has a dozen events to come: they lie in order, the next one last,
//! so that it is there when it is asked for, and what is to come soon finds its place in a step or two. That costs
//! less than a heap's branches, which nobody can predict. What does not find room there goes to a heap. It
//! keeps its memory between runs.

use crate::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An event to come, with its moment, its tie and its number of pushing.
pub type Listed<T> = ((Time, u16, u32), T);

/// How many events lie in order.
const FLAT: usize = 24;

/// Events to come.
#[derive(Debug)]
pub struct Queue<T> {
    /// Keys with their events' places, the next one last.
    keys: Vec<u128>,
    /// Events by place.
    flat: Vec<T>,
    /// Places that are free again.
    free: Vec<u16>,
    heap: BinaryHeap<Entry<T>>,
    sequence: u32,
}

// time 64 | tie 16 | sequence 32 | place 16
const fn key(at: Time, tie: u16, sequence: u32) -> u128 {
    (at.as_micros() as u128) << 64 | (tie as u128) << 48 | (sequence as u128) << 16
}

const fn parts(key: u128) -> (Time, u16, u32) {
    (Time::from_micros((key >> 64) as u64), (key >> 48) as u16, (key >> 16) as u32)
}

impl<T: Copy> Queue<T> {
    /// An empty queue.
    pub const fn new() -> Self {
        Self {
            keys: Vec::new(),
            flat: Vec::new(),
            free: Vec::new(),
            heap: BinaryHeap::new(),
            sequence: 0,
        }
    }

    /// Forgets all; keeps the memory.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.flat.clear();
        self.free.clear();
        self.heap.clear();
        self.sequence = 0;
    }

    /// Lets `what` happen at a moment.
    pub fn push(&mut self, at: Time, tie: u16, what: T) {
        self.sequence += 1;
        let key = key(at, tie, self.sequence);
        if self.keys.len() >= FLAT {
            self.heap.push(Entry { key: Reverse(key), what });
            return;
        }
        let place = match self.free.pop() {
            Some(place) => {
                self.flat[usize::from(place)] = what;
                place
            }
            None => {
                self.flat.push(what);
                (self.flat.len() - 1) as u16
            }
        };
        let key = key | u128::from(place);
        let mut at = self.keys.len();
        self.keys.push(key);
        while at > 0 && self.keys[at - 1] < key {
            self.keys[at] = self.keys[at - 1];
            at -= 1;
        }
        self.keys[at] = key;
    }

    /// For how many events it has room.
    pub fn room(&self) -> usize {
        self.keys.capacity() + self.flat.capacity() + self.free.capacity() + self.heap.capacity()
    }

    /// Puts all events into a list, in their order. The numbers of pushing are left out: only the
    /// order is theirs.
    pub fn list(&self, list: &mut Vec<Listed<T>>) {
        list.clear();
        let flat = self.keys.iter().rev();
        list.extend(flat.map(|key| (parts(*key), self.flat[usize::from(*key as u16)])));
        if !self.heap.is_empty() {
            list.extend(self.heap.iter().map(|entry| (parts(entry.key.0), entry.what)));
            list.sort_unstable_by_key(|(key, _)| *key);
        }
    }

    /// The next event, and its moment.
    pub fn pop(&mut self) -> Option<(Time, T)> {
        let next = self.keys.last().copied();
        if let Some(entry) = self.heap.peek()
            && next.is_none_or(|next| entry.key.0 < next)
        {
            return self.heap.pop().map(|entry| (parts(entry.key.0).0, entry.what));
        }
        let next = next?;
        self.keys.pop();
        let place = next as u16;
        self.free.push(place);
        Some((parts(next).0, self.flat[usize::from(place)]))
    }
}

impl<T: Copy> Default for Queue<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[derive(Debug)]
struct Entry<T> {
    key: Reverse<u128>,
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

    #[test]
    fn a_crowd_comes_in_the_same_order() {
        let mut queue = Queue::new();
        let moment = |number: u64| number * 7_919 % 1_000;
        (0..200).for_each(|number| queue.push(Time::from_micros(moment(number)), 0, number));
        let mut order: Vec<u64> = (0..200).collect();
        order.sort_by_key(|number| moment(*number));
        let came: Vec<u64> = std::iter::from_fn(|| queue.pop().map(|(_, what)| what)).collect();
        assert_eq!(came, order);
    }
}

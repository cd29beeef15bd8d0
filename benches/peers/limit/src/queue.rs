//! A queue for few events: one flat row of keys, searched for the least.
//!
//! No branch depends on the order of the keys, so none is mispredicted. While a dozen events are
//! pending that is quicker than any heap.

/// How many events can be pending. W1 has about a dozen; a simulator could not end there.
const PLACES: usize = 64;

/// A place without an event.
const FREE: u64 = u64::MAX;

/// Events by time, and in the order in which they were pushed within one time.
#[derive(Debug)]
pub(crate) struct Queue<E> {
    /// Time, number of the push, place: 32, 26 and 6 bits.
    keys: [u64; PLACES],
    events: [E; PLACES],
    /// A bit for each place that has an event.
    taken: u64,
    pushed: u32,
}

/// Where an event lies, until it is popped.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place(u8);

impl<E: Copy> Queue<E> {
    /// An empty queue, which needs some event to fill its places with.
    pub(crate) const fn new(filler: E) -> Self {
        Self { keys: [FREE; PLACES], events: [filler; PLACES], taken: 0, pushed: 0 }
    }

    pub(crate) const fn clear(&mut self) {
        self.keys = [FREE; PLACES];
        self.taken = 0;
        self.pushed = 0;
    }

    #[inline]
    pub(crate) fn push(&mut self, at: u32, event: E) -> Place {
        let place = self.taken.trailing_ones() as usize;
        assert!(place < PLACES, "more than {PLACES} events are pending");
        self.pushed += 1;
        self.keys[place] = u64::from(at) << 32 | u64::from(self.pushed) << 6 | place as u64;
        self.events[place] = event;
        self.taken |= 1 << place;
        Place(place as u8)
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u32, E)> {
        let used = PLACES - self.taken.leading_zeros() as usize;
        let mut least = [FREE; 4];
        for four in self.keys[..used.next_multiple_of(4)].chunks_exact(4) {
            for (least, key) in least.iter_mut().zip(four) {
                *least = (*least).min(*key);
            }
        }
        let key = least[0].min(least[1]).min(least[2].min(least[3]));
        if key == FREE {
            return None;
        }
        let place = (key % PLACES as u64) as u8;
        self.cancel(Place(place));
        Some(((key >> 32) as u32, self.events[usize::from(place)]))
    }

    /// Takes an event out that was not popped.
    #[inline]
    pub(crate) fn cancel(&mut self, Place(place): Place) {
        self.keys[usize::from(place) % PLACES] = FREE;
        self.taken &= !(1 << (place % PLACES as u8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_by_time_and_then_as_they_were_pushed() {
        let mut queue = Queue::new(' ');
        for (at, event) in [(3, 'd'), (1, 'a'), (2, 'c'), (1, 'b')] {
            queue.push(at, event);
        }
        let cancelled = queue.push(1, 'x');
        queue.cancel(cancelled);
        let popped: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(popped, [(1, 'a'), (1, 'b'), (2, 'c'), (3, 'd')]);
    }
}

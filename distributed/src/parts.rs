//! The parts of one task: which wait, which were sent, which are done. No I/O, no clock.

use std::ops::Range;

/// The checksum of a result.
pub(super) type Digest = [u8; 32];

/// Where a part is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// Not sent yet, or to be sent again.
    Waiting,
    /// Sent at this time, in milliseconds.
    Sent(u64),
    /// This machine does it.
    Here,
    /// Done, by a worker with this result or here.
    Done(Option<(Digest, String)>),
}

/// One part.
#[derive(Clone, Debug)]
struct Part {
    numbers: Range<u64>,
    state: State,
    /// How often it was sent.
    sent: u32,
    /// The number of the message that it was sent in last, once the server has it.
    message: Option<u64>,
}

/// What a result is to those who wait for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PartVerdict {
    /// The first result of this part.
    New(usize),
    /// The part is done with the same result, or is or was done here.
    Known,
    /// The part is done with another result, which has this checksum, of this worker: one of the
    /// two is wrong.
    Differs(usize, Digest, String),
    /// There is no such part.
    Foreign,
}

/// The parts of one task, in order.
#[derive(Debug)]
pub(super) struct Parts {
    parts: Vec<Part>,
    done: usize,
    sent: usize,
    /// Parts that this machine does now.
    here: usize,
    /// Every part before this one was sent or done at least once.
    first: usize,
}

impl Parts {
    /// Cuts items into parts of `grain`, at least 1; the last one may be smaller.
    pub(super) fn new(numbers: Range<u64>, grain: u64) -> Parts {
        let mut parts = Vec::new();
        let mut start = numbers.start;
        while start < numbers.end {
            let end = start.saturating_add(grain.max(1)).min(numbers.end);
            parts.push(Part { numbers: start..end, state: State::Waiting, sent: 0, message: None });
            start = end;
        }
        Parts { parts, done: 0, sent: 0, here: 0, first: 0 }
    }

    pub(super) fn is_done(&self) -> bool {
        self.done == self.parts.len()
    }

    /// Parts that are with the workers or in the queue.
    pub(super) const fn sent(&self) -> usize {
        self.sent
    }

    /// Parts that were not sent yet, or have to be sent again.
    pub(super) fn waiting(&self) -> usize {
        self.parts.len() - self.done - self.sent - self.here
    }

    pub(super) fn numbers(&self, part: usize) -> Range<u64> {
        self.parts[part].numbers.clone()
    }

    /// How often a part was sent.
    pub(super) fn attempts(&self, part: usize) -> u32 {
        self.parts[part].sent
    }

    /// The next part to send.
    pub(super) fn next(&mut self) -> Option<usize> {
        while self.parts.get(self.first).is_some_and(|part| part.state != State::Waiting) {
            self.first += 1;
        }
        (self.first < self.parts.len()).then_some(self.first)
    }

    /// The last part that waits.
    pub(super) fn last_waiting(&self) -> Option<usize> {
        if self.waiting() == 0 {
            return None;
        }
        self.parts.iter().rposition(|part| part.state == State::Waiting)
    }

    /// Some part that no thread here has: one that waits, else the one that was sent first.
    pub(super) fn undone(&self) -> Option<usize> {
        self.last_waiting().or_else(|| self.oldest().map(|(part, _)| part))
    }

    /// The part that was sent last and its message: of all parts that were sent it is the least
    /// likely to be in work.
    pub(super) fn newest(&self) -> Option<(usize, u64)> {
        let sent = self.parts.iter().enumerate().filter_map(|(place, part)| match part.state {
            State::Sent(at) => Some((place, at, part.message?)),
            _ => None,
        });
        sent.max_by_key(|&(_, at, message)| (at, message))
            .map(|(place, _, message)| (place, message))
    }

    fn oldest(&self) -> Option<(usize, u64)> {
        let sent = self.parts.iter().enumerate().filter_map(|(place, part)| match part.state {
            State::Sent(at) => Some((place, at)),
            _ => None,
        });
        sent.min_by_key(|&(_, at)| at)
    }

    /// The part that was sent first, if that was before `time`.
    pub(super) fn sent_before(&self, time: u64) -> Option<usize> {
        self.oldest().filter(|&(_, at)| at < time).map(|(part, _)| part)
    }

    /// A part was sent, for the first time or again.
    pub(super) fn was_sent(&mut self, part: usize, now: u64) {
        let own = &mut self.parts[part];
        self.sent += usize::from(own.state == State::Waiting);
        own.state = State::Sent(now);
        own.sent += 1;
        own.message = None;
    }

    /// The server holds the part in this message.
    pub(super) fn is_message(&mut self, part: usize, message: u64) {
        self.parts[part].message = Some(message);
    }

    /// This machine begins a part.
    pub(super) fn begin_here(&mut self, part: usize) {
        let own = &mut self.parts[part];
        self.sent -= usize::from(matches!(own.state, State::Sent(_)));
        self.here += usize::from(own.state != State::Here);
        own.state = State::Here;
    }

    /// A part has to be sent again.
    pub(super) fn back(&mut self, part: usize) {
        let own = &mut self.parts[part];
        if matches!(own.state, State::Sent(_)) {
            self.sent -= 1;
            own.state = State::Waiting;
            self.first = self.first.min(part);
        }
    }

    /// A part that was marked as sent could not be sent.
    pub(super) fn was_not_sent(&mut self, part: usize) {
        self.back(part);
        let own = &mut self.parts[part];
        own.sent = own.sent.saturating_sub(1);
    }

    /// Whether a part is neither done nor in work here.
    pub(super) fn is_open(&self, part: usize) -> bool {
        matches!(self.parts[part].state, State::Waiting | State::Sent(_))
    }

    /// A part is done: with this result of a worker, or here.
    pub(super) fn was_done(&mut self, part: usize, by: Option<(Digest, String)>) {
        let own = &mut self.parts[part];
        self.sent -= usize::from(matches!(own.state, State::Sent(_)));
        self.here -= usize::from(own.state == State::Here);
        self.done += usize::from(!matches!(own.state, State::Done(_)));
        own.state = State::Done(by);
    }

    /// What this result is.
    pub(super) fn verdict(&self, numbers: &Range<u64>, digest: &Digest) -> PartVerdict {
        let found = self.parts.binary_search_by_key(&numbers.start, |part| part.numbers.start);
        let Some(place) = found.ok().filter(|&place| self.parts[place].numbers == *numbers) else {
            return PartVerdict::Foreign;
        };
        match &self.parts[place].state {
            State::Waiting | State::Sent(_) => PartVerdict::New(place),
            State::Done(Some((known, by))) if known != digest => {
                PartVerdict::Differs(place, *known, by.clone())
            }
            State::Here | State::Done(_) => PartVerdict::Known,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(worker: &str, byte: u8) -> Option<(Digest, String)> {
        Some(([byte; 32], worker.to_owned()))
    }

    #[test]
    fn items_are_cut_into_parts_without_a_gap() {
        let mut parts = Parts::new(5..16, 4);
        let all: Vec<Range<u64>> = (0..3).map(|part| parts.numbers(part)).collect();
        assert_eq!(all, [5..9, 9..13, 13..16]);
        assert_eq!((parts.waiting(), parts.next()), (3, Some(0)));
        assert!(Parts::new(3..3, 4).is_done(), "nothing to do");
    }

    #[test]
    fn parts_are_sent_in_order_and_those_that_come_back_first() {
        let mut parts = Parts::new(0..6, 2);
        for (part, now) in [(0, 10), (1, 20), (2, 30)] {
            assert_eq!(parts.next(), Some(part));
            parts.was_sent(part, now);
        }
        assert_eq!((parts.next(), parts.sent()), (None, 3));
        parts.back(1);
        assert_eq!((parts.next(), parts.undone(), parts.waiting()), (Some(1), Some(1), 1));
        assert_eq!(parts.last_waiting(), Some(1));
        parts.was_sent(1, 35);
        parts.was_not_sent(1);
        assert_eq!((parts.next(), parts.attempts(1), parts.is_open(1)), (Some(1), 1, true));
        parts.was_sent(1, 40);
        assert_eq!((parts.attempts(1), parts.undone()), (2, Some(0)));
        assert_eq!((parts.sent_before(10), parts.sent_before(11)), (None, Some(0)));
        parts.was_sent(0, 50);
        assert_eq!((parts.sent(), parts.sent_before(45)), (3, Some(2)), "sent again");
    }

    #[test]
    fn what_this_machine_has_begun_is_not_sent_and_its_late_result_is_left_out() {
        let mut parts = Parts::new(0..8, 2);
        (0..3).for_each(|part| parts.was_sent(part, 10 * part as u64));
        assert_eq!(parts.newest(), None, "the server has none of them yet");
        (0..3).for_each(|part| parts.is_message(part, 5 + part as u64));
        assert_eq!(parts.last_waiting(), Some(3));
        parts.begin_here(3);
        assert_eq!((parts.next(), parts.last_waiting(), parts.waiting()), (None, None, 0));
        assert_eq!(parts.newest(), Some((2, 7)));
        parts.begin_here(2);
        assert_eq!((parts.sent(), parts.is_open(2), parts.newest()), (2, false, Some((1, 6))));
        assert_eq!(parts.verdict(&(4..6), &[1; 32]), PartVerdict::Known);
        parts.back(2);
        assert_eq!(parts.next(), None, "it is in work here");
        (0..4).for_each(|part| parts.was_done(part, None));
        assert!(parts.is_done() && parts.sent() == 0 && parts.waiting() == 0);
    }

    #[test]
    fn the_first_result_of_a_part_counts() {
        let mut parts = Parts::new(0..4, 2);
        parts.was_sent(0, 1);
        assert_eq!(parts.verdict(&(0..2), &[7; 32]), PartVerdict::New(0));
        parts.was_done(0, by("a", 7));
        assert_eq!(parts.verdict(&(0..2), &[7; 32]), PartVerdict::Known, "late");
        let differs = PartVerdict::Differs(0, [7; 32], "a".to_owned());
        assert_eq!(parts.verdict(&(0..2), &[8; 32]), differs);
        assert_eq!(parts.verdict(&(0..3), &[7; 32]), PartVerdict::Foreign, "cut otherwise");
        assert_eq!(parts.verdict(&(2..4), &[7; 32]), PartVerdict::New(1), "before it was sent");
        parts.was_done(1, None);
        assert_eq!(parts.verdict(&(2..4), &[9; 32]), PartVerdict::Known, "done here");
        assert_eq!((parts.is_done(), parts.sent()), (true, 0));
        parts.was_done(0, None);
        assert_eq!(parts.verdict(&(0..2), &[8; 32]), PartVerdict::Known, "computed again here");
        assert!(parts.is_done(), "and counted once");
        parts.back(0);
        assert!(parts.is_done() && !parts.is_open(0), "what is done stays done");
    }
}

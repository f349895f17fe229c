//! Bob among hostile players: he leaves, resigns and stalls whenever he is told to.

use std::time::Duration;

use super::game::Offer;
use super::habits::Habits;
use super::server::Model;

impl Habits {
    /// A server that is right in everything, on which bob doubles and resigns now and then.
    pub(crate) fn proper(seed: u64) -> Habits {
        Habits {
            bob_drops_at: None,
            ascending: seed.is_multiple_of(2),
            asks_to_double: !seed.is_multiple_of(3),
            turn_inverted_while_doubled: seed.is_multiple_of(5),
            who_line_first: seed.is_multiple_of(7),
            ..Habits::withholding("nothing", seed)
        }
    }
}

impl Model {
    /// Whether the client plays with bob.
    pub(crate) const fn is_playing(&self) -> bool {
        self.table.is_some()
    }

    /// Bob leaves, and comes back after `gone`. Offers are not saved.
    pub(crate) fn bob_leaves(&mut self, gone: Duration, now: Duration) {
        if self.bob_online {
            self.bob_drops(now);
            self.bob_back = Some(now + gone);
        }
        if let Some(saved) = &mut self.saved {
            saved.game.offer = Offer::None;
        }
    }

    /// Bob wants to resign, whoever is on turn.
    pub(crate) fn bob_resigns(&mut self, stake: u32, now: Duration) {
        self.resign(false, stake, now);
    }

    /// What bob is about to do he does after this time.
    pub(crate) fn bob_stalls(&mut self, time: Duration, now: Duration) {
        if let Some(acts) = &mut self.bob_acts {
            *acts = now + time;
        }
    }
}

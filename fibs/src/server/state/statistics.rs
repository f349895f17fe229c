//! What the server counts since it started: users by the hour, and rolls.

use super::server_state::{ConnectionId, ServerState};

/// Users who are logged in at an hour of the day: samples at each login and logout.
#[derive(Clone, Copy, Debug, Default)]
struct Users {
    samples: u64,
    sum: u64,
    least: u64,
    most: u64,
}

/// Counts since the server started.
#[derive(Clone, Debug, Default)]
pub(super) struct Statistics {
    by_hour: [Users; 24],
    /// By the first die and the second.
    rolls: [[u64; 6]; 6],
}

impl Statistics {
    pub(super) fn count_roll(&mut self, [a, b]: [u8; 2]) {
        let index = |die: u8| usize::from(die.clamp(1, 6) - 1);
        self.rolls[index(a)][index(b)] += 1;
    }

    fn count_users(&mut self, now: u64, users: u64) {
        let hour = usize::try_from(now / 3600 % 24).unwrap_or(0);
        let at = &mut self.by_hour[hour];
        at.least = if at.samples == 0 { users } else { at.least.min(users) };
        at.most = at.most.max(users);
        at.samples += 1;
        at.sum += users;
    }
}

impl ServerState {
    pub(super) fn count_users(&mut self) {
        let users = u64::try_from(self.online_ids().len()).unwrap_or(u64::MAX);
        self.statistics.count_users(self.now, users);
    }

    pub(super) fn average(&mut self, id: ConnectionId) {
        self.say(id, "Time (UTC)  average min max");
        let row = |(hour, users): (usize, &Users)| {
            let Users { samples, sum, least, most } = *users;
            let average = sum as f64 / samples as f64;
            format!("{hour:02}:00-{hour:02}:59 {average:>7.1} {least:>3} {most:>3}")
        };
        let rows = self.statistics.by_hour.iter().enumerate();
        let rows: Vec<String> = rows.filter(|(_, users)| users.samples > 0).map(row).collect();
        rows.iter().for_each(|row| self.say(id, row));
    }

    pub(super) fn dice_test(&mut self, id: ConnectionId) {
        let rolls = self.statistics.rolls;
        let all: u64 = rolls.iter().flatten().sum();
        self.say(id, &format!("n: {all} rolls since the server started"));
        for (i, row) in rolls.iter().enumerate() {
            let cells = row.iter().enumerate().map(|(j, n)| format!("{}-{} {n}", i + 1, j + 1));
            self.say(id, &cells.collect::<Vec<_>>().join("  "));
        }
        for i in 0..6 {
            let n: u64 = rolls[i].iter().sum::<u64>() + rolls.iter().map(|row| row[i]).sum::<u64>();
            self.say(id, &format!("{}: {n}", i + 1));
        }
    }

    pub(super) fn stat(&mut self, id: ConnectionId) {
        self.say(id, &format!("{} registered users.", self.accounts.len()));
    }
}

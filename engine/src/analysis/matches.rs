//! Matches: which games belong together, how they ended, and how they would have ended without
//! luck.

use std::ops::Range;

use super::analyse::Analysis;
use super::summary::summaries;
use crate::backgammon::record::RecordedGame;
use crate::backgammon::{Scoring, Seat};

/// How a match or a session of money games ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinalScore {
    /// The length of the match; `None` for money.
    pub length: Option<u16>,
    /// The points of X and O; those of a match stop at its length.
    pub points: [u32; 2],
    /// The winner of the match, if the record has its end.
    pub winner: Option<Seat>,
}

/// The games of each match, in order.
///
/// The next match begins where the names or the length change, where the score falls, or after a
/// match that was won. Money games in a row are one session.
#[must_use]
pub fn matches_in(games: &[RecordedGame]) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut begin = 0;
    for (index, pair) in games.windows(2).enumerate() {
        if !goes_on(&pair[0], &pair[1]) {
            all.push(begin..index + 1);
            begin = index + 1;
        }
    }
    if !games.is_empty() {
        all.push(begin..games.len());
    }
    all
}

fn goes_on(game: &RecordedGame, next: &RecordedGame) -> bool {
    let same_names = game.header().names == next.header().names;
    same_names
        && match (game.header().scoring, next.header().scoring) {
            (Scoring::Money { .. }, Scoring::Money { .. }) => true,
            (Scoring::Match(now), Scoring::Match(then)) => {
                let rises = now.own() <= then.own() && now.opponent() <= then.opponent();
                let begins_anew = then.own() == 0 && then.opponent() == 0 && game.won().is_some();
                now.length() == then.length() && rises && !begins_anew
            }
            _ => false,
        }
}

/// The final score of the games of one match.
#[must_use]
pub fn final_score(games: &[Analysis]) -> FinalScore {
    let Some(last) = games.last() else {
        return FinalScore { length: None, points: [0; 2], winner: None };
    };
    match last.game.header().scoring {
        Scoring::Money { .. } => {
            let mut points = [0; 2];
            for (winner, won) in games.iter().filter_map(|game| game.game.won()) {
                points[winner.index()] += won;
            }
            FinalScore { length: None, points, winner: None }
        }
        Scoring::Match(score) => {
            let mut points = [u32::from(score.own()), u32::from(score.opponent())];
            let mut winner = None;
            if let Some((seat, won)) = last.game.won() {
                // The last game may win more points than the match needs.
                let length = u32::from(score.length());
                points[seat.index()] = (points[seat.index()] + won).min(length);
                winner = (points[seat.index()] == length).then_some(seat);
            }
            FinalScore { length: Some(score.length()), points, winner }
        }
    }
}

/// The result of X without the luck of both players. In a match it is an estimate of X's winning
/// chances, 0..=1 apart from noise. For money it is the points that X won by skill in all finished
/// games. `None` for an incomplete match.
#[must_use]
pub fn luck_adjusted(games: &[Analysis]) -> Option<f32> {
    let score = final_score(games);
    let luck = |games: &[Analysis]| {
        let [x, o] = summaries(games);
        x.luck_utility - o.luck_utility
    };
    if score.length.is_none() {
        let finished: Vec<Analysis> =
            games.iter().filter(|game| game.game.won().is_some()).cloned().collect();
        let [x, o] = score.points.map(|points| points as f32);
        return (!finished.is_empty()).then(|| x - o - luck(&finished));
    }
    let winner = score.winner?;
    let complete = games.iter().all(|game| game.game.won().is_some())
        && games.windows(2).all(|pair| {
            let after = final_score(&pair[..1]).points;
            let before: [u32; 2] = match pair[1].game.header().scoring {
                Scoring::Match(score) => [score.own().into(), score.opponent().into()],
                Scoring::Money { .. } => return false,
            };
            after == before
        });
    let result = if winner == Seat::X { 1.0 } else { 0.0 };
    complete.then(|| result - luck(games))
}

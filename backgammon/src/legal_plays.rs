//! Legal plays with the checker moves that make them: for people and records, not for the hot path.

use super::checker_moves::{StepSink, walk_steps};
use super::{Dice, Position};

/// One checker moved by one die, or by several in a row when nothing was hit on the way.
///
/// ```
/// use backgammon::{CheckerMove, Position};
///
/// let play = Position::START.read_play("8/5 6/5", "31".parse()?)?.play;
/// assert_eq!(play.moves()[0], CheckerMove { from: 8, to: 5, hits: false });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CheckerMove {
    /// Where the checker starts: 1..=24, or 25 for the bar.
    pub from: u8,
    /// Where it ends: 1..=24, or 0 when borne off.
    pub to: u8,
    /// Whether it hits a blot there.
    pub hits: bool,
}

/// A whole turn: no, one, or up to four checker moves.
///
/// ```
/// use backgammon::{Dice, Position};
///
/// let dice: Dice = "65".parse()?;
/// let play = Position::START.read_play("24/13", dice)?.play;
/// assert_eq!(play.to_string(), "24/13");
/// assert_eq!(play.steps(&Position::START, dice).len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Play {
    moves: Vec<CheckerMove>,
}

/// A legal play and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Candidate {
    /// The checker moves, rearmost first.
    pub play: Play,
    /// The board afterwards, the opponent on roll.
    pub after: Position,
}

impl Play {
    /// The checker moves, rearmost first, joined where one checker moves on without hitting.
    #[must_use]
    pub fn moves(&self) -> &[CheckerMove] {
        &self.moves
    }

    /// The same play die by die, in an order in which it can be made from `before`: `24/18 18/13`
    /// for `24/13`.
    ///
    /// Empty if this is not a play of `dice` there.
    #[must_use]
    pub fn steps(&self, before: &Position, dice: Dice) -> Vec<CheckerMove> {
        let both = [dice.high(), dice.low(), dice.high(), dice.low()];
        let dice = if dice.is_double() { &both[..] } else { &both[..2] };
        let mut steps = Vec::with_capacity(dice.len());
        if split(before, self.moves.clone(), dice.to_vec(), &mut steps) {
            steps
        } else {
            Vec::new()
        }
    }

    /// One checker move alone.
    pub(super) fn single(step: CheckerMove) -> Play {
        Play { moves: vec![step] }
    }

    /// From single steps in the order they were made.
    fn from_steps(steps: &[CheckerMove]) -> Play {
        let mut moves: Vec<CheckerMove> = Vec::with_capacity(steps.len());
        let mut left = steps.to_vec();
        left.sort_by_key(|step| std::cmp::Reverse((step.from, step.to)));
        while !left.is_empty() {
            let mut joined = left.remove(0);
            while !joined.hits && joined.to != 0 {
                let Some(next) = left.iter().position(|step| step.from == joined.to) else { break };
                let step = left.remove(next);
                joined.to = step.to;
                joined.hits = step.hits;
            }
            moves.push(joined);
        }
        moves.sort_by_key(|m| (std::cmp::Reverse(m.from), m.to));
        Play { moves }
    }
}

/// Every distinct result of a roll, each with one play that leads to it. The order is that of the
/// search. A roll that cannot be played gives one empty play.
///
/// If several plays lead to the same board, the list has the play with the fewest written moves.
///
/// ```
/// use backgammon::{Position, candidates};
///
/// let plays = candidates(&Position::START, "31".parse()?);
/// let best = plays.iter().find(|candidate| candidate.play.to_string() == "8/5 6/5");
/// assert_eq!(best.ok_or("legal")?.after.opponent_pips(), 163);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn candidates(position: &Position, dice: Dice) -> Vec<Candidate> {
    let found = search(position, dice, None).found;
    if found.is_empty() {
        return vec![Candidate { play: Play::default(), after: position.flipped() }];
    }
    found.into_iter().map(|found| found.candidate).collect()
}

/// The play of [`candidates`] that leads to `after`, found without the others; `None` if no play
/// leads there.
///
/// ```
/// use backgammon::{Dice, Position, play_to};
///
/// let dice: Dice = "31".parse()?;
/// let after = Position::START.read_play("6/5 8/5", dice)?.after;
/// let play = play_to(&Position::START, dice, &after).ok_or("legal")?;
/// assert_eq!(play.to_string(), "8/5 6/5");
/// assert_eq!(play_to(&Position::START, dice, &Position::START), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn play_to(position: &Position, dice: Dice, after: &Position) -> Option<Play> {
    let mut search = search(position, dice, Some(after));
    // Where one die only can be played, the plays of both have to be compared.
    match search.found.pop() {
        Some(found) if search.most > 1 => Some(found.candidate.play),
        _ => {
            let plays = candidates(position, dice);
            plays.into_iter().find(|one| one.after == *after).map(|one| one.play)
        }
    }
}

/// What a roll leads to, or the one result asked for; nothing if the roll cannot be played.
fn search<'a>(position: &Position, dice: Dice, only: Option<&'a Position>) -> PlaySearch<'a> {
    let mut search = PlaySearch { only, found: Vec::new(), most: 0 };
    if position.own_left() > 0 {
        walk_steps(position, dice, &mut search);
        if !dice.is_double() {
            search.keep_the_higher_die(dice);
        }
    }
    search
}

/// Makes the moves that are left with the dice that are left, one die at a time.
///
/// If that cannot be, the answer is false and `steps` stays as it was.
fn split(
    position: &Position,
    moves: Vec<CheckerMove>,
    dice: Vec<u8>,
    steps: &mut Vec<CheckerMove>,
) -> bool {
    if moves.is_empty() {
        return true;
    }
    for (m, wanted) in moves.iter().enumerate() {
        for d in 0..dice.len() {
            let Some((step, next)) = position.step(wanted.from, dice[d]) else { continue };
            let arrives = step.to == wanted.to;
            // A joined move hits where it ends, never on the way.
            if step.to < wanted.to || step.hits != (arrives && wanted.hits) {
                continue;
            }
            let (mut moves, mut dice) = (moves.clone(), dice.clone());
            dice.remove(d);
            if arrives {
                moves.remove(m);
            } else {
                moves[m].from = step.to;
            }
            steps.push(step);
            if split(&next, moves, dice, steps) {
                return true;
            }
            steps.pop();
        }
    }
    false
}

struct FoundPlays {
    candidate: Candidate,
    /// The blocked die of a play that could use one die only.
    single: Option<u8>,
}

struct PlaySearch<'a> {
    /// The only board of interest, if there is one.
    only: Option<&'a Position>,
    found: Vec<FoundPlays>,
    most: usize,
}

impl StepSink for PlaySearch<'_> {
    fn end(&mut self, steps: &[CheckerMove], position: &Position, blocked: Option<u8>) {
        if steps.is_empty() || steps.len() < self.most {
            return;
        }
        if steps.len() > self.most {
            self.most = steps.len();
            self.found.clear();
        }
        let after = position.flipped();
        if self.only.is_some_and(|only| *only != after) {
            return;
        }
        let candidate = Candidate { play: Play::from_steps(steps), after };
        let single = (steps.len() == 1).then_some(blocked).flatten();
        match self
            .found
            .iter_mut()
            .find(|old| old.candidate.after == candidate.after && old.single == single)
        {
            None => self.found.push(FoundPlays { candidate, single }),
            Some(old) if candidate.play.moves.len() < old.candidate.play.moves.len() => {
                old.candidate = candidate
            }
            Some(_) => {}
        }
    }
}

impl PlaySearch<'_> {
    /// When one die only can be played, a play of the higher one forbids those of the lower one.
    fn keep_the_higher_die(&mut self, dice: Dice) {
        if self.most != 1 {
            return;
        }
        // `single` is the blocked die: the other one was played.
        if self.found.iter().any(|found| found.single == Some(dice.low())) {
            self.found.retain(|found| found.single == Some(dice.low()));
        }
        let mut seen: Vec<Position> = Vec::new();
        self.found.retain(|found| {
            let new = !seen.contains(&found.candidate.after);
            seen.push(found.candidate.after);
            new
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plays(own: &[(usize, i8)], opponent: &[(usize, i8)], dice: &str) -> Vec<String> {
        let position = Position::from_sides(own, opponent).expect("legal");
        let mut plays: Vec<String> = candidates(&position, dice.parse().expect("a roll"))
            .iter()
            .map(|c| c.play.to_string())
            .collect();
        plays.sort();
        plays
    }

    #[test]
    fn every_play_can_be_made_die_by_die() {
        let boards = [
            Position::START,
            Position::from_sides(&[(25, 2), (8, 3), (6, 4)], &[(20, 1), (6, 2), (4, 1)])
                .expect("legal"),
            Position::from_sides(&[(6, 1), (4, 2), (1, 1)], &[(23, 1), (3, 1)]).expect("legal"),
            Position::from_sides(&[(3, 1)], &[(3, 1)]).expect("legal"),
        ];
        for (before, dice) in boards.iter().flat_map(|b| Dice::ALL.map(|dice| (b, dice))) {
            for Candidate { play, after } in candidates(before, dice) {
                let mut position = *before;
                let mut left = vec![dice.high(), dice.low(), dice.high(), dice.low()];
                left.truncate(if dice.is_double() { 4 } else { 2 });
                let steps = play.steps(before, dice);
                for step in &steps {
                    // Which die it was, and that a single checker may go that way by it.
                    let die = left.iter().position(|&die| {
                        position.step(step.from, die).is_some_and(|(made, _)| made == *step)
                    });
                    let die =
                        left.remove(die.unwrap_or_else(|| panic!("{play} of {dice}: {step:?}")));
                    position = position.step(step.from, die).expect("checked").1;
                }
                assert_eq!(position.flipped(), after, "{play} of {dice} as {steps:?}");
            }
        }
    }

    #[test]
    fn a_joined_move_comes_apart_where_it_may_rest() {
        let before = Position::from_sides(&[(24, 1)], &[(25 - 21, 2)]).expect("legal");
        let dice: Dice = "63".parse().expect("a roll");
        let play = before.read_play("24/15", dice).expect("legal").play;
        let steps: Vec<_> = play.steps(&before, dice).iter().map(|s| (s.from, s.to)).collect();
        assert_eq!(steps, [(24, 18), (18, 15)], "the 21 point is closed");
    }

    #[test]
    fn a_checker_that_hits_on_the_way_shows_where() {
        let o = [(25 - 5, 1), (24, 1)];
        assert_eq!(plays(&[(8, 1)], &o, "31"), ["8/4", "8/5*/4"]);
    }

    #[test]
    fn equal_moves_are_counted_in_brackets() {
        let o = [(25 - 12, 2)];
        let expected = ["24/16 24/20 8/4", "24/16 8/4(2)", "24/16(2)", "24/20(2) 8/4(2)"];
        assert_eq!(plays(&[(24, 2), (8, 2)], &o, "44"), expected);
    }

    #[test]
    fn the_play_to_a_board_is_that_of_the_list_and_no_other_board_has_one() {
        let (mut position, mut compared) = (Position::START, 0);
        for turn in 0..300 {
            let dice = Dice::ALL[turn * 5 % 21];
            let found = candidates(&position, dice);
            for candidate in &found {
                let play = play_to(&position, dice, &candidate.after);
                assert_eq!(play.as_ref(), Some(&candidate.play), "{position:?} {dice}");
                compared += 1;
            }
            // Among the boards of another roll are some that one die of this one reaches.
            for other in candidates(&position, Dice::ALL[(turn * 5 + 1) % 21]) {
                let known = found.iter().any(|candidate| candidate.after == other.after);
                assert_eq!(play_to(&position, dice, &other.after).is_some(), known);
            }
            position = found[turn * 7 % found.len()].after;
            position = if position.outcome().is_some() { Position::START } else { position };
        }
        assert!(compared > 3_000, "{compared}");
    }

    #[test]
    fn a_roll_that_cannot_be_played_is_one_empty_play() {
        let o = [(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2)];
        assert_eq!(plays(&[(25, 1)], &o, "66"), [""]);
    }

    #[test]
    fn bar_and_off_have_their_names() {
        assert_eq!(plays(&[(25, 1)], &[(6, 2)], "21"), ["bar/22"]);
        assert_eq!(plays(&[(2, 1), (1, 1)], &[(6, 2)], "21"), ["2/off", "2/off 1/off"]);
    }
}

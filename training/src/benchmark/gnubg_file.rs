//! GNU Backgammon's benchmark files (`contact.bm`, `crashed.bm`, `race.bm`): plays with the equity
//! that rollouts say they lose.
//!
//! A line that counts is `m POSITION DIE DIE BEST EQUITY PLAY LOSS PLAY LOSS ...`. A board is the
//! 80 bits of its GNU Position ID in 20 letters from A to P, four bits a letter. In POSITION the
//! player who decides is on roll. BEST and PLAY are the boards after a play, the opponent on roll.
//! All other lines are settings, seeds, comments, and outcomes of rollouts.
//!
//! | source | says |
//! |---|---|
//! | manual of sagnubg, which wrote the files (`pages.quicksilver.net.nz/pepe/ngb/src/index-top.html`) | the parts of a line |
//! | `gnubg_nn.training.referr` of the Python package gnubg-nn | lines that do not count, unlisted plays |
//! | Ian Shaw on bug-gnubg, 21 October 2003 | the letters |
//! | `cpp/include/bgbot/benchmark.h` of markbgsage/bgsage | who is on roll after a play |

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::file::FileError;
use super::{BenchmarkScore, results};
use nonet_engine::backgammon::{Dice, Position};
use nonet_engine::class::Class;
use nonet_engine::eval::{Evaluator, best_result};

/// The alphabet of base64.
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A decision of a benchmark file of GNU Backgammon.
#[derive(Clone, Debug, PartialEq)]
pub struct GnubgDecision {
    /// The board before the roll.
    pub position: Position,
    /// The roll.
    pub dice: Dice,
    /// What each of the [`results`] loses, in points a game; `None` if the file does not list it.
    pub losses: Vec<Option<f32>>,
}

impl GnubgDecision {
    /// What a result loses. One that the file does not list loses as much as the worst listed one:
    /// `gnubg_nn.training.referr` scores so.
    #[must_use]
    pub fn loss(&self, result: usize) -> f32 {
        let worst = || self.losses.iter().flatten().copied().fold(0.0, f32::max);
        self.losses[result].unwrap_or_else(worst)
    }
}

/// The decisions of a benchmark file of GNU Backgammon.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GnubgDecisions {
    /// The decisions.
    pub decisions: Vec<GnubgDecision>,
}

impl GnubgDecisions {
    /// Parses the text of a file; `name` appears in errors.
    ///
    /// # Errors
    /// [`FileError`] with the number of the first invalid line.
    pub fn from_text(text: &str, name: &str) -> Result<GnubgDecisions, FileError> {
        let mut decisions = Vec::new();
        for (line, words) in text.lines().enumerate() {
            if let Some(words) = words.strip_prefix("m ") {
                let decision = read(words);
                decisions.push(decision.map_err(|reason| FileError::new(name, line + 1, reason))?);
            }
        }
        if decisions.is_empty() {
            let reason = "no plays found: expected lines `m POSITION DIE DIE BEST EQUITY ...`";
            return Err(FileError::new(name, text.lines().count(), reason.to_owned()));
        }
        Ok(GnubgDecisions { decisions })
    }

    /// Scores an evaluator on the current thread pool: for each class, by its index, and in total.
    /// The result does not depend on the number of threads.
    pub fn score(
        &self,
        evaluator: &dyn Evaluator,
    ) -> (BTreeMap<usize, BenchmarkScore>, BenchmarkScore) {
        let losses: Vec<(Class, f64, bool)> = self
            .decisions
            .par_iter()
            .map_init(Vec::new, |values, decision| {
                let found = results(&decision.position, decision.dice);
                let chosen = best_result(evaluator, &found, values);
                let loss = f64::from(decision.loss(chosen));
                (Class::of(&decision.position), loss, decision.losses[chosen].is_none())
            })
            .collect();
        let score = |of: &dyn Fn(Class) -> bool| {
            let mine = losses.iter().filter(|(class, ..)| of(*class));
            let (losses, unlisted): (Vec<f64>, Vec<bool>) =
                mine.map(|&(_, loss, unlisted)| (loss, unlisted)).unzip();
            BenchmarkScore::of_listed(&losses, &unlisted)
        };
        let by_class =
            Class::all().enumerate().map(|(place, class)| (place, score(&|c| c == class)));
        (by_class.filter(|(_, score)| score.decisions > 0).collect(), score(&|_| true))
    }
}

fn read(words: &str) -> Result<GnubgDecision, String> {
    let mut words = words.split_ascii_whitespace();
    let (Some(board), Some(high), Some(low)) = (words.next(), words.next(), words.next()) else {
        return Err("invalid decision: expected a position and two dice".into());
    };
    let position = board_of(board)?;
    let dice = match (high.parse(), low.parse()) {
        (Ok(high), Ok(low)) => Dice::new(high, low),
        _ => None,
    };
    let dice = dice
        .ok_or_else(|| format!("invalid roll '{high} {low}': expected two numbers from 1 to 6"))?;
    let found = results(&position, dice);
    let mut losses = vec![None; found.len()];
    let mut is_best = true;
    while let Some(board) = words.next() {
        let result = board_of(board)?;
        let number = words.next().ok_or_else(|| format!("no number follows the play {board}"))?;
        let number: f32 = match number.parse() {
            Ok(number) if f32::is_finite(number) => number,
            _ => return Err(format!("invalid number '{number}' of the play {board}")),
        };
        let place = found
            .iter()
            .position(|legal| *legal == result)
            .ok_or_else(|| format!("the play {board} ({}) is not legal", result.id()))?;
        // The number of the best play is its equity.
        let loss = if is_best { 0.0 } else { number };
        if loss < 0.0 {
            return Err(format!("invalid loss {loss} of the play {board}: expected at least 0"));
        }
        losses[place] = Some(loss);
        is_best = false;
    }
    if is_best {
        return Err("invalid decision: expected at least one play".into());
    }
    Ok(GnubgDecision { position, dice, losses })
}

/// A board in letters.
fn board_of(letters: &str) -> Result<Position, String> {
    if letters.len() != 20 || !letters.bytes().all(|letter| (b'A'..=b'P').contains(&letter)) {
        return Err(format!("invalid board '{letters}': expected 20 letters from A to P"));
    }
    let bits = letters.bytes().fold(0_u128, |bits, letter| bits << 4 | u128::from(letter - b'A'));
    // Four zeros make 14 groups of six bits.
    let sixes = (0..14).rev().map(|group| (bits << 4) >> (6 * group) & 63);
    let id: String = sixes.map(|six| char::from(BASE64[six as usize])).collect();
    Position::from_id(&id).map_err(|error| format!("invalid board '{letters}': {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::backgammon::Results;
    use nonet_engine::eval::{Evaluation, ScriptedEvaluator};

    /// Boards and plays as gnubg-nn 1.1.0a11 writes them (`key_of_board`, and `best_move` with a
    /// list).
    ///
    /// They are the opening roll 31, and a 42 in the position `jGfwASTY1sEDIA`. The evaluations of
    /// gnubg-nn at 1-ply (gnubg's count) stand for those of rollouts.
    const TEXT: &str = "\
# a comment
s nRollOutGames 1296
r 1
m OAHDPAABDAOAHDPAABDA 3 1 LAGHPAABDAOAHDPAABDA 0.162919 NAHDPAABCCOAHDPAABDA 0.177804 \
OAHDOCABCIOAHDPAABDA 0.179085 NAHDOCABDAOAHDPAABDA 0.182484
o OAHDPAABDAOAHDPAABDA 0.5 0.1 0.0 0.1 0.0
m IMGHPAABCENINGMBADCA 4 2 NILGIDADCAIMGHPAABCE 0.671400 LBMNMBADCAIMGHPAABGA 0.014689 \
LEJNMBADCAIMGHPAABFA 0.091183 LEMNJBADCAIMGHPAABFA 0.096085
";

    fn read(text: &str) -> GnubgDecisions {
        GnubgDecisions::from_text(text, "x.bm").expect("readable")
    }

    /// The place of a play among the results.
    fn place(decision: &GnubgDecision, play: &str) -> usize {
        let after = decision.position.read_play(play, decision.dice).expect("legal").after;
        let found = results(&decision.position, decision.dice);
        found.iter().position(|result| *result == after).expect("a result")
    }

    #[test]
    fn plays_have_the_losses_of_their_lines() {
        let GnubgDecisions { decisions } = read(TEXT);
        let [opening, second] = &decisions[..] else { panic!("{decisions:?}") };
        assert_eq!((opening.position, opening.dice.to_string()), (Position::START, "31".into()));
        assert_eq!(second.position.id(), "jGfwASTY1sEDIA");
        let of = |decision, play| {
            let place = place(decision, play);
            (decision.losses[place], decision.loss(place))
        };
        assert_eq!(of(opening, "8/5 6/5"), (Some(0.0), 0.0));
        assert_eq!(of(opening, "24/21 6/5"), (Some(0.177_804), 0.177_804));
        assert_eq!(of(opening, "24/23 13/10"), (Some(0.179_085), 0.179_085));
        assert_eq!(of(opening, "13/10 6/5"), (Some(0.182_484), 0.182_484));
        // Not listed: the worst listed loss.
        assert_eq!(of(opening, "13/9"), (None, 0.182_484));
        assert_eq!(of(second, "7/3 3/1"), (Some(0.014_689), 0.014_689));
        assert_eq!(second.losses.iter().flatten().count(), 4);
    }

    #[test]
    fn a_player_loses_what_its_plays_lose() {
        let set = read(TEXT);
        // Wants one board of each decision.
        let likes = |plays: [&str; 2]| {
            let wanted = [0, 1].map(|at: usize| {
                let decision = &set.decisions[at];
                results(&decision.position, decision.dice)[place(decision, plays[at])]
            });
            let value = move |position: &Position| {
                Evaluation::of_win_chance(if wanted.contains(position) { 0.25 } else { 0.5 })
            };
            set.score(&ScriptedEvaluator(value))
        };
        let (by_class, all) = likes(["8/5 6/5", "13/9 9/7"]);
        assert_eq!((all.decisions, all.er, all.agreed, all.unlisted), (2, 0.0, 1.0, Some(0.0)));
        assert_eq!(by_class.values().map(|score| score.decisions).sum::<u64>(), 2);
        let (_, all) = likes(["13/9", "7/3 3/1"]);
        let mean = 1000.0 * (0.182_484 + 0.014_689) / 2.0;
        assert!((all.er - mean).abs() < 1e-4, "{all:?}");
        assert_eq!((all.agreed, all.unlisted, all.equity_error), (0.0, Some(0.5), None));
    }

    #[test]
    fn a_single_listed_play_leaves_nothing_to_lose() {
        let line = "m OAHDPAABDAOAHDPAABDA 3 1 LAGHPAABDAOAHDPAABDA 0.1\n";
        let decision = &read(line).decisions[0];
        assert!(
            (0..Results::default().of(&Position::START, decision.dice).len())
                .all(|result| decision.loss(result) == 0.0)
        );
    }

    #[test]
    fn errors_name_the_invalid_line() {
        let refused =
            |text: &str| GnubgDecisions::from_text(text, "x.bm").expect_err(text).to_string();
        assert!(refused("").contains("no plays found"));
        assert!(refused("hello\nm\n").contains("no plays found"));
        let bad = |from: &str, to: &str, says: &str| {
            let error = refused(&TEXT.replacen(from, to, 1));
            assert!(error.starts_with("x.bm:4: ") && error.contains(says), "{error}");
        };
        bad("3 1 ", "3 7 ", "7");
        bad("A 3 1 LAGHPAABDAOAHDPAABDA", "A 3", "invalid roll '3 0.162919'");
        bad("LAGHPAABDA", "QAGHPAABDA", "expected 20 letters from A to P");
        bad("LAGHPAABDA", "LÄGHPAABD", "expected 20 letters from A to P");
        // The mover on roll after the play.
        bad("LAGHPAABDAOAHDPAABDA", "OAHDPAABDALAGHPAABDA", "is not legal");
        bad("0.177804", "x", "invalid number 'x'");
        bad("0.177804", "inf", "invalid number 'inf'");
        bad("0.177804", "-0.1", "expected at least 0");
        bad(" 0.182484\n", "\n", "no number follows the play");
        bad(" LAGHPAABDAOAHDPAABDA 0.162919", " 0.1", "invalid board '0.1'");
        bad("m OAHDPAABDAOAHDPAABDA", "m PPPPPPPPPPPPPPPPPPPP", "invalid board 'PPPP");
    }
}

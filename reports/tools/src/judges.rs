//! Judges: rollouts by nonet and by GNU Backgammon, of plays without the cube, and of decisions of
//! matches.

use nonet::backgammon::{Candidate, Dice, GameState, MatchState, Position, Scoring, Turn};
use nonet::engine::Engine;
use nonet::progress::Progress;
use nonet::rollout::{CubeRollout, RolloutConfig, RolloutLine, RolloutSums};

use crate::gnubg_text::{after_rollout, answers_to, cube_equities, rank_of_plays, rolled_out};
use crate::recorded::{Kind, Question};

/// A decision with the plays to judge.
pub struct Judged<'a> {
    /// The board before the roll.
    pub position: &'a Position,
    /// The roll.
    pub dice: Dice,
    /// The plays.
    pub plays: &'a [Candidate],
}

impl Judged<'_> {
    /// The decision for money without the Jacoby rule.
    pub fn xgid(&self) -> String {
        let mut state = MatchState::new(Scoring::Money { jacoby: false, beavers: false });
        state.turn = Turn::Rolled(self.dice);
        GameState { position: *self.position, state }.xgid()
    }

    /// The mean equity of each play for its player, and its standard error, by the plays of nonet.
    pub fn by_nonet(&self, engine: &Engine, config: &RolloutConfig) -> Vec<[f64; 2]> {
        let lines: Vec<_> =
            self.plays.iter().map(|play| Engine::rollout_line(&play.after, None)).collect();
        let mut sums = vec![RolloutSums::default(); lines.len()];
        engine.rollout_together(&lines, config, &mut sums, &mut |_| false, &Progress::default());
        let equities = sums.iter().map(|sums| sums.result().equity);
        equities.map(|equity| [-equity.mean, equity.stderr]).collect()
    }
}

/// gnubg's commands for rollouts with variance reduction and its 0-ply decisions, with the cube or
/// without.
fn rollout_settings(games: u64, truncate: Option<u32>, cubeful: bool) -> String {
    let truncation = truncate.map_or_else(
        || "set rollout truncation enable off\n".to_owned(),
        |plies| format!("set rollout truncation enable on\nset rollout truncation plies {plies}\n"),
    );
    let cube = if cubeful { "on" } else { "off" };
    format!(
        "set rollout trials {games}\nset rollout cubeful {cube}\nset rollout varredn on\n\
         set rollout quasirandom on\n{truncation}set rollout chequerplay plies 0\n\
         set rollout cubedecision plies 0\nset rollout truncation chequerplay plies 0\n\
         set rollout truncation cubedecision plies 0\nset rollout chequerplay cubeful {cube}\n\
         set rollout cubedecision cubeful {cube}\n\
         set rollout truncation chequerplay cubeful {cube}\n\
         set rollout truncation cubedecision cubeful {cube}\n\
         set rollout late enable off\nset rollout jsd stop off\nset output digits 6\n"
    )
}

/// A hint lists ten plays unless it is asked for more.
const HINT: &str = "set jacoby off\nhint 1000";

/// The values that several processes of gnubg find, in the order of what they are asked.
fn in_processes<T: Sync>(
    asked: &[T],
    threads: usize,
    of_some: impl Fn(&[T]) -> Vec<Vec<f64>> + Sync,
) -> Vec<Vec<f64>> {
    let share = asked.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let of_some = &of_some;
        let parts: Vec<_> =
            asked.chunks(share).map(|some| scope.spawn(move || of_some(some))).collect();
        parts.into_iter().flat_map(|part| part.join().expect("no panic")).collect()
    })
}

/// gnubg's rollouts of plays: of each decision the seed, the XGID, and the plays.
fn rolled_plays(some: &[(u64, String, &Judged)], settings: &str, cubeful: bool) -> Vec<Vec<f64>> {
    let hints: Vec<(String, String)> =
        some.iter().map(|(_, xgid, _)| (xgid.clone(), HINT.to_owned())).collect();
    let listed = answers_to(&hints, settings, 0);
    let marked = some.iter().zip(&listed).map(|((seed, xgid, judged), answer)| {
        let ranks = rank_of_plays(answer, judged.position, judged.dice, judged.plays);
        let ranks = ranks.unwrap_or_else(|| panic!("{xgid}: {answer}"));
        let marks: Vec<String> = ranks.iter().map(usize::to_string).collect();
        let command = format!(
            "set rollout seed {seed}\n{HINT}\ncmark move set rollout {}\n\
             analyse rollout move\nhint",
            marks.join(" ")
        );
        (xgid.clone(), command)
    });
    let rolled = answers_to(&marked.collect::<Vec<_>>(), settings, 0);
    let values = some.iter().zip(&rolled).map(|((_, xgid, judged), answer)| {
        rolled_out(answer, judged.position, judged.dice, judged.plays, cubeful)
            .unwrap_or_else(|| panic!("{xgid}: {answer}"))
    });
    values.collect()
}

/// What gnubg's rollouts say of the plays of each decision.
///
/// Their games and truncation are those of `config`. The seed of the dice is given with each
/// decision.
///
/// # Panics
/// If gnubg does not answer.
pub fn by_gnubg(
    decisions: &[(u64, Judged)],
    config: &RolloutConfig,
    threads: usize,
) -> Vec<Vec<f64>> {
    let settings = rollout_settings(config.games, config.truncate, false);
    let asked: Vec<(u64, String, &Judged)> =
        decisions.iter().map(|(seed, judged)| (*seed, judged.xgid(), judged)).collect();
    in_processes(&asked, threads, |some| rolled_plays(some, &settings, false))
}

/// Rollouts of decisions of matches, with cube and score. A game that is cut off counts the mean of
/// its values after this many plies and one more.
#[derive(Clone, Copy)]
pub struct RecordedRollouts {
    /// Games of each play, an even number.
    pub play_games: u64,
    /// Games of no double, and of a double that is taken, an even number.
    pub cube_games: u64,
    /// Plies.
    pub truncate: u32,
}

impl RecordedRollouts {
    const fn games(&self, kind: Kind) -> u64 {
        if matches!(kind, Kind::Play(_)) { self.play_games } else { self.cube_games }
    }

    /// What nonet's rollouts say: the equities of [`Question::plays`] for their player, or of no
    /// double and a double that is taken. Decisions are made at 1-ply.
    #[must_use]
    pub fn by_nonet(&self, engine: &Engine, question: &Question, seed: u64) -> Vec<f64> {
        let context = &question.context;
        let lines: Vec<RolloutLine> = match question.kind {
            Kind::Play(_) => {
                let theirs = context.flipped();
                let line = |play: &Candidate| Engine::line_after_play(&play.after, Some(&theirs));
                question.plays().iter().map(line).collect()
            }
            _ => CubeRollout::lines(question.state.position, &context.scoring, context.cube).into(),
        };
        let games = self.games(question.kind);
        let config = RolloutConfig {
            games,
            truncate: Some(self.truncate),
            seed,
            ..RolloutConfig::default()
        };
        let mut sums = vec![RolloutSums::default(); lines.len()];
        engine.rollout_together(&lines, &config, &mut sums, &mut |_| false, &Progress::default());
        let equities = sums.iter().map(|sums| sums.result().equity.mean);
        match question.kind {
            Kind::Play(_) => equities.map(|equity| -equity).collect(),
            _ => equities.collect(),
        }
    }

    /// The same by gnubg, half of the games after each number of plies; its decisions are 0-ply.
    ///
    /// # Panics
    /// If gnubg does not answer.
    #[must_use]
    pub fn by_gnubg(&self, asked: &[(u64, &Question)], threads: usize) -> Vec<Vec<f64>> {
        let [first, second] = [self.truncate, self.truncate + 1].map(|plies| {
            in_processes(asked, threads, |some| {
                some.iter()
                    .map(|(seed, question)| self.one_by_gnubg(question, *seed, plies))
                    .collect()
            })
        });
        let mean = |(first, second): (Vec<f64>, Vec<f64>)| {
            first.into_iter().zip(second).map(|(a, b)| f64::midpoint(a, b)).collect()
        };
        first.into_iter().zip(second).map(mean).collect()
    }

    fn one_by_gnubg(&self, question: &Question, seed: u64, plies: u32) -> Vec<f64> {
        let settings = rollout_settings(self.games(question.kind) / 2, Some(plies), true);
        let xgid = question.state.xgid();
        if let Kind::Play(dice) = question.kind {
            let plays = question.plays();
            let judged = Judged { position: &question.state.position, dice, plays: &plays };
            return rolled_plays(&[(seed, xgid, &judged)], &settings, true).remove(0);
        }
        let command = format!("set rollout seed {seed}\nhint\nanalyse rollout cube\nhint");
        let answer = answers_to(&[(xgid.clone(), command)], &settings, 0).remove(0);
        let equities = after_rollout(&answer).and_then(cube_equities);
        equities.unwrap_or_else(|| panic!("{xgid}: {answer}")).map(f64::from).to_vec()
    }
}

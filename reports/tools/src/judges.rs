//! Judges of plays: rollouts by nonet and by GNU Backgammon, without the cube.

use nonet::backgammon::{Candidate, Dice, GameState, MatchState, Position, Scoring, Turn};
use nonet::engine::Engine;
use nonet::progress::Progress;
use nonet::rollout::{RolloutConfig, RolloutSums};

use crate::gnubg_text::{answers_to, rank_of_plays, rolled_out};

/// A decision whose plays are judged.
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

/// A hint lists ten plays unless it is asked for more.
const HINT: &str = "set jacoby off\nhint 1000";

/// What gnubg's rollouts say of the plays of each decision: its games and truncation are those of
/// `config`, the seed of its dice is beside it.
///
/// # Panics
/// If gnubg does not answer.
pub fn by_gnubg(
    decisions: &[(u64, Judged)],
    config: &RolloutConfig,
    threads: usize,
) -> Vec<Vec<f64>> {
    let truncation = config.truncate.map_or_else(
        || "set rollout truncation enable off\n".to_owned(),
        |plies| format!("set rollout truncation enable on\nset rollout truncation plies {plies}\n"),
    );
    let settings = format!(
        "set rollout trials {}\nset rollout cubeful off\nset rollout varredn on\n\
         set rollout quasirandom on\n{truncation}set rollout chequerplay plies 0\n\
         set rollout truncation chequerplay plies 0\nset rollout truncation cubedecision plies 0\n\
         set rollout chequerplay cubeful off\nset rollout cubedecision cubeful off\n\
         set rollout truncation chequerplay cubeful off\n\
         set rollout truncation cubedecision cubeful off\n\
         set rollout late enable off\nset rollout jsd stop off\nset output digits 6\n",
        config.games
    );
    let of_some = |some: &[(u64, Judged)]| -> Vec<Vec<f64>> {
        let asked: Vec<(String, String)> =
            some.iter().map(|(_, judged)| (judged.xgid(), HINT.to_owned())).collect();
        let listed = answers_to(&asked, &settings, 0);
        let asked: Vec<(String, String)> = some
            .iter()
            .zip(&listed)
            .map(|((seed, judged), answer)| {
                let ranks = rank_of_plays(answer, judged.position, judged.dice, judged.plays);
                let ranks = ranks.unwrap_or_else(|| panic!("{}: {answer}", judged.xgid()));
                let marks: Vec<String> = ranks.iter().map(usize::to_string).collect();
                let command = format!(
                    "set rollout seed {seed}\n{HINT}\ncmark move set rollout {}\n\
                     analyse rollout move\nhint",
                    marks.join(" ")
                );
                (judged.xgid(), command)
            })
            .collect();
        let rolled = answers_to(&asked, &settings, 0);
        let values = some.iter().zip(&rolled).map(|((_, judged), answer)| {
            rolled_out(answer, judged.position, judged.dice, judged.plays)
                .unwrap_or_else(|| panic!("{}: {answer}", judged.xgid()))
        });
        values.collect()
    };
    let share = decisions.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let parts: Vec<_> =
            decisions.chunks(share).map(|some| scope.spawn(|| of_some(some))).collect();
        parts.into_iter().flat_map(|part| part.join().expect("no panic")).collect()
    })
}

//! Levels of play, so that people of any strength find an opponent.
//!
//! A level is the engine with noise of known size, or with plays as people choose them.

use super::{CubeContext, Engine, ScoredMove};
use crate::backgammon::{CubeOffer, Dice, Position, Scoring, Seat, Turn};
use crate::cube::Answer;
use crate::game::{MatchSession, NextAction};
use crate::strength::{ComparedPlay, Fallible, Strength};

/// A level of play: noise on every equity that the player compares, or plays as people choose them.
///
/// ```
/// use nonet_engine::engine::Level;
///
/// let level = Level::named("advanced").expect("a level");
/// assert_eq!(level.to_string(), "advanced, PR about 12");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The name in lower case.
    pub name: &'static str,
    /// How well it decides.
    pub strength: Strength,
    /// The PR as measured, and half the width of its 95 % interval; `None` if it is not measured,
    /// and without noise, because the level then judges itself.
    pub pr: Option<(f32, f32)>,
}

/// The levels: those with noise, those that play like people, the champion. Of each kind the
/// weakest is first. A level with noise has the word of its PR
/// ([`PlayerRating`](crate::analysis::PlayerRating)) as its name.
///
/// The PR of noise was measured in matches to 5 points against the champion, which judged it, at
/// 2-ply: `reports/levels.md`. The PR of the others is that of their choices in recorded positions,
/// judged at 3-ply: `reports/human-levels.md`. Their noise on cube actions is that of a level with
/// noise of the same PR.
pub const LEVELS: [Level; 10] = [
    Level::with_noise("newcomer", 0.22, (33.40, 0.82)),
    Level::with_noise("casual-player", 0.14, (21.45, 1.10)),
    Level::with_noise("advanced", 0.085, (11.91, 0.63)),
    Level::like_people("human-11", 0.08, (11.0, 0.7)),
    Level::like_people("human-8", 0.064, (8.0, 0.5)),
    Level::like_people("human-6", 0.052, (6.0, 0.3)),
    Level::with_noise("expert", 0.05, (5.65, 0.39)),
    Level::like_people("human-4", 0.038, (4.0, 0.2)),
    Level::with_noise("world-class", 0.03, (2.89, 0.26)),
    Level::CHAMPION,
];

impl Level {
    /// The engine without noise.
    pub const CHAMPION: Level = Level { name: "champion", strength: Strength::PERFECT, pr: None };

    const fn with_noise(name: &'static str, noise: f32, pr: (f32, f32)) -> Level {
        Level { name, strength: Strength { noise, people: None }, pr: Some(pr) }
    }

    const fn like_people(name: &'static str, noise: f32, pr: (f32, f32)) -> Level {
        Level { name, strength: Strength { noise, people: Some(pr.0) }, pr: Some(pr) }
    }

    /// The level of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Level> {
        LEVELS.into_iter().find(|level| level.name == name)
    }
}

impl std::fmt::Display for Level {
    /// `advanced, PR about 12`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.pr {
            Some((pr, _)) => write!(f, "{}, PR about {pr:.0}", self.name),
            None => f.write_str(self.name),
        }
    }
}

/// An engine that decides at a level.
///
/// The noise of a play follows from the seed, the position and the play alone, not from the order
/// of questions. So a match that was interrupted, or a decision that was taken back, goes on in the
/// same way.
#[derive(Clone)]
pub struct LevelPlayer {
    engine: Engine,
    level: Level,
    player: Fallible,
}

/// An action of a player.
#[derive(Clone, Debug, PartialEq)]
pub enum LevelAction {
    /// Rolled the dice.
    Rolled,
    /// Doubled.
    Doubled,
    /// Played a roll.
    Played(Dice, ScoredMove),
    /// Answered a double or a beaver.
    Answered(Answer),
}

impl LevelPlayer {
    /// A player of this level; `seed` is that of the noise.
    #[must_use]
    pub const fn new(engine: Engine, level: Level, seed: u64) -> LevelPlayer {
        LevelPlayer { engine, level, player: Fallible { strength: level.strength, seed } }
    }

    /// The level.
    #[must_use]
    pub const fn level(&self) -> &Level {
        &self.level
    }

    /// The play of a roll: the best one after the noise, or the one that people choose.
    #[must_use]
    pub fn best(&self, position: &Position, dice: Dice, context: &CubeContext) -> ScoredMove {
        let mut plays = self.engine.rank(position, dice, context);
        let compared: Vec<ComparedPlay> = plays.iter().map(ComparedPlay::from).collect();
        match self.player.choose(position, dice, context.cube, &compared) {
            Some(chosen) => plays.swap_remove(chosen),
            None => self.engine.best(position, dice, context),
        }
    }

    /// Whether the player on roll doubles.
    #[must_use]
    pub fn doubles(&self, position: &Position, context: &CubeContext) -> bool {
        let decision = self.engine.cube_decision(position, context);
        self.player.doubles(&decision, position, context.cube)
    }

    /// The answer to a double; `position` and `context` are those of the doubler before the double.
    #[must_use]
    pub fn answer(&self, position: &Position, context: &CubeContext) -> Answer {
        let decision = self.engine.cube_decision(position, context);
        let beavers = matches!(context.scoring.session(), Scoring::Money { beavers: true, .. });
        self.player.answer(&decision, position, context.cube, beavers)
    }

    /// Takes the next action of `session` for `player`; `None` if it is not theirs.
    ///
    /// # Errors
    /// [`crate::cube::MetError`] if the match equity table does not reach the score.
    ///
    /// # Panics
    /// Never: the actions are legal.
    #[allow(clippy::expect_used, reason = "the actions are legal")]
    pub fn act(
        &self,
        session: &mut MatchSession,
        player: Seat,
    ) -> Result<Option<LevelAction>, crate::cube::MetError> {
        let of = |session: &MatchSession, seat: Seat| {
            self.engine.context(session.scoring(seat), session.cube(seat))
        };
        let deed = match session.next_action() {
            NextAction::Roll(seat) if seat == player => {
                let context = of(session, player)?;
                let doubles = context.may_double() && self.doubles(session.position(), &context);
                if doubles && session.double().is_ok() {
                    LevelAction::Doubled
                } else {
                    session.roll();
                    LevelAction::Rolled
                }
            }
            NextAction::Play(seat, dice) if seat == player => {
                let play = self.best(session.position(), dice, &of(session, player)?);
                session.play(play.after()).expect("a ranked play is legal");
                LevelAction::Played(dice, play)
            }
            NextAction::Answer(seat) if seat == player => {
                let state = session.state();
                let context = of(session, state.state.on_roll)?;
                let answer = match state.state.turn {
                    Turn::Offered(CubeOffer::Beaver) => {
                        self.engine.beaver_decision(&state.position, &context).answer()
                    }
                    _ => self.answer(&state.position, &context),
                };
                // The cube may be at its highest value already.
                let answer = match answer {
                    Answer::Beaver if session.beaver().is_ok() => Answer::Beaver,
                    answer => {
                        let take = answer != Answer::Pass;
                        session.answer(take).expect("a double was offered");
                        if take { Answer::Take } else { Answer::Pass }
                    }
                };
                LevelAction::Answered(answer)
            }
            _ => return Ok(None),
        };
        Ok(Some(deed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::PlayerRating;
    use crate::search::Plies;

    fn engine() -> Engine {
        let swift = crate::open::net("swift").expect("built in").team;
        Engine::builder().net(swift).plies(Plies::ONE).build().expect("an engine")
    }

    fn money(engine: &Engine) -> CubeContext {
        let scoring = Scoring::Money { jacoby: false, beavers: false };
        engine.context(scoring, crate::backgammon::Cube::CENTRED).expect("money")
    }

    #[test]
    fn the_same_seed_position_and_roll_give_the_same_play_in_any_order() {
        let engine = engine();
        let context = money(&engine);
        for name in ["newcomer", "human-11"] {
            let level = Level::named(name).expect("a level");
            let player = LevelPlayer::new(engine.clone(), level, 5);
            let plays = |rolls: &mut dyn Iterator<Item = Dice>| -> Vec<(Dice, Position)> {
                let mut all: Vec<_> = rolls
                    .map(|dice| (dice, *player.best(&Position::START, dice, &context).after()))
                    .collect();
                all.sort_by_key(|(dice, _)| dice.to_string());
                all
            };
            let there = plays(&mut Dice::ALL.into_iter());
            assert_eq!(there, plays(&mut Dice::ALL.into_iter().rev()), "{name}");
        }
    }

    #[test]
    fn a_level_with_noise_is_called_by_the_word_of_its_pr() {
        let with_noise =
            |level: &Level| level.strength.noise > 0.0 && level.strength.people.is_none();
        for level in LEVELS.iter().filter(|level| with_noise(level)) {
            let (pr, _) = level.pr.expect("measured");
            assert_eq!(level.name, PlayerRating::of(pr).name().replace(' ', "-"));
        }
    }

    #[test]
    fn a_weaker_level_loses_more_and_the_champion_loses_nothing() {
        let engine = engine();
        let context = money(&engine);
        let loss = |level: Level| -> f32 {
            (0..20)
                .map(|seed| {
                    let player = LevelPlayer::new(engine.clone(), level, seed);
                    let of = |dice| {
                        engine.best(&Position::START, dice, &context).equity
                            - player.best(&Position::START, dice, &context).equity
                    };
                    Dice::ALL.into_iter().map(of).sum::<f32>()
                })
                .sum()
        };
        let losses = LEVELS.map(loss);
        for like_people in [false, true] {
            let is_of = |level: &Level| level.strength.people.is_some() == like_people;
            let kind: Vec<f32> = (LEVELS.iter().zip(losses))
                .filter_map(|(level, lost)| (is_of(level) || level.pr.is_none()).then_some(lost))
                .collect();
            assert!(kind.windows(2).all(|pair| pair[0] > pair[1]), "{losses:?}");
        }
        assert_eq!(losses[9], 0.0);
    }

    #[test]
    fn a_beaver_is_taken_in_a_won_race_and_passed_in_a_lost_one() {
        let player = LevelPlayer::new(engine(), Level::CHAMPION, 1);
        let won = "XGID=---C--------eee-----------:0:0:1:00:0:0:2:0:10";
        let lost = "XGID=-----------EEE--------c---:0:0:1:00:0:0:2:0:10";
        for (id, answer) in [(won, Answer::Take), (lost, Answer::Pass)] {
            let game: crate::backgammon::GameState = id.parse().expect("an XGID");
            let session = MatchSession::from_position(["a".into(), "b".into()], &game, 1);
            let mut session = session.expect("legal");
            session.double().expect("legal");
            session.beaver().expect("legal");
            let done = player.act(&mut session, Seat::X).expect("money");
            assert_eq!(done, Some(LevelAction::Answered(answer)), "{id}");
        }
    }

    #[test]
    fn players_of_all_levels_finish_money_games_with_beavers() {
        let engine = engine();
        for level in LEVELS {
            let players =
                Seat::BOTH.map(|seat| LevelPlayer::new(engine.clone(), level, seat.index() as u64));
            let scoring = Scoring::Money { jacoby: true, beavers: true };
            let mut session = MatchSession::new(["a".into(), "b".into()], scoring, 3);
            let mut deeds = 0;
            while session.next_action() != NextAction::NextGame {
                for (seat, player) in Seat::BOTH.into_iter().zip(&players) {
                    deeds += u32::from(player.act(&mut session, seat).expect("money").is_some());
                }
                assert!(deeds < 1000, "{} does not finish", level.name);
            }
        }
    }
}

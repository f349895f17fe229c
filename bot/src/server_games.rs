//! Games to learn from that are played on a practice server in this process, one rated match of a
//! point each.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use fibs::Password;
use fibs::agent::{Agent, Event, GameEnd, IdleAction, Lobby, TurnContext};
use fibs::message::Length;
use fibs::rating::Standing;
use fibs::server::{Options, Server, play_in_process};
use fibs::session::Config;
use rand::Rng;

use crate::cube_scoring;
use crate::decider::Decider;
use crate::learning::rated_pool::{PoolMember, RatedPool};
use crate::records::log_event::LogEvent;
use crate::records::match_record::MatchRecord;
use crate::to_engine;
use nonet_engine::backgammon::{Position, Scoring};
use nonet_engine::engine::{CubeContext, Engine};
use nonet_engine::eval::{ExternalFailure, Specialists};
use nonet_engine::game::{Game, MAX_TURNS, StreamPurpose, stream};
use nonet_engine::search::{Plies, SearchSettings};
use nonet_training::train::{GameBatch, GameSource, SourceError, Unfinished};

/// The rating of the learner: before its first match to learn from, and after each.
pub type Ratings = Arc<Mutex<Vec<f64>>>;

/// Matches of a learner against a pool, on a server of its own.
///
/// Before every match the learner chooses an opponent with a rating near its own, as people do. It
/// plays with its latest net. Game `i` depends on the ratings after all games before it.
///
/// A game past [`MAX_TURNS`] is given up: its match has no result.
pub struct ServerGames {
    server: Server,
    pool: Arc<RatedPool>,
    plies: Plies,
    seed: u64,
    /// Matches to be played before the first one to learn from.
    before: u64,
    /// The most turns of a game.
    longest: usize,
    ratings: Ratings,
}

const LEARNER: &str = "learner";
/// A difference of ratings by which an opponent is chosen less often by a factor of e.
const CLOSENESS: f64 = 150.0;
/// The server's accounts have existed for so long that their ratings change slowly.
const OLD: u32 = 10_000;

impl ServerGames {
    /// Opens a server with these players and a rated account for the learner. The learner's net
    /// searches `plies` deep. It plays `before` matches before the first one that is handed out.
    ///
    /// The learner's account stays a new one. Its rating follows its results five times as fast as
    /// that of an account with an experience of 400 and more. Such an account closes half of a gap
    /// in 600 matches of one point.
    ///
    /// # Errors
    /// [`ExternalFailure`] if the server cannot be opened.
    pub fn open(
        pool: &Arc<RatedPool>,
        plies: Plies,
        rating: f64,
        before: u64,
        seed: u64,
    ) -> Result<ServerGames, ExternalFailure> {
        let members = pool.members().iter().map(|member| {
            (member.name.as_str(), Standing { rating: member.rating, experience: OLD })
        });
        let learner = (LEARNER, Standing { rating, ..Standing::NEW });
        let server = server_with(members.chain([learner]), seed)?;
        let (pool, ratings) = (Arc::clone(pool), Ratings::default());
        Ok(ServerGames { server, pool, plies, seed, before, longest: MAX_TURNS, ratings })
    }

    /// Goes on with a server on which no match is saved. All accounts keep their standings.
    fn leave_saved_matches(&mut self, number: u64) -> Result<(), ExternalFailure> {
        let names = self.pool.members().iter().map(|member| member.name.as_str());
        let standings = names.chain([LEARNER]).map(|name| (name, self.standing(name)));
        self.server = server_with(standings, self.seed.wrapping_add(number))?;
        Ok(())
    }

    /// The learner's ratings, which grow with every game.
    #[must_use]
    pub fn ratings(&self) -> Ratings {
        Arc::clone(&self.ratings)
    }

    fn standing(&self, name: &str) -> Standing {
        self.server.standing(name).unwrap_or(Standing::NEW)
    }

    fn rating(&self, name: &str) -> f64 {
        self.standing(name).rating
    }

    /// The game of a match of one point of the learner against an opponent with a similar rating;
    /// `None` if it was given up.
    fn rated_match(
        &mut self,
        number: u64,
        learner: &Engine,
    ) -> Result<Option<Game>, ExternalFailure> {
        let mut choices = stream(self.seed, StreamPurpose::Choice, number);
        let own = self.rating(LEARNER);
        let weight = |member: &PoolMember| {
            (-(self.rating(&member.name) - own).abs() / CLOSENESS).exp().max(f64::MIN_POSITIVE)
        };
        let weights: Vec<f64> = self.pool.members().iter().map(weight).collect();
        let mut left = choices.random::<f64>() * weights.iter().sum::<f64>();
        let chosen = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        let pool = Arc::clone(&self.pool);
        let opponent = &pool.members()[chosen.unwrap_or(0)];
        let mut first = RatedPlayer::of(learner, LEARNER, self.longest);
        first.challenges = Some(opponent.name.clone());
        let mut second = RatedPlayer::of(&opponent.engine, &opponent.name, self.longest);
        let config = |name: &str| {
            let mut config = Config::new("nonet", name, password());
            config.seed = number;
            config
        };
        let clients = [(config(LEARNER), &mut first), (config(&opponent.name), &mut second)];
        let [one, other] = clients;
        let too_long = Arc::clone(&one.1.too_long);
        let given_up = || too_long.load(Ordering::Relaxed);
        let end = play_in_process(&self.server, (one.0, one.1), (other.0, other.1), &given_up)
            .map_err(|error| failure(error.to_string()))?;
        if given_up() {
            self.leave_saved_matches(number)?;
            return Ok(None);
        }
        let rating = self.rating(LEARNER);
        self.server.set_standing(LEARNER, Standing { rating, ..Standing::NEW });
        let games = first.record.games();
        let game = games.into_iter().next();
        let whole = first.record.incomplete.is_none() && first.over && end.is_some();
        let game =
            game.filter(|_| whole).and_then(|game| Unfinished::Agreed.to_training_game(game));
        let reason = first.record.incomplete.unwrap_or_else(|| format!("it ended with {end:?}"));
        game.map(Some).ok_or_else(|| {
            failure(format!("match {number} against {} has no record: {reason}", opponent.name))
        })
    }
}

/// A server in memory with these accounts.
fn server_with<'a>(
    accounts: impl Iterator<Item = (&'a str, Standing)>,
    seed: u64,
) -> Result<Server, ExternalFailure> {
    let options = Options { state: None, sync: false, seed, forgets: 0.0, clock: || 0 };
    let server = Server::open(&options).map_err(|error| failure(error.to_string()))?;
    for (name, standing) in accounts {
        server.register(name, &password());
        server.set_standing(name, standing);
    }
    Ok(server)
}

fn failure(what: String) -> ExternalFailure {
    ExternalFailure { engine: "the practice server".to_owned(), reason: what }
}

/// Of every account: the server is open to this process alone.
fn password() -> Password {
    Password::new("in-process").expect("a word without blanks")
}

impl GameSource for ServerGames {
    fn games(
        &mut self,
        numbers: Range<u64>,
        learner: &Specialists,
    ) -> Result<GameBatch, SourceError> {
        let engine = Engine::builder().evaluator(learner.clone()).plies(self.plies);
        let engine = engine
            .search_settings(SearchSettings::NORMAL)
            .build()
            .map_err(|error| failure(error.to_string()))?;
        let shared_ratings = Arc::clone(&self.ratings);
        let mut ratings = shared_ratings.lock().unwrap_or_else(PoisonError::into_inner);
        if ratings.is_empty() {
            for number in 0..self.before {
                self.rated_match(number, &engine)?;
            }
            ratings.push(self.rating(LEARNER));
        }
        let mut batch = GameBatch::default();
        for number in numbers {
            match self.rated_match(self.before + number, &engine)? {
                Some(game) => batch.games.push(game),
                None => batch.endless += 1,
            }
            ratings.push(self.rating(LEARNER));
        }
        Ok(batch)
    }
}

/// Plays one match of one point, in which the cube is not turned.
///
/// It resigns nothing: a net that knows nothing yet would resign what it could win.
struct RatedPlayer {
    decider: Decider,
    name: String,
    /// The player to invite; else it waits to be invited.
    challenges: Option<String>,
    record: MatchRecord,
    over: bool,
    turns: usize,
    /// The most turns of a game.
    longest: usize,
    /// Whether the game has had more.
    too_long: Arc<AtomicBool>,
}

impl RatedPlayer {
    fn of(engine: &Engine, name: &str, longest: usize) -> RatedPlayer {
        RatedPlayer {
            decider: Decider::new(engine),
            name: name.to_owned(),
            challenges: None,
            record: MatchRecord::default(),
            over: false,
            turns: 0,
            longest,
            too_long: Arc::default(),
        }
    }
}

impl Agent for RatedPlayer {
    fn play(&mut self, turn: &TurnContext) -> Position {
        let scoring = Scoring::of_match(1, 0, 0, false).expect("a score");
        let context = CubeContext { scoring: cube_scoring(scoring), cube: turn.board.cube() };
        self.decider.play(&turn.position, turn.dice, Some(&context)).0
    }

    fn idle(&mut self, lobby: &Lobby) -> IdleAction {
        match &self.challenges {
            Some(_) if self.over => IdleAction::Quit,
            Some(name) if lobby.players.get(name).is_some_and(|who| who.ready) => {
                IdleAction::Invite(name.clone(), Length::Points(1))
            }
            _ => IdleAction::Nothing,
        }
    }

    fn event(&mut self, event: &Event) {
        let time = 0.0;
        let logged = match event {
            Event::Match { opponent, length, .. } => LogEvent::MatchStart {
                time,
                own: self.name.clone(),
                opponent: opponent.clone(),
                length: match length {
                    Length::Points(points) => Some(*points),
                    _ => None,
                },
                own_rating: None,
                own_experience: None,
                opponent_rating: None,
                opponent_experience: None,
            },
            &Event::Game { length, score, crawford } => {
                LogEvent::GameStart { time, length, score, crawford }
            }
            &Event::Turn { own, dice, before, after } => {
                self.turns += 1;
                self.too_long.fetch_or(self.turns > self.longest, Ordering::Relaxed);
                LogEvent::Turn {
                    time,
                    player: to_engine::seat(own),
                    dice,
                    before,
                    after,
                    play: String::new(),
                    equity: None,
                }
            }
            &Event::GameOver { won, points, end } => {
                debug_assert_ne!(end, GameEnd::Dropped, "nobody doubles");
                LogEvent::GameOver { time, winner: to_engine::seat(won), points, end }
            }
            Event::MatchOver { won, score, .. } => {
                self.over = true;
                LogEvent::MatchOver { time, won: *won, score: *score }
            }
            Event::Left { .. } => LogEvent::Saved { time, by_opponent: None },
            _ => return,
        };
        self.record.apply(&logged);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::eval::Architecture;
    use nonet_engine::progress::Progress;

    fn random(seed: u64) -> Specialists {
        let small = Architecture::named("small").expect("a preset");
        Specialists::random(&small, &mut stream(seed, StreamPurpose::Weights, 0))
    }

    fn engine(team: Specialists) -> Engine {
        Engine::builder().evaluator(team).plies(Plies::ONE).build().expect("an engine")
    }

    /// A learner's games, the first two not handed out.
    fn server_games() -> ServerGames {
        let players =
            vec![("ann".to_owned(), engine(random(1))), ("bob".to_owned(), engine(random(2)))];
        let pool = RatedPool::of(players, 20, 1, &Progress::default()).expect("not stopped");
        ServerGames::open(&Arc::new(pool), Plies::ONE, 1500.0, 2, 7).expect("a server")
    }

    /// Positions and ratings of a learner's games, asked for up to each of these numbers.
    fn games(ends: &[u64]) -> (Vec<usize>, Vec<f64>) {
        let mut source = server_games();
        let ratings = source.ratings();
        let mut positions = Vec::new();
        for &end in ends {
            let batch = source.games(positions.len() as u64..end, &random(3)).expect("played");
            for game in &batch.games {
                assert!(game.outcome.is_some(), "nobody resigns or drops");
                positions.push(game.positions.len());
            }
            assert_eq!(positions.len() as u64, end);
        }
        let ratings = ratings.lock().expect("not poisoned").clone();
        (positions, ratings)
    }

    #[test]
    fn rated_matches_are_the_same_each_time_however_they_are_asked_for() {
        let (positions, ratings) = games(&[5]);
        assert_eq!((positions.clone(), ratings.clone()), games(&[2, 5]));
        assert_eq!((positions.len(), ratings.len()), (5, 6), "one rating before the first game");
        for pair in ratings.windows(2) {
            // Of an account that is always new: 20 points times the other player's chance.
            let change = (pair[1] - pair[0]).abs();
            assert!(change > 0.0 && change < 20.0, "{pair:?}");
        }
    }

    #[test]
    fn a_game_that_does_not_end_costs_that_game_alone() {
        let (lengths, _) = games(&[12]);
        let mut sorted = lengths.clone();
        sorted.sort_unstable();
        // Positions of a game: one for each turn, and the last one.
        let longest = sorted[6] - 1;
        let mut source = ServerGames { longest, ..server_games() };
        let ratings = source.ratings();
        let batch = source.games(0..12, &random(3)).expect("played");
        assert!(batch.endless > 0 && batch.games.len() > 2, "{} {lengths:?}", batch.endless);
        assert_eq!(batch.games.len() as u64 + batch.endless, 12);
        assert!(batch.games.iter().all(|game| game.positions.len() <= longest + 1));
        let ratings = ratings.lock().expect("not poisoned");
        let unchanged = ratings.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
        assert_eq!(unchanged, batch.endless, "no result, no other rating");
    }
}

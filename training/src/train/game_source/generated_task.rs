//! Games played for training, as a task that other machines can do.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::exploration::EpsilonPlayer;
use super::generated::{GeneratedGames, Seats};
use super::starts::Starts;
use nonet_engine::eval::{Specialists, TeamDescription};
use nonet_engine::game::{
    Game, GameRunner, Greedy, Maker, Player, PlayerDescription, StreamPurpose, stream,
};
use nonet_engine::progress::{Attachments, Progress, RemoteTask, Task, from_bytes, to_bytes};
use nonet_engine::search::{Plies, Search, SearchSettings};

/// Games of a source, played with one snapshot of the learner.
pub(super) struct GamesTask<'a> {
    pub(super) source: &'a GeneratedGames,
    pub(super) learner: &'a Specialists,
}

/// The seats of [`Seats`] in a message.
#[derive(Serialize, Deserialize)]
enum SeatsForm {
    SelfPlay,
    Expert(PlayerDescription),
    Observe(PlayerDescription),
}

/// The description of the games for another machine.
#[derive(Serialize, Deserialize)]
struct GamesDescription {
    seed: u64,
    plies: Plies,
    epsilon: f32,
    starts: Option<Starts>,
    seats: SeatsForm,
    learner: TeamDescription,
}

impl Task for GamesTask<'_> {
    const KIND: &'static str = "games";
    type Part = Vec<Option<Game>>;

    fn part(&self, numbers: Range<u64>, _: &Progress) -> Option<Vec<Option<Game>>> {
        let GamesTask { source, learner: team } = *self;
        let greedy = Greedy(team);
        let searcher = Search::new(team, Plies::TWO, SearchSettings::NORMAL);
        let explorer = EpsilonPlayer { chooser: team, chance: source.epsilon };
        let learner: &dyn Player = match source.plies {
            Plies::ONE if source.epsilon > 0.0 => &explorer,
            Plies::ONE => &greedy,
            _ => &searcher,
        };
        let seats = |number: u64| match &source.seats {
            Seats::SelfPlay => [learner, learner],
            Seats::Expert(expert) if number.is_multiple_of(2) => [learner, expert.as_ref()],
            Seats::Expert(expert) => [expert.as_ref(), learner],
            Seats::Observe(expert) => [expert.as_ref(), expert.as_ref()],
        };
        let games = numbers
            .into_par_iter()
            .map_init(GameRunner::default, |table, number| {
                let mut dice = stream(source.seed, StreamPurpose::Training, number);
                let mut choices = stream(
                    source.seed ^ StreamPurpose::Training as u64,
                    StreamPurpose::Choice,
                    number,
                );
                let start = source.starts.as_ref();
                let start = start.and_then(|starts| starts.draw(team, source.seed, number));
                let mut game = match start {
                    None => table.play(seats(number), &mut dice, &mut choices)?,
                    Some(start) => {
                        table.play_from(seats(number), start, &mut dice, &mut choices)?
                    }
                };
                if matches!(source.seats, Seats::Expert(_)) && !number.is_multiple_of(2) {
                    // The learner is X, wherever it sat.
                    game.first = game.first.other();
                }
                if !matches!(source.seats, Seats::SelfPlay) {
                    // Some of these evaluations are the expert's.
                    game.static_evals.fill(None);
                }
                Some(game)
            })
            .collect();
        Some(games)
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<Vec<u8>> {
        let GeneratedGames { seed, plies, epsilon, ref starts, ref seats } = *self.source;
        let learner = self.learner.attach(attachments)?;
        let seats = match seats {
            Seats::SelfPlay => SeatsForm::SelfPlay,
            Seats::Expert(expert) => SeatsForm::Expert(expert.describe(attachments)?),
            Seats::Observe(expert) => SeatsForm::Observe(expert.describe(attachments)?),
        };
        let starts = starts.clone();
        Some(to_bytes(&GamesDescription { seed, plies, epsilon, starts, seats, learner }))
    }

    fn grain(&self) -> u64 {
        if self.source.plies == Plies::ONE { 64 } else { 4 }
    }

    fn check(&self, numbers: &Range<u64>, games: &Vec<Option<Game>>) -> Result<(), String> {
        let (expected, found) = (numbers.end - numbers.start, games.len());
        if found as u64 != expected {
            return Err(format!("{found} games, expected {expected}"));
        }
        let usable = |game: &Game| {
            !game.positions.is_empty()
                && game.positions.len() == game.static_evals.len()
                && game.outcome.is_some()
                && game.static_evals.iter().flatten().all(|value| {
                    // A net that diverges gives no finite values; the learner then says so.
                    value.heads().iter().all(|head| !head.is_finite() || head.abs() < 1e6)
                })
        };
        if games.iter().flatten().all(usable) { Ok(()) } else { Err("a game is not whole".into()) }
    }
}

/// Games that have come from another machine to be played.
struct OpenGames {
    source: GeneratedGames,
    learner: Arc<Specialists>,
}

impl RemoteTask for OpenGames {
    fn run(
        &self,
        numbers: Range<u64>,
        _input: &[u8],
        progress: &Progress,
    ) -> Result<Option<Vec<u8>>, String> {
        let task = GamesTask { source: &self.source, learner: &self.learner };
        Ok(task.part(numbers, progress).map(|games| to_bytes(&games)))
    }
}

/// The kind of the task that games to learn from are.
pub const GAMES_TASK: &str = <GamesTask<'static> as Task>::KIND;

/// Opens games to learn from that have come from another machine.
///
/// # Errors
/// The error in the description, or the part that cannot be made here.
pub fn open_games_task(settings: &[u8], maker: &dyn Maker) -> Result<Box<dyn RemoteTask>, String> {
    let GamesDescription { seed, plies, epsilon, starts, seats, learner } =
        from_bytes(settings).map_err(|error| error.to_string())?;
    let seats = match seats {
        SeatsForm::SelfPlay => Seats::SelfPlay,
        SeatsForm::Expert(expert) => Seats::Expert(maker.player(&expert)?),
        SeatsForm::Observe(expert) => Seats::Observe(maker.player(&expert)?),
    };
    let source = GeneratedGames { seed, plies, epsilon, starts, seats };
    Ok(Box::new(OpenGames { source, learner: maker.team(&learner)? }))
}

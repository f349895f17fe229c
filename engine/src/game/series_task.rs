//! The units of a series as a task that other machines can do.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::description::{Maker, PlayerDescription};
use super::match_series::SeriesConfig;
use super::series_rules::SeriesRules;
use super::series_sums::SeriesSums;
use super::series_unit::{Contest, Table, play_unit};
use crate::eval::EvaluatorDescription;
use crate::game::{LuckEstimator, Player};
use crate::progress::{Attachments, Progress, RemoteTask, Task, from_bytes, to_bytes};

/// The units of a series: sequences of dice. What comes of them are sums of whole numbers, so the
/// parts may be of any size.
pub(super) struct SeriesTask<'a> {
    contest: Contest<'a>,
    config: &'a SeriesConfig,
    /// The sums of the units that this process had played when it was stopped.
    played: Mutex<SeriesSums>,
}

impl<'a> SeriesTask<'a> {
    pub(super) fn new(contest: Contest<'a>, config: &'a SeriesConfig) -> SeriesTask<'a> {
        SeriesTask { contest, config, played: Mutex::default() }
    }

    /// The units that were played to their end before the task was stopped.
    pub(super) fn into_played(self) -> SeriesSums {
        self.played.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The description of a series for another machine.
#[derive(Serialize, Deserialize)]
struct SeriesDescription {
    players: [PlayerDescription; 2],
    luck: Option<EvaluatorDescription>,
    config: SeriesConfig,
}

impl PlayerDescription {
    /// The depth that decides how long a game takes.
    fn plies(&self) -> u8 {
        match self {
            PlayerDescription::Search(EvaluatorDescription::Search { plies, .. })
            | PlayerDescription::Engine { plies, .. } => *plies,
            _ => 1,
        }
    }
}

impl Task for SeriesTask<'_> {
    const KIND: &'static str = "series";
    type Part = SeriesSums;

    fn part(&self, units: Range<u64>, progress: &Progress) -> Option<SeriesSums> {
        let &SeriesTask { contest, config, .. } = self;
        let number = units.end - units.start;
        let failed = || contest.players.iter().any(|player| player.failure().is_some());
        let sums = units
            .into_par_iter()
            // A unit that has begun is played to its end: to leave out the long ones would bias
            // the result. After a stop the units that are left are not counted through.
            .take_any_while(|_| !progress.is_stopped() && !failed())
            .fold(
                || (Table::default(), SeriesSums::default()),
                |(mut table, mut sums), unit| {
                    sums.add(&play_unit(&mut table, contest, config, unit, &failed), config);
                    progress.add(config.seats());
                    (table, sums)
                },
            )
            .map(|(_, sums)| sums)
            .reduce(SeriesSums::default, SeriesSums::joined);
        if failed() {
            return None;
        }
        if sums.units() < number {
            *self.played.lock().unwrap_or_else(PoisonError::into_inner) = sums;
            return None;
        }
        Some(sums)
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<Vec<u8>> {
        let [a, b] = self.contest.players;
        let players = [a.describe(attachments)?, b.describe(attachments)?];
        let luck = match self.contest.luck {
            Some(luck) => Some(luck.describe(attachments)?),
            None => None,
        };
        Some(to_bytes(&SeriesDescription { players, luck, config: *self.config }))
    }

    fn grain(&self) -> u64 {
        let mut unused = Attachments::default();
        let plies = |player: &dyn Player| player.describe(&mut unused).map_or(1, |d| d.plies());
        let units = match self.contest.players.map(plies).into_iter().max() {
            Some(0 | 1) | None => 64,
            Some(2) => 4,
            Some(_) => 1,
        };
        match self.config.rules {
            SeriesRules::Cubeless => units,
            SeriesRules::Money { .. } => (units / 2).max(1),
            SeriesRules::Match(length) => (units / u64::from(length.points()).max(2)).max(1),
        }
    }

    fn check(&self, units: &Range<u64>, sums: &SeriesSums) -> Result<(), String> {
        let number = units.end - units.start;
        match sums.can_be_of(number, self.config) {
            true => Ok(()),
            false => Err(format!("the sums are not those of {number} sequences of dice")),
        }
    }

    fn counts(&self) -> u64 {
        self.config.seats()
    }
}

/// A series that has come from another machine.
struct OpenSeries {
    players: [Arc<dyn Player>; 2],
    luck: Option<Arc<dyn LuckEstimator>>,
    config: SeriesConfig,
}

impl RemoteTask for OpenSeries {
    fn run(
        &self,
        units: Range<u64>,
        _input: &[u8],
        progress: &Progress,
    ) -> Result<Option<Vec<u8>>, String> {
        let players = self.players.each_ref().map(AsRef::as_ref);
        let contest = Contest { players, luck: self.luck.as_deref() };
        let task = SeriesTask::new(contest, &self.config);
        Ok(task.part(units, progress).map(|sums| to_bytes(&sums)))
    }
}

/// The kind of the task that a series is.
pub const SERIES_TASK: &str = <SeriesTask<'static> as Task>::KIND;

/// Opens a series that has come from another machine.
///
/// # Errors
/// The error in the description, or the part that cannot be made here.
pub fn open_series_task(settings: &[u8], maker: &dyn Maker) -> Result<Box<dyn RemoteTask>, String> {
    let SeriesDescription { players: [a, b], luck, config } =
        from_bytes(settings).map_err(|error| error.to_string())?;
    let players = [maker.player(&a)?, maker.player(&b)?];
    let luck = luck.map(|luck| maker.luck(&luck)).transpose()?;
    Ok(Box::new(OpenSeries { players, luck, config }))
}

//! Makes the evaluators and players that descriptions describe.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use nonet_engine::bearoff::{BearoffDatabases, BearoffEvaluator};
use nonet_engine::engine::{
    CachedBearoff, Depth, Engine, bearoff_for_play, cached_bearoff, two_sided_file,
};
use nonet_engine::eval::{
    Evaluator, EvaluatorDescription, PlayingTeam, PubEval, Specialists, TeamDescription,
};
use nonet_engine::game::{Greedy, LuckEstimator, Maker, Player, PlayerDescription, Random};
use nonet_engine::search::{Plies, RollLuck, Search, SearchSettings};
use nonet_engine::store::StoreError;

/// Teams that stay open: a task of several kinds of work on the same nets opens them once.
const KEPT_TEAMS: usize = 8;

/// Teams that were read from attachments, the latest last, each with its nets' attachments.
/// Attachments are the same if they lie at the same place.
#[derive(Clone, Debug, Default)]
pub struct OpenTeams(Arc<Mutex<VecDeque<OpenTeam>>>);

type OpenTeam = (Vec<Arc<[u8]>>, Arc<Specialists>);

impl OpenTeams {
    fn open(&self, nets: Vec<Arc<[u8]>>) -> Result<Arc<Specialists>, String> {
        let mut teams = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |others: &[Arc<[u8]>]| {
            others.len() == nets.len() && others.iter().zip(&nets).all(|(a, b)| Arc::ptr_eq(a, b))
        };
        if let Some((_, team)) = teams.iter().find(|(others, _)| same(others)) {
            return Ok(Arc::clone(team));
        }
        let team = Arc::new(Specialists::from_messages(&nets)?);
        teams.push_back((nets, Arc::clone(&team)));
        if teams.len() > KEPT_TEAMS {
            teams.pop_front();
        }
        Ok(team)
    }
}

/// Makes what the descriptions of one task describe, of its attachments.
#[derive(Debug)]
pub struct AttachedMaker {
    attachments: Vec<Arc<[u8]>>,
    teams: OpenTeams,
}

/// Databases with their checksum.
type Known = (Arc<BearoffDatabases>, u32);

/// The bearoff databases of this machine, once they were asked for: those for training, and those
/// for play if they differ.
static BEAROFF: OnceLock<Result<Vec<Known>, String>> = OnceLock::new();

fn plies(plies: u8) -> Result<Plies, String> {
    Plies::new(plies).map_err(|error| error.to_string())
}

impl AttachedMaker {
    /// A maker for a task with these attachments, which finds in `teams` what earlier tasks have
    /// opened.
    #[must_use]
    pub fn new(attachments: Vec<Arc<[u8]>>, teams: &OpenTeams) -> AttachedMaker {
        AttachedMaker { attachments, teams: teams.clone() }
    }
}

impl Maker for AttachedMaker {
    fn evaluator(&self, description: &EvaluatorDescription) -> Result<Arc<dyn Evaluator>, String> {
        Ok(match description {
            EvaluatorDescription::Team(team) => self.team(team)?,
            EvaluatorDescription::Quantized(team) => Arc::new(PlayingTeam::new(self.team(team)?)),
            EvaluatorDescription::Bearoff { checksum, inner } => {
                let (inner, databases) = (self.evaluator(inner)?, self.bearoff(*checksum)?);
                Arc::new(BearoffEvaluator::new(inner, databases))
            }
            EvaluatorDescription::Search { plies: depth, settings, inner } => {
                let settings = SearchSettings::from_text(settings)?;
                Arc::new(Search::new(self.evaluator(inner)?, plies(*depth)?, settings))
            }
        })
    }

    fn player(&self, description: &PlayerDescription) -> Result<Arc<dyn Player>, String> {
        Ok(match description {
            PlayerDescription::Random => Arc::new(Random),
            PlayerDescription::PubEval => Arc::new(PubEval),
            PlayerDescription::EqualWeights(weights) => Arc::new(*weights),
            PlayerDescription::Greedy(evaluator) => Arc::new(Greedy(self.evaluator(evaluator)?)),
            PlayerDescription::Search(EvaluatorDescription::Search {
                plies: depth,
                settings,
                inner,
            }) => {
                let settings = SearchSettings::from_text(settings)?;
                Arc::new(Search::new(self.evaluator(inner)?, plies(*depth)?, settings))
            }
            PlayerDescription::Search(_) => return Err("a search without a depth".into()),
            PlayerDescription::Engine {
                evaluator,
                plies: searched,
                roller,
                cube_plies,
                settings,
            } => {
                let depth = match roller {
                    Some(name) => name.parse().map(Depth::Rollout).map_err(|e| format!("{e}"))?,
                    None => Depth::Search(plies(*searched)?),
                };
                let engine = Engine::builder()
                    .evaluator(self.evaluator(evaluator)?)
                    .search_settings(SearchSettings::from_text(settings)?);
                let engine = engine.build().map_err(|error| error.to_string())?;
                engine.with_depth(depth).with_cube_plies(plies(*cube_plies)?).player()
            }
        })
    }

    fn luck(&self, description: &EvaluatorDescription) -> Result<Arc<dyn LuckEstimator>, String> {
        let evaluator = self.evaluator(description)?;
        Ok(Arc::new(RollLuck::new(Search::new(evaluator, Plies::ONE, SearchSettings::NORMAL))))
    }

    fn team(&self, team: &TeamDescription) -> Result<Arc<Specialists>, String> {
        let attachment = |&number: &u32| {
            let bytes = self.attachments.get(number as usize);
            bytes.cloned().ok_or_else(|| format!("the attachment {number} is missing"))
        };
        self.teams.open(team.0.iter().map(attachment).collect::<Result<_, _>>()?)
    }

    fn bearoff(&self, checksum: u32) -> Result<Arc<BearoffDatabases>, String> {
        let own = BEAROFF.get_or_init(|| {
            let with_checksum = |found: Result<CachedBearoff, StoreError>| {
                let databases = found.map_err(|error| error.to_string())?.databases;
                let checksum = databases.checksum();
                Ok::<_, String>((databases, checksum))
            };
            let mut known = vec![with_checksum(cached_bearoff())?];
            if two_sided_file().is_some() {
                known.push(with_checksum(bearoff_for_play())?);
            }
            Ok(known)
        });
        match own {
            Ok(known) => match known.iter().find(|(_, own)| *own == checksum) {
                Some((databases, _)) => Ok(Arc::clone(databases)),
                None => Err(format!(
                    "the bearoff databases of this machine have the checksum {:08x}, those of the task {checksum:08x}: \
                     run `nonet bearoff` again on both, or give both the same file",
                    known.last().map_or(0, |(_, own)| *own)
                )),
            },
            Err(error) => Err(error.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::eval::Architecture;
    use nonet_engine::game::{StreamPurpose, stream};
    use nonet_engine::progress::{Attachments, to_bytes};
    use nonet_engine::rollout::Roller;

    #[test]
    fn a_player_is_made_with_the_depth_that_it_has() {
        let net =
            Specialists::random(&Architecture::ALL[0], &mut stream(1, StreamPurpose::Weights, 0));
        let engine = Engine::builder().net(net).build().expect("built");
        for depth in [Depth::Search(Plies::TWO), Depth::Rollout(Roller::SHORT)] {
            let mut attachments = Attachments::default();
            let player = engine.with_depth(depth).with_cube_plies(Plies::ONE).player();
            let description = player.describe(&mut attachments).expect("described");
            let pieces = attachments.pieces().to_vec();
            let maker = AttachedMaker::new(pieces, &OpenTeams::default());
            let made = maker.player(&description).expect("made");
            let again = made.describe(&mut Attachments::default()).expect("described");
            assert_eq!(to_bytes(&again), to_bytes(&description), "{depth}");
        }
    }
}

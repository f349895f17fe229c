//! Opens the parts of a training run: its opponents, expert, databases, records and start.

use std::path::PathBuf;
use std::sync::Arc;

use crate::train::game_source::{GameSource, GeneratedGames, RecordedGames, Seats};
use crate::train::options::config_error::ConfigError;
use crate::train::options::option_values::Preset;
use crate::train::options::plan::{Games, Start, TrainPlan};
use crate::train::options::spec::TrainSpec;
use crate::train::records::{RecordsError, open_records};
use crate::train::run_interface::Participants;
use nonet_engine::engine::{BearoffOrigin, cached_bearoff};
use nonet_engine::eval::{Architecture, ArchitectureError};
use nonet_engine::game::Player;
use nonet_engine::open::{self, OpenError, PlayerSetup, PlayerSpec};
use nonet_engine::store::StoreError;

/// The opened parts of a run: see [`TrainPlan::open`].
pub struct OpenedRun {
    /// Its players, nets and databases.
    pub participants: Participants,
    /// Its games.
    pub source: Box<dyn GameSource>,
    /// Where the bearoff databases come from, if it uses them.
    pub bearoff: Option<BearoffOrigin>,
}

/// Why a run cannot be opened.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum OpenRunError {
    #[error(transparent)]
    Name(#[from] OpenError),
    #[error(transparent)]
    Bearoff(#[from] StoreError),
    #[error(transparent)]
    Records(#[from] RecordsError),
    #[error(transparent)]
    Options(#[from] ConfigError),
}

impl TrainSpec {
    /// The same options with the architecture of the net that the run starts with, if it starts
    /// with one.
    ///
    /// # Errors
    /// [`OpenError`] if that net cannot be read, or is of an architecture that no name or shape
    /// denotes.
    pub fn with_preset_of_start(mut self) -> Result<TrainSpec, OpenError> {
        if let Some(from) = &self.from {
            let net = open::net(from)?;
            let unknown = |error: ArchitectureError| {
                let path = PathBuf::from(from);
                StoreError::Header { path, reason: error.to_string() }
            };
            let named: Architecture = net.preset.parse().map_err(unknown)?;
            // Widened nets have the name of what they were.
            let found = if self.specialize {
                let path = PathBuf::from(from);
                let reason = "no shape denotes its nets, one for each class".to_owned();
                let nets = net.team.specialized().architecture(named.inputs);
                nets.ok_or(StoreError::Header { path, reason })?
            } else {
                net.architecture().unwrap_or(named)
            };
            let wide = [self.widen_races, self.widen_races, self.widen];
            let mut layers = found.layers;
            for ([hidden, _], wide) in layers.iter_mut().zip(wide) {
                *hidden = usize::try_from(wide).map_or(*hidden, |wide| wide.max(*hidden));
            }
            let Architecture { sharing, encoding, inputs, units, .. } = found;
            self.preset = Preset::of(Architecture::new(sharing, layers, encoding, inputs, units));
        }
        Ok(self)
    }
}

impl TrainPlan {
    /// Opens the players, nets, databases and records of this run, on the current thread pool.
    /// External engines start.
    ///
    /// # Errors
    /// [`OpenRunError`] if one of them cannot be opened.
    ///
    /// # Panics
    /// Never: a checked plan names the expert that it needs.
    #[allow(clippy::expect_used, reason = "the plan was checked")]
    pub fn open(&self) -> Result<OpenedRun, OpenRunError> {
        let all_outcomes = self.spec().all_outcomes;
        let expert = self.expert().map(|spec| open::expert(spec, all_outcomes)).transpose()?;
        let player = || {
            let expert = expert.as_ref().expect("a checked plan names the expert that it needs");
            Arc::clone(&expert.player)
        };
        let generated = |seats| -> Box<dyn GameSource> {
            Box::new(GeneratedGames::of(self, seats).expect("the games of this plan are played"))
        };
        let source = match self.games() {
            Games::SelfPlay { .. } => generated(Seats::SelfPlay),
            Games::Versus { .. } => generated(Seats::Expert(player())),
            Games::Observe(_) => generated(Seats::Observe(player())),
            Games::Records { records, unfinished } => {
                Box::new(RecordedGames::new(open_records(records, *unfinished)?, *unfinished))
            }
        };
        let setup = PlayerSetup { all_outcomes, ..PlayerSetup::cubeless(self.spec().eval_ply) };
        let mut participants =
            self.participants(|name| open::player(name, &setup).map(|named| named.player))?;
        let teacher = expert.filter(|_| self.learns_expert());
        participants.teacher = teacher.map(|expert| expert.evaluator);
        if let Start::Net { path, .. } = self.start() {
            participants.start = Some(Arc::new(open::net(path)?.team));
        }
        let bearoff = self.needs_bearoff().then(cached_bearoff).transpose()?.map(|cached| {
            participants.bearoff = Some(cached.databases);
            cached.origin
        });
        Ok(OpenedRun { participants, source, bearoff })
    }

    /// The participants of this run, without teacher, bearoff databases and start. `player` opens
    /// the opponents of its tests, which only the options name.
    ///
    /// # Errors
    /// The first error of `player`.
    pub fn participants<E>(
        &self,
        mut player: impl FnMut(&PlayerSpec) -> Result<Arc<dyn Player>, E>,
    ) -> Result<Participants, E> {
        let names = self.spec().against.clone();
        let against = player(names.first())?;
        let others = names.others().iter().map(player).collect::<Result<_, E>>()?;
        Ok(Participants { names, against, others, teacher: None, bearoff: None, start: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::Trainer;

    #[test]
    fn a_run_opens_the_opponents_that_its_options_name() {
        let against = "champion,random".parse().expect("opponents");
        let plan = TrainSpec { against, ..TrainSpec::default() }.plan().expect("a plan");
        let opened = plan.open().expect("opened");
        assert_eq!(opened.participants.others().len(), 1);
        assert!(opened.bearoff.is_none());
        let trainer = Trainer::new(plan, opened.participants);
        assert!(trainer.command().contains("--against champion,random"));
    }

    #[test]
    #[should_panic(expected = "the participants of another plan")]
    fn a_trainer_refuses_the_opponents_of_another_plan() {
        let plan = |against: &str| {
            let against = against.parse().expect("opponents");
            TrainSpec { against, ..TrainSpec::default() }.plan().expect("a plan")
        };
        let opened = plan("random").open().expect("opened");
        let _ = Trainer::new(plan("pubeval"), opened.participants);
    }

    #[test]
    fn a_run_with_a_start_takes_its_architecture() {
        let spec = TrainSpec { from: Some("small".to_owned()), ..TrainSpec::default() };
        assert_eq!(spec.with_preset_of_start().expect("a net").preset.to_string(), "small");
    }
}

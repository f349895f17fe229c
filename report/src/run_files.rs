//! The files of a run as it goes on: charts, page, sessions and checkpoint.

use nonet_engine::store::run_file;
use std::error::Error;

use nonet_engine::store::RunFolder;
use nonet_training::train::{TrainCheckpoint, TrainSpec, Trainer};

use super::{RunReport, RunSession};

/// Writes the files of a run into its folder.
#[derive(Debug)]
pub struct RunFiles {
    folder: RunFolder,
    command: String,
    against: String,
    others: Vec<String>,
    games: u64,
    /// The sessions before this one.
    earlier: Vec<RunSession>,
    session: RunSession,
}

/// The opponent of a run's tests, in words.
#[must_use]
pub fn opponent_of_tests(spec: &TrainSpec) -> String {
    match spec.gate_every {
        0 => spec.against.first().to_string(),
        _ => "the best team of the last gate".to_owned(),
    }
}

impl RunFiles {
    /// The files of a run that begins or goes on; `session` says when, where and by what program.
    #[must_use]
    pub fn new(trainer: &Trainer, folder: RunFolder, session: RunSession) -> RunFiles {
        let spec = trainer.plan().spec();
        RunFiles {
            command: trainer.command().to_owned(),
            against: opponent_of_tests(spec),
            others: spec.against.others().iter().map(ToString::to_string).collect(),
            games: spec.games,
            earlier: folder
                .read(run_file::SESSIONS)
                .map(|text| RunSession::read(&text))
                .unwrap_or_default(),
            session,
            folder,
        }
    }

    /// The folder.
    #[must_use]
    pub const fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// The command that makes the run.
    #[must_use]
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The opponent of the tests, in words.
    #[must_use]
    pub fn against(&self) -> &str {
        &self.against
    }

    /// The other opponents of the tests, in words.
    #[must_use]
    pub fn others(&self) -> &[String] {
        &self.others
    }

    /// The session up to the last writing.
    #[must_use]
    pub const fn session(&self) -> &RunSession {
        &self.session
    }

    /// Writes the files of a run that goes on, `seconds` after the session has begun.
    ///
    /// # Errors
    /// A chart cannot be drawn, or a file cannot be written.
    pub fn write(
        &mut self,
        checkpoint: &TrainCheckpoint,
        seconds: f64,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.write_as(checkpoint, seconds, false)
    }

    /// Writes the files of a run that has ended.
    ///
    /// # Errors
    /// A chart cannot be drawn, or a file cannot be written.
    pub fn write_at_end(
        &mut self,
        trainer: &Trainer,
        seconds: f64,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let (spec, progress) = (trainer.plan().spec(), trainer.progress());
        // A run with a play-off that was not played belongs to a recipe.
        let finished =
            spec.final_games == 0 || progress.last_match.is_some() || progress.play_off.is_none();
        self.write_as(&trainer.checkpoint(), seconds, finished)
    }

    fn write_as(
        &mut self,
        checkpoint: &TrainCheckpoint,
        seconds: f64,
        finished: bool,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let progress = &checkpoint.progress;
        if progress.games > self.session.to || self.session.to > self.session.from {
            self.session.to = progress.games;
            self.session.seconds = seconds;
        }
        let mut sessions = self.earlier.clone();
        sessions.extend(Some(&self.session).filter(|session| session.to > session.from).cloned());
        let report = RunReport {
            progress,
            command: &self.command,
            against: &self.against,
            others: &self.others,
            team: checkpoint.best.as_ref().filter(|_| finished).map(|best| &best.team),
            nets: true,
            games: self.games,
            finished,
            sessions: &sessions,
        };
        let mut files = report.files()?;
        if !sessions.is_empty() {
            files.push((run_file::SESSIONS, RunSession::csv(&sessions)));
        }
        Ok(self.folder.save(checkpoint, &files)?)
    }
}

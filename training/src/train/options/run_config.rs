//! The file `config.toml` of a run: its options, and the commands that made it if it was extended.

use crate::train::learning_curve::RunProgress;
use crate::train::options::schedule::Schedule;
use crate::train::options::shell_word::shell_word;
use crate::train::options::spec::TrainSpec;

/// What becomes of the schedules of a run that is extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum OnExtension {
    /// Stretch them over the longer run: the rates rise again and fall once more.
    Stretch,
    /// Leave them ended: the rates stay at their last values.
    Continue,
}

/// The content of `config.toml`.
#[derive(Clone, Debug, PartialEq)]
pub struct RunConfig {
    /// The options.
    pub spec: TrainSpec,
    /// The commands that made the run so far, if it was extended; empty otherwise.
    commands: Vec<String>,
}

/// The key of the commands that made a run.
pub(in crate::train) const COMMANDS: &str = "commands";

impl RunConfig {
    /// That of a new run.
    #[must_use]
    pub fn new(spec: TrainSpec) -> RunConfig {
        RunConfig { spec, commands: Vec::new() }
    }

    /// Reads the file.
    ///
    /// # Errors
    /// The reason if it is invalid.
    pub fn read(text: &str) -> Result<RunConfig, String> {
        let message = |error: toml::de::Error| error.message().to_owned();
        let mut table: toml::Table = toml::from_str(text).map_err(message)?;
        let commands = table.remove(COMMANDS).map(toml::Value::try_into).transpose();
        Ok(RunConfig {
            commands: commands.map_err(message)?.unwrap_or_default(),
            spec: table.try_into().map_err(message)?,
        })
    }

    /// The text of the file.
    ///
    /// # Errors
    /// Never: all options can be written.
    pub fn text(&self) -> Result<String, toml::ser::Error> {
        let mut text = format!("# {}\n", self.command());
        if !self.commands.is_empty() {
            let commands =
                toml::Table::from_iter([(COMMANDS.to_owned(), self.commands.clone().into())]);
            text += &toml::to_string(&commands)?;
        }
        Ok(text + &toml::to_string(&self.spec)?)
    }

    /// The commands that make this run.
    #[must_use]
    pub fn command(&self) -> String {
        match self.commands.as_slice() {
            [] => self.spec.to_command_line(),
            commands => commands.join(" && "),
        }
    }

    /// Refuses to extend a run that has not ended. Its first command ends with the play-off and the
    /// last match, so the recorded commands would make another run.
    ///
    /// A run that has ended early lacks nothing: `Trainer::ended_early` says why it cannot go on.
    ///
    /// # Errors
    /// What the run lacks.
    pub fn check_ended(&self, progress: &RunProgress) -> Result<(), String> {
        let (done, games) = (progress.games, self.spec.games);
        if progress.exhausted || progress.is_topped() {
            return Ok(());
        }
        if done < games {
            return Err(format!("it has learned from {done} of its {games} games"));
        }
        if progress.play_off.is_none() {
            return Err("its play-off has not been played".to_owned());
        }
        match self.spec.final_games > 0 && progress.last_match.is_none() {
            true => Err("its last match has not been played".to_owned()),
            false => Ok(()),
        }
    }

    /// Makes the run longer. What that means for its schedules, in words, or why it cannot be done.
    /// `folder` is the run's, which the commands name. [`RunConfig::check_ended`] comes before.
    ///
    /// # Errors
    /// If the run already has as many games.
    pub fn extend(&mut self, games: u64, how: OnExtension, folder: &str) -> Result<String, String> {
        let before = self.spec.games;
        if games <= before {
            return Err(format!(
                "--games must be above {before}, the games of the run, to extend it; not {games}"
            ));
        }
        let folder = shell_word(folder);
        if self.commands.is_empty() {
            self.commands.push(format!("{} --out {folder}", self.spec.to_command_line()));
        }
        let flag = match how {
            OnExtension::Stretch => "",
            OnExtension::Continue => " --schedule continue",
        };
        self.commands.push(format!("nonet train --resume {folder} --games {games}{flag}"));
        let old = self.spec.alpha.clone();
        // The schedules fall until the fine-tuning begins.
        let [then, now] = [before, games].map(|games| games.saturating_sub(self.spec.fine_tune));
        if how == OnExtension::Continue {
            for schedule in [&mut self.spec.alpha, &mut self.spec.lambda] {
                *schedule = schedule.clone().held_after(then);
            }
        }
        self.spec.games = games;
        let new = &self.spec.alpha;
        let [was, is, end] =
            [old.at(then, then), new.at(before, now), new.at(now, now)].map(rounded);
        let falls = matches!(old, Schedule::Geometric { until: None, .. });
        let rates = match how {
            _ if !falls => {
                format!("alpha follows the schedule {new}, which the extension does not change")
            }
            OnExtension::Stretch => format!(
                "the schedule {new} is stretched over all of them: after {before} games alpha is {is} instead of {was}, then \
                 falls to {end} (--schedule continue would keep {was})"
            ),
            OnExtension::Continue => format!("alpha stays at {is} from {before} games on"),
        };
        Ok(format!("the run is extended from {before} to {games} games; {rates}"))
    }
}

/// A rate with two significant digits.
fn rounded(rate: f32) -> f32 {
    let digits = 1 - rate.abs().max(f32::MIN_POSITIVE).log10().floor() as i32;
    let unit = 10f32.powi(digits);
    (rate * unit).round() / unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::{LastMatch, PlayOff, PlayOffTeam, TestResult};

    fn falling() -> RunConfig {
        let alpha = "0.1..0.001".parse().expect("a schedule");
        RunConfig::new(TrainSpec { games: 1000, alpha, ..TrainSpec::default() })
    }

    #[test]
    fn a_configuration_is_read_back_with_the_commands_of_its_extensions() {
        let mut config = falling();
        let plain = config.text().expect("text");
        assert!(
            plain.starts_with("# nonet train --preset medium --games 1000 --alpha 0.1..0.001\n"),
            "{plain}"
        );
        assert_eq!(RunConfig::read(&plain), Ok(config.clone()));
        config.extend(2000, OnExtension::Stretch, "runs/a").expect("longer");
        config.extend(3000, OnExtension::Continue, "runs/a").expect("longer");
        let text = config.text().expect("text");
        assert_eq!(RunConfig::read(&text), Ok(config.clone()));
        assert_eq!(
            config.command(),
            "nonet train --preset medium --games 1000 --alpha 0.1..0.001 --out runs/a && nonet train --resume runs/a --games 2000 && \
             nonet train --resume runs/a --games 3000 --schedule continue"
        );
    }

    #[test]
    fn a_run_is_extended_when_it_has_played_its_last_match() {
        let config = falling();
        let mut progress = RunProgress { games: 999, ..RunProgress::default() };
        let lacks = |progress: &RunProgress| config.check_ended(progress).expect_err("unfinished");
        assert_eq!(lacks(&progress), "it has learned from 999 of its 1000 games");
        progress.games = 1000;
        assert_eq!(lacks(&progress), "its play-off has not been played");
        let winner = PlayOffTeam { games: 1000, weights: "last".to_owned() };
        progress.play_off = Some(PlayOff { winner, matches: Vec::new() });
        assert_eq!(lacks(&progress), "its last match has not been played");
        let without = RunConfig::new(TrainSpec { final_games: 0, ..config.spec.clone() });
        assert_eq!(without.check_ended(&progress), Ok(()));
        let result = TestResult { ppg: 0.0, stderr: 0.1, wins: 0.5, points: 0.5 };
        progress.last_match = Some(LastMatch { games: 10_000, result });
        assert_eq!(config.check_ended(&progress), Ok(()));
        let early = RunProgress { games: 9, exhausted: true, ..RunProgress::default() };
        assert_eq!(config.check_ended(&early), Ok(()), "it cannot go on for another reason");
    }

    #[test]
    fn an_extension_stretches_the_schedules_or_keeps_their_last_values_and_says_so() {
        let mut config = falling();
        let words = config.extend(2000, OnExtension::Stretch, "a").expect("longer");
        assert!(words.contains("after 1000 games alpha is 0.01 instead of 0.001"), "{words}");
        assert_eq!(config.spec.alpha.to_string(), "0.1..0.001");

        let mut config = falling();
        let words = config.extend(2000, OnExtension::Continue, "a").expect("longer");
        assert!(words.contains("alpha stays at 0.001 from 1000 games on"), "{words}");
        assert_eq!(config.spec.alpha.to_string(), "0.1..0.001@1000");

        let tuned = TrainSpec { games: 100, fine_tune: 500, ..falling().spec };
        let mut config = RunConfig::new(tuned);
        config.extend(1000, OnExtension::Stretch, "my runs/a").expect("longer");
        assert!(config.command().ends_with("nonet train --resume 'my runs/a' --games 1000"));

        let error = falling().extend(1000, OnExtension::Stretch, "a").expect_err("no longer");
        assert_eq!(
            error,
            "--games must be above 1000, the games of the run, to extend it; not 1000"
        );
    }
}

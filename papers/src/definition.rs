//! Reading the definition of an experiment, and what a definition must not say.

use std::fs;
use std::path::Path;

use super::report::place_of;
use super::spec::{Experiment, ExperimentError, Variant};
use nonet_engine::store::StoreError;
use nonet_report::LineChart;

/// The table of these experiments: the name of the folder, and the text of its definition.
macro_rules! definitions {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"), "/", $name, "/definition.toml"
        )))),*]
    };
}

/// The known experiments, by name: one line for each folder.
const EXPERIMENTS: &[(&str, &str)] = definitions![
    "baxter-inputs",
    "baxter-lgammon-raw",
    "baxter-lgammon-settled",
    "baxter-lgammon-tests",
    "baxter-lgammon",
    "baxter-lookahead",
    "baxter-peak",
    "baxter-server",
    "baxter-start",
    "chinook-depth",
    "chinook-speed",
    "chinook-teacher",
    "chinook-tuned",
    "mannen-long-run",
    "mannen-selfplay",
    "mannen-separate",
    "mannen-sizes",
    "wiering-calibration",
    "wiering-classes",
    "wiering-cube",
    "wiering-extended",
    "wiering-figure3",
    "wiering-first",
    "wiering-grid",
    "wiering-large-steps",
    "wiering-minimax",
    "wiering-outputs",
    "wiering-plain-selfplay",
    "wiering-rbf",
    "wiering-shape",
    "wiering-sources",
    "wiering-steps",
    "wiering-table1",
    "wiering-table2",
    "wiering-table3",
    "wiering-table4",
    "wiering-variants",
    "wiering-weights",
];

impl Experiment {
    /// All known experiments, by name.
    ///
    /// # Errors
    /// [`ExperimentError::Data`] if one of the files is invalid, which a test rules out.
    pub fn all() -> Result<Vec<Experiment>, ExperimentError> {
        EXPERIMENTS.iter().map(|(_, text)| Experiment::read(text)).collect()
    }

    /// An experiment from the text of its TOML file.
    ///
    /// # Errors
    /// [`ExperimentError::Data`] if it is invalid.
    pub fn read(text: &str) -> Result<Experiment, ExperimentError> {
        let wrong = |name: &str, reason: String| ExperimentError::Data {
            name: name.to_owned(),
            reason: reason.trim_end().to_owned(),
        };
        let first = text.lines().next().unwrap_or_default();
        let experiment: Experiment = toml::from_str(text)
            .map_err(|error: toml::de::Error| wrong(first, error.to_string()))?;
        let sides = experiment.matches.iter().flat_map(|planned| [&planned.home, &planned.away]);
        let ranked = experiment.rankings.iter().flat_map(|ranking| &ranking.paper);
        let sides = sides.chain(ranked.map(|(name, _)| name));
        let named =
            experiment.panels.iter().flat_map(|panel| panel.variants.iter().chain(&panel.weights));
        let unknown = sides
            .filter(|side| experiment.side(side).is_none())
            .chain(named.filter(|name| experiment.place(name).is_none()));
        let unknown = unknown.into_iter().next().cloned();
        if let Some(name) = unknown {
            return Err(wrong(&experiment.name, format!("unknown variant '{name}'")));
        }
        for (place, variant) in experiment.variants.iter().enumerate() {
            if let Some(after) = &variant.after
                && experiment.place(after).is_none_or(|before| before >= place)
            {
                let reason = format!(
                    "'{}' begins after '{after}', which is no variant before it",
                    variant.name
                );
                return Err(wrong(&experiment.name, reason));
            }
        }
        for variant in &experiment.variants {
            if variant.after.is_some() && variant.set.contains_key("from") {
                let reason =
                    format!("'{}' begins both after another variant and from a net", variant.name);
                return Err(wrong(&experiment.name, reason));
            }
        }
        for planned in experiment.matches.iter().filter(|planned| planned.paper.is_some()) {
            let learns = |side: &String| experiment.place(side).is_some();
            if [&planned.home, &planned.away].into_iter().any(learns) {
                let reason = format!(
                    "'{}' against '{}': a paper's matches are played between fixed players, not between variants",
                    planned.home, planned.away
                );
                return Err(wrong(&experiment.name, reason));
            }
            if planned.paper.as_ref().is_some_and(|paper| paper.games == 0) {
                let reason = "a paper's matches have at least one game".to_owned();
                return Err(wrong(&experiment.name, reason));
            }
        }
        let tests = experiment.tests_at(1.0);
        let ends = experiment.fit.iter().flatten();
        if let Some(games) = ends.into_iter().find(|games| !tests.contains(games)) {
            let reason = format!("`fit` names {games} games, after which there is no test");
            return Err(wrong(&experiment.name, reason));
        }
        // Not after hours of games.
        let shown = experiment.weights.iter().flat_map(|weights| &weights.shown);
        if let Some(name) = shown.into_iter().find(|name| place_of(name).is_none()) {
            return Err(wrong(&experiment.name, format!("PubEval has no input '{name}'")));
        }
        let preset = experiment.base.get("preset").and_then(toml::Value::as_str);
        let sets_preset = |variant: &Variant| variant.set.contains_key("preset");
        if experiment.weights.is_some()
            && (preset != Some("pubeval-linear") || experiment.variants.iter().any(sets_preset))
        {
            let reason = "weights are shown of nets of the preset pubeval-linear alone";
            return Err(wrong(&experiment.name, reason.into()));
        }
        let mut pictures = experiment.panels.iter();
        if experiment.weights.is_none() && pictures.any(|panel| panel.weights.is_some()) {
            return Err(wrong(&experiment.name, "a picture of weights needs [weights]".into()));
        }
        for panel in experiment.drawn_panels() {
            let all = experiment.matches(1.0);
            if let Some(opponent) = &panel.against
                && !all.iter().any(|planned| panel.shows_depth_of(planned))
            {
                let reason = format!(
                    "the picture '{}' shows matches against '{opponent}', but there are none with equal plies",
                    panel.name
                );
                return Err(wrong(&experiment.name, reason));
            }
        }
        for panel in experiment.drawn_panels().iter().filter(|panel| panel.has_curves()) {
            let drawn = experiment.variants.iter().filter(|variant| panel.draws(variant));
            let (found, most) = (drawn.count(), LineChart::MOST_SERIES - 2);
            if found > most {
                return Err(wrong(
                    &experiment.name,
                    format!(
                        "the picture '{}' has {found} curves; more than {most} cannot be told apart: \
                         write a [[panel]] for each group of variants",
                        panel.name
                    ),
                ));
            }
        }
        Ok(experiment)
    }

    /// A known experiment, or one of a TOML file (a name that ends with `.toml`), and its text.
    ///
    /// # Errors
    /// [`ExperimentError`] if it is unknown, cannot be read or is invalid.
    pub fn open(name: &str) -> Result<(Experiment, String), ExperimentError> {
        let text = if name.ends_with(".toml") {
            let path = Path::new(name);
            fs::read_to_string(path).map_err(StoreError::io("read", path))?
        } else if let Some(text) = Experiment::text(name) {
            text.to_owned()
        } else {
            let known: Vec<&str> = EXPERIMENTS.iter().map(|(name, _)| *name).collect();
            let (name, known) = (name.to_owned(), known.join(", "));
            return Err(ExperimentError::Unknown { name, known });
        };
        Ok((Experiment::read(&text)?, text))
    }

    /// The text of the TOML file of a known experiment.
    #[must_use]
    pub fn text(name: &str) -> Option<&'static str> {
        EXPERIMENTS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_of_depths_needs_matches_against_its_opponent() {
        let text = Experiment::text("chinook-depth").expect("known");
        assert!(Experiment::read(text).is_ok());
        let changed = text.replace("against = \"expert\"", "against = \"gnubg:1\"");
        assert_ne!(changed, text);
        let error = Experiment::read(&changed).expect_err("no such matches").to_string();
        assert!(error.contains("matches against 'gnubg:1', but there are none"), "{error}");
    }

    #[test]
    fn a_gain_is_between_numbers_of_games_that_have_tests() {
        let text = Experiment::text("wiering-shape").expect("known");
        assert!(Experiment::read(text).is_ok());
        let changed = text.replace("fit = [10000,", "fit = [12345,");
        assert_ne!(changed, text);
        let error = Experiment::read(&changed).expect_err("no such test").to_string();
        assert!(error.contains("`fit` names 12345 games"), "{error}");
    }

    #[test]
    fn a_variant_begins_after_one_that_stands_before_it() {
        let text = Experiment::text("mannen-selfplay").expect("known");
        let own = Experiment::read(text).expect("readable");
        let stages: Vec<usize> = own.variants.iter().map(|variant| own.stage(variant)).collect();
        assert_eq!((stages[0], stages[6], stages[7], stages[14]), (0, 0, 1, 1));
        for wrong in ["a, then self-play", "z"] {
            let changed =
                text.replace("after = \"a: single, general\"", &format!("after = \"{wrong}\""));
            assert_ne!(changed, text);
            let error = Experiment::read(&changed).expect_err("no net").to_string();
            assert!(error.contains("which is no variant before it"), "{error}");
        }
    }

    #[test]
    fn matches_of_a_papers_length_have_fixed_players_and_games() {
        let text = Experiment::text("wiering-table1").expect("known");
        let none =
            text.replace("paper = { games = 30, points = [21", "paper = { games = 0, points = [21");
        assert_ne!(none, text);
        let learns = format!("{text}\n[[variant]]\nname = \"gnubg:2\"\n");
        for (changed, says) in [(none, "at least one game"), (learns, "between fixed players")] {
            let error = Experiment::read(&changed).expect_err("no such match").to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn definitions_that_differ_in_words_run_alike_and_those_that_differ_in_games_do_not() {
        let text = Experiment::text("wiering-table4").expect("known");
        let read = |from: &str, to: &str| {
            let changed = text.replace(from, to);
            assert_ne!(changed, text, "{from} is not there");
            Experiment::read(&changed).expect("readable")
        };
        let own = Experiment::read(text).expect("readable");
        assert!(own.runs_like(&read("\nclaim = \"", "\nclaim = \"They say: ")));
        assert!(own.runs_like(&read("tests = 31", "tests = 30")), "the paper's size");
        let shown = "\nsmooth = true\nplateau = true\nclasses = true\ngames = 15000";
        assert!(own.runs_like(&read("\ngames = 15000", shown)), "what is shown");
        assert!(!own.runs_like(&read("\ngames = 15000", "\ngames = 1000")));
        assert!(!own.runs_like(&read("alpha = \"0.01\"", "alpha = \"0.02\"")));
        let text = Experiment::text("wiering-table1").expect("known");
        let short = Experiment::read(text).expect("readable");
        let changed = |from: &str, to: &str| {
            let changed = text.replace(from, to);
            assert_ne!(changed, text, "{from} is not there");
            Experiment::read(&changed).expect("readable")
        };
        assert!(short.runs_like(&changed("points = [21, -16]", "points = [21, -15]")));
        let longer = changed("games = 30, points = [21,", "games = 60, points = [21,");
        assert!(!short.runs_like(&longer), "ours are as long as the paper's");
    }
}

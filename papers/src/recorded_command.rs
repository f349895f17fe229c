//! The options in the command of a simulation: results of version 0.1 say by it alone how they were
//! made.

use serde_json::{Map, Value};

use nonet_training::train::TrainSpec;

/// The options that were not always printed, with the defaults that they had then.
const FIRST_DEFAULTS: [(&str, &str); 3] =
    [("alpha", "0.01"), ("preset", "large"), ("games", "500000")];
/// The option that stands for the defaults of gated runs, with its earlier name. All that differ
/// are printed too.
const GATED: [&str; 2] = ["gated", "ladder"];

const ALL_OUTCOMES: &str = "all_outcomes";

/// The options in a `nonet train` command of version 0.1; `None` if the text is no such command.
pub(super) fn recorded_options(command: &str) -> Option<TrainSpec> {
    let defaults = serde_json::to_value(TrainSpec::default()).expect("options are plain data");
    let typed = |key: &str, words: &str| match &defaults[key] {
        Value::String(_) => words.into(),
        // Written as several words or with commas.
        Value::Array(_) => words.split([' ', ',']).map(value).collect(),
        // A switch.
        _ if words.is_empty() => Value::Bool(true),
        _ => value(words),
    };
    let first = FIRST_DEFAULTS.map(|(key, words)| (key.to_owned(), typed(key, words)));
    let mut options = Map::from_iter(first);
    // Version 0.1 did not leave out what the rules exclude.
    options.insert(ALL_OUTCOMES.to_owned(), Value::Bool(true));
    for option in command.strip_prefix("nonet train")?.split(" --").skip(1) {
        let (key, words) = option.split_once(' ').unwrap_or((option, ""));
        let key = key.replace('-', "_");
        if !GATED.contains(&key.as_str()) {
            let value = typed(&key, words);
            options.insert(key, value);
        }
    }
    serde_json::from_value(Value::Object(options)).ok()
}

/// A number, or a text.
fn value(word: &str) -> Value {
    word.parse().map_or_else(|_| word.into(), Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::class::Class;
    use nonet_training::train::Schedule;

    #[test]
    fn a_recorded_command_gives_the_options_that_were_printed() {
        for spec in [
            TrainSpec::default(),
            TrainSpec::gated(),
            TrainSpec { eval_every: 25_000, squash: 0.3, ..TrainSpec::gated() },
            TrainSpec {
                expert: Some("gnubg:2".parse().expect("a player")),
                eval_at: vec![7, 9],
                ..TrainSpec::default()
            },
            TrainSpec {
                classes: Class::all().collect(),
                bearoff: true,
                ply: Some(nonet_engine::search::Plies::TWO),
                ..TrainSpec::default()
            },
            TrainSpec {
                records: vec!["a.mat".into(), "b".into()],
                seed: u64::MAX,
                ..TrainSpec::default()
            },
        ] {
            let command = spec.to_command_line();
            let mut read = recorded_options(&command).expect(&command);
            // An empty list is printed as 0.
            read.eval_at.retain(|games| *games > 0);
            assert_eq!(read, TrainSpec { all_outcomes: true, ..spec }, "{command}");
        }
        assert_eq!(recorded_options("nonet eval"), None);
        assert_eq!(recorded_options("nonet train --gaems 3"), None);
    }

    #[test]
    fn the_oldest_commands_have_the_first_names_and_defaults() {
        let old = recorded_options("nonet train --seed 2").expect("readable");
        assert_eq!(old.alpha, Schedule::Constant(0.01));
        let whole =
            "nonet train --preset large --all-outcomes --games 500000 --alpha 0.01 --seed 2";
        assert_eq!(old.to_command_line(), whole);
        let old = "nonet train --source selfplay --targets own --method lookahead --explore 0.1 --surprises drop --endings \
                   --classes race,endgame --preset large --games 500000 --alpha 0.01 --lambda 0.6 --seed 1 --batch 32 \
                   --epochs 2 --memory 50 --average 7 --eval-every 25000 --eval-games 2000 --against pubeval --ladder --rung 50000";
        let spec = recorded_options(old).expect("readable");
        assert_eq!(
            spec.to_command_line(),
            "nonet train --gated --method rootstrap --epsilon 0.1 --unforeseen drop --preset large --all-outcomes --bearoff --classes race endgame \
             --games 500000 --alpha 0.01 --epochs 2 --replay 50 --ema 7 --eval-every 25000 --eval-at 100,300,1000,3000,10000 --eval-games 2000 --gate-every 50000"
        );
    }
}

//! Recipes: several training runs in sequence (stages), each of which may start with the averaged
//! weights of an earlier one.

use nonet_engine::store::{LONGEST_NAME, is_file_name, run_file};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::train::options::config_error::ConfigError;
use crate::train::options::spec::TrainSpec;

/// A sequence of training runs.
///
/// ```
/// use std::path::Path;
///
/// use nonet_training::train::Recipe;
///
/// let text = "name = 'mine'\nmeaning = 'a trial'\n[[stage]]\nname = 'first'\ngames = 1000\n";
/// let recipe = Recipe::from_text(text, "mine.toml")?;
/// assert_eq!(recipe.spec(Path::new("runs"), 0)?.games, 1000);
/// # Ok::<(), nonet_training::train::RecipeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The name in commands.
    pub name: String,
    /// A description of the net that it trains.
    pub meaning: String,
    /// Measured time on one core, in hours.
    #[serde(default)]
    pub hours: Option<f64>,
    /// The runs in order.
    #[serde(rename = "stage")]
    pub stages: Vec<Stage>,
}

/// One run of a recipe.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Stage {
    /// The name of its folder; later stages use it in `from`, `against` and `expert`.
    pub name: String,
    /// The options that differ from their defaults, as in a run's `config.toml`.
    #[serde(flatten)]
    set: toml::Table,
}

/// Why a recipe is invalid.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RecipeError {
    #[error("invalid recipe {name}: {reason}")]
    Data { name: String, reason: String },
    #[error("invalid stage '{stage}' of the recipe")]
    Config {
        stage: String,
        #[source]
        cause: ConfigError,
    },
}

/// Refuses a name that is not one of a file or folder: recipes and stages write to places of their
/// names.
fn check_name(of: &str, name: &str) -> Result<(), String> {
    if is_file_name(name) {
        return Ok(());
    }
    Err(format!(
        "invalid name '{name}' of a {of}: expected 1 to {LONGEST_NAME} letters, digits, - and _, \
         and no - as the first"
    ))
}

/// The built-in recipes.
const KNOWN: &[&str] = &[include_str!("recipes/champion.toml"), include_str!("recipes/swift.toml")];

impl Recipe {
    /// Parses a recipe; `name` appears in errors.
    ///
    /// # Errors
    /// [`RecipeError`] if the text is no valid recipe.
    pub fn from_text(text: &str, name: &str) -> Result<Recipe, RecipeError> {
        let wrong = |reason: String| RecipeError::Data { name: name.to_owned(), reason };
        let recipe: Recipe = toml::from_str(text).map_err(|e| wrong(e.message().to_owned()))?;
        check_name("recipe", &recipe.name).map_err(wrong)?;
        if recipe.stages.is_empty() {
            return Err(wrong("it has no stage".into()));
        }
        for (i, stage) in recipe.stages.iter().enumerate() {
            check_name("stage", &stage.name).map_err(wrong)?;
            if recipe.stages[..i].iter().any(|other| other.name == stage.name) {
                return Err(wrong(format!("two stages are called '{}'", stage.name)));
            }
        }
        Ok(recipe)
    }

    /// The built-in recipe with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Recipe> {
        Recipe::all().into_iter().find(|recipe| recipe.name == name)
    }

    /// All built-in recipes.
    #[must_use]
    pub fn all() -> Vec<Recipe> {
        let read = |text: &&str| {
            Recipe::from_text(text, "(built in)").expect("a test reads every built-in recipe")
        };
        KNOWN.iter().map(read).collect()
    }

    /// The folder of a stage within the recipe's `folder`, and the path of its final net.
    ///
    /// # Panics
    /// If there is no such stage.
    #[must_use]
    pub fn place(&self, folder: &Path, stage: usize) -> (PathBuf, PathBuf) {
        let folder = folder.join(&self.stages[stage].name);
        let net = folder.join(run_file::AVERAGE);
        (folder, net)
    }

    /// The options of a stage, if the folders of all stages are in `folder`. If the stage starts
    /// with the net of an earlier one, `preset` is still the default: that net file defines the
    /// architecture.
    ///
    /// # Errors
    /// [`RecipeError`] if there is no such stage or its options are invalid.
    pub fn spec(&self, folder: &Path, stage: usize) -> Result<TrainSpec, RecipeError> {
        let Some(found) = self.stages.get(stage) else {
            let (name, reason) = (self.name.clone(), format!("it has no stage {stage}"));
            return Err(RecipeError::Data { name, reason });
        };
        let mut table = found.set.clone();
        for key in ["from", "against", "expert"] {
            let named = table.get(key).and_then(toml::Value::as_str).map(str::to_owned);
            let earlier = |name: &str| self.stages[..stage].iter().position(|s| s.name == name);
            if let Some(place) = named.as_deref().and_then(earlier) {
                let net = self.place(folder, place).1.to_string_lossy().into_owned();
                table.insert(key.to_owned(), net.into());
            }
        }
        let spec: TrainSpec = table.try_into().map_err(|error: toml::de::Error| {
            let name = format!("{}, stage '{}'", self.name, found.name);
            RecipeError::Data { name, reason: error.message().to_owned() }
        })?;
        let wrong = |cause| RecipeError::Config { stage: found.name.clone(), cause };
        spec.check_given(|key| found.set.contains_key(key)).map_err(wrong)?;
        if spec.ema == 0 {
            let problem = "must be at least 1 in a recipe: the average is the net of a stage";
            return Err(wrong(ConfigError::new("ema", problem)));
        }
        spec.clone().plan().map_err(wrong)?;
        Ok(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_of_every_known_recipe_can_be_run() {
        assert_eq!(Recipe::all().len(), KNOWN.len());
        for recipe in Recipe::all() {
            for stage in 0..recipe.stages.len() {
                let spec = recipe.spec(Path::new("x"), stage).expect("runnable");
                assert!(spec.ema > 0, "its averaged weights are its result");
            }
        }
    }

    #[test]
    fn a_stage_starts_with_the_averaged_net_of_an_earlier_one() {
        let recipe = Recipe::named("champion").expect("known");
        let second = recipe.spec(Path::new("runs/c"), 1).expect("runnable");
        let net = Path::new("runs/c/selfplay/average.nonet").to_string_lossy().into_owned();
        assert_eq!((second.from, second.against.to_string()), (Some(net.clone()), net));
    }

    #[test]
    fn an_invalid_recipe_is_refused_with_the_reason() {
        let refused = |text: &str| match Recipe::from_text(text, "x") {
            Err(error) => error.to_string(),
            Ok(recipe) => recipe.spec(Path::new("x"), 0).expect_err("refused").to_string(),
        };
        let with = |stage: &str| format!("name = \"x\"\nmeaning = \"y\"\n[[stage]]\n{stage}");
        assert!(refused("name = 3").contains("invalid recipe"));
        assert!(refused("name = \"x\"\nmeaning = \"y\"\nstage = []").contains("no stage"));
        assert!(refused(&with("name = \"../a\"")).contains("invalid name '../a' of a stage"));
        for name in ["../x", "", "-x", "a b", "x".repeat(61).as_str()] {
            let text = with("name = \"a\"").replacen("\"x\"", &format!("{name:?}"), 1);
            let error = refused(&text);
            assert!(error.contains(&format!("invalid name '{name}' of a recipe")), "{error}");
        }
        assert!(refused(&with("name = \"a\"\n[[stage]]\nname = \"a\"")).contains("two stages"));
        assert!(refused(&with("name = \"a\"\ngaems = 3")).contains("gaems"));
        assert!(refused(&with("name = \"a\"\ngames = 0")).contains("'a'"));
        for (options, field) in
            [("ema = 0", "ema"), ("from = \"small\"\npreset = \"medium\"", "preset")]
        {
            let recipe = Recipe::from_text(&with(&format!("name = \"a\"\n{options}")), "x");
            match recipe.expect("readable").spec(Path::new("x"), 0) {
                Err(RecipeError::Config { cause, .. }) => assert_eq!(cause.field, field),
                other => panic!("{options}: {other:?}"),
            }
        }
    }
}

//! Runs one after another, each beginning with the averaged weights of an earlier one.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::config::{ConfigError, TrainConfig};

/// A whole schedule of training.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The name in commands.
    pub name: String,
    /// What comes of it.
    pub meaning: String,
    /// Hours of one core that it takes, as far as anybody knows.
    #[serde(default)]
    pub hours: Option<f64>,
    /// The runs in order.
    #[serde(rename = "stage")]
    pub stages: Vec<Stage>,
}

/// One run of a recipe.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Stage {
    /// The name of its folder, by which later stages name it in `from` and `against`.
    pub name: String,
    /// What differs from an ordinary run, as in a run's `config.toml`.
    #[serde(flatten)]
    set: toml::Table,
}

/// Why a recipe cannot be followed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum RecipeError {
    #[error("the recipe {name} cannot be read: {reason}")]
    Data { name: String, reason: String },
    #[error("the stage '{stage}' of the recipe cannot be run")]
    Config {
        stage: String,
        #[source]
        cause: ConfigError,
    },
    #[error("a stage of a recipe cannot be called '{0}': letters, digits and hyphens make a name")]
    Name(String),
}

/// The recipes that the program knows by name.
const KNOWN: &[&str] = &[include_str!("recipes/champion.toml"), include_str!("recipes/swift.toml")];

impl Recipe {
    /// Reads a recipe; `name` is for errors.
    ///
    /// # Errors
    /// [`RecipeError`] if it is none.
    pub fn from_text(text: &str, name: &str) -> Result<Recipe, RecipeError> {
        let wrong = |reason: String| RecipeError::Data { name: name.to_owned(), reason };
        let recipe: Recipe = toml::from_str(text).map_err(|e| wrong(e.message().to_owned()))?;
        if recipe.stages.is_empty() {
            return Err(wrong("it has no stage".into()));
        }
        for (i, stage) in recipe.stages.iter().enumerate() {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
            if stage.name.is_empty() || !stage.name.chars().all(plain) {
                return Err(RecipeError::Name(stage.name.clone()));
            }
            if recipe.stages[..i].iter().any(|other| other.name == stage.name) {
                return Err(wrong(format!("two stages are called '{}'", stage.name)));
            }
        }
        Ok(recipe)
    }

    /// The recipe of a name, of all that the program knows.
    #[must_use]
    pub fn named(name: &str) -> Option<Recipe> {
        Recipe::all().into_iter().find(|recipe| recipe.name == name)
    }

    /// All that the program knows.
    #[must_use]
    pub fn all() -> Vec<Recipe> {
        KNOWN.iter().filter_map(|text| Recipe::from_text(text, "of its own").ok()).collect()
    }

    /// The folder of a stage, and the net that comes of it.
    #[must_use]
    pub fn place(&self, folder: &Path, stage: usize) -> (PathBuf, PathBuf) {
        let name = self.stages.get(stage).map_or("", |stage| stage.name.as_str());
        let folder = folder.join(name);
        let net = folder.join("average.nonet");
        (folder, net)
    }

    /// The configuration of a stage when the folders of all stages lie in `folder`. The architecture of a stage that
    /// begins with an earlier one is `preset`'s, whatever that is.
    ///
    /// # Errors
    /// [`RecipeError::Config`] if it is not runnable.
    pub fn config(&self, folder: &Path, stage: usize) -> Result<TrainConfig, RecipeError> {
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
        let config: TrainConfig = table.try_into().map_err(|error: toml::de::Error| {
            let name = format!("{}, stage '{}'", self.name, found.name);
            RecipeError::Data { name, reason: error.message().to_owned() }
        })?;
        let wrong = |cause| RecipeError::Config { stage: found.name.clone(), cause };
        config.check().map_err(wrong)?;
        Ok(config)
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
                let config = recipe.config(Path::new("x"), stage).expect("runnable");
                assert!(config.average > 0, "its averaged weights are what comes of it");
            }
        }
    }

    #[test]
    fn a_stage_begins_where_an_earlier_one_ended() {
        let champion = Recipe::named("champion").expect("known");
        let second = champion.config(Path::new("runs/c"), 1).expect("runnable");
        let net = Path::new("runs/c/selfplay/average.nonet").to_string_lossy().into_owned();
        assert_eq!((second.from, second.against), (Some(net.clone()), net));
    }

    #[test]
    fn what_cannot_be_followed_is_refused_in_words() {
        let refused = |text: &str| match Recipe::from_text(text, "x") {
            Err(error) => error.to_string(),
            Ok(recipe) => recipe.config(Path::new("x"), 0).expect_err("refused").to_string(),
        };
        let with = |stage: &str| format!("name = \"x\"\nmeaning = \"y\"\n[[stage]]\n{stage}");
        assert!(refused("name = 3").contains("cannot be read"));
        assert!(refused("name = \"x\"\nmeaning = \"y\"\nstage = []").contains("no stage"));
        assert!(refused(&with("name = \"../a\"")).contains("cannot be called"));
        assert!(refused(&with("name = \"a\"\n[[stage]]\nname = \"a\"")).contains("two stages"));
        assert!(refused(&with("name = \"a\"\ngaems = 3")).contains("gaems"));
        assert!(refused(&with("name = \"a\"\ngames = 0")).contains("'a'"));
    }
}

//! The meaning of the words in tables and legends, from `papers/glossary.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

/// A word and its meaning.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Word {
    pub(crate) word: String,
    pub(crate) means: String,
    /// How the names of the experiments begin in which it means this; empty for all.
    #[serde(default)]
    pages: Vec<String>,
    /// Whether it stands among the words of all pages, not below the tables of some.
    #[serde(default)]
    general: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Glossary {
    words: Vec<Word>,
}

static WORDS: LazyLock<Vec<Word>> = LazyLock::new(|| {
    let text = include_str!("../../glossary.toml");
    let glossary: Glossary = toml::from_str(text).expect("readable, as a test shows");
    glossary.words
});

/// The words of all pages.
pub(crate) fn general() -> impl Iterator<Item = &'static Word> {
    WORDS.iter().filter(|word| word.general)
}

/// The words that occur in these names of variants, in the order of the glossary.
pub(super) fn words_of<'a>(
    experiment: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Vec<&'static Word> {
    let here = WORDS.iter().filter(|word| {
        let on_page = || word.pages.iter().any(|page| experiment.starts_with(page.as_str()));
        !word.general
            && (word.pages.is_empty() || on_page())
            && names.clone().any(|name| contains(name, &word.word))
    });
    here.collect()
}

/// Whether a name contains a word, not only a part of one.
fn contains(name: &str, word: &str) -> bool {
    name.match_indices(word).any(|(start, _)| {
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let end = start + word.len();
        !is_letter(name[..start].chars().next_back()) && !is_letter(name[end..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Experiment;

    #[test]
    fn every_part_of_a_variants_name_is_explained_and_no_word_is_useless() {
        let all = Experiment::all().expect("readable");
        let mut used: Vec<&str> = Vec::new();
        for experiment in &all {
            for variant in &experiment.variants {
                // A letter is the authors' name of a net; a comma also divides thousands.
                let parts = variant.name.split(", ").flat_map(|part| part.split(": "));
                for part in parts.filter(|part| part.len() > 1) {
                    let found = words_of(&experiment.name, [part].into_iter());
                    let name = &experiment.name;
                    assert!(!found.is_empty(), "'{part}' in {name} is explained nowhere");
                    used.extend(found.iter().map(|word| word.means.as_str()));
                }
            }
        }
        let useless = WORDS.iter().find(|word| !word.general && !used.contains(&&*word.means));
        assert!(useless.is_none(), "no variant has {useless:?}");
        assert!(general().count() > 3);
    }

    #[test]
    fn a_word_is_not_found_within_another_one() {
        assert!(contains("against expert, own", "own"));
        assert!(!contains("shown", "own"));
        assert!(contains("a, then self-play", "a"));
    }
}

//! A move filter as an option.

use std::fmt;
use std::str::FromStr;

use nonet::search::{FilterError, SearchSettings};

/// A move filter with the word that names it.
#[derive(Clone)]
pub(crate) struct FilterArg {
    word: String,
    pub(crate) search: SearchSettings,
}

impl FromStr for FilterArg {
    type Err = FilterError;

    fn from_str(word: &str) -> Result<FilterArg, FilterError> {
        Ok(FilterArg { word: word.to_owned(), search: word.parse()? })
    }
}

impl fmt::Display for FilterArg {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.word)
    }
}

//! A move filter as an option.

use std::fmt;
use std::str::FromStr;

use nonet::search::{FilterError, SearchSettings};

/// What a filter is, for the long help of the options that take one.
pub(crate) const FILTERS: &str = "A filter is tiny, narrow, normal, large, huge or all. normal/6 \
    evaluates only 6 replies to a roll. Default: normal, which is normal/5.";

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

//! The learning methods of the papers, as an option names them: each is a search depth for the
//! plays and a learning rule.

use serde::{Deserialize, Serialize};

use nonet_engine::search::Plies;

/// A learning method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// TD(lambda): 1-ply play, differences between positions.
    ///
    /// See section 3.3 of Wiering, Patist & Mannen.
    Td,
    /// TD-directed(lambda): 2-ply play, differences between positions.
    ///
    /// See Baxter, Tridgell & Weaver 2000.
    TdDirected,
    /// TDLeaf(lambda): 2-ply play, differences between principal leaves.
    ///
    /// See Baxter, Tridgell & Weaver 2000.
    #[serde(rename = "tdleaf")]
    #[cfg_attr(feature = "clap", value(name = "tdleaf"))]
    TdLeaf,
    /// RootStrap: 1-ply play, each position towards its own 2-ply value.
    ///
    /// That value is the mean over the 21 rolls of the best reply: a full backup (Sutton & Barto
    /// 2018, section 4.4). See Veness, Silver, Blair & Uther 2009, "Bootstrapping from Game Tree
    /// Search", NIPS 22.
    #[serde(rename = "rootstrap", alias = "lookahead")]
    #[cfg_attr(feature = "clap", value(name = "rootstrap", alias = "lookahead"))]
    RootStrap,
}

impl Method {
    /// Plies of the search that chooses the learner's plays, unless the option `ply` is given.
    #[must_use]
    pub const fn plies(self) -> Plies {
        match self {
            Method::Td | Method::RootStrap => Plies::ONE,
            Method::TdDirected | Method::TdLeaf => Plies::TWO,
        }
    }
}

//! Pages of analysed matches: one for a match, one for a collection of them.

mod breakdown;
mod collection_page;
mod decision_block;
mod match_chart;
mod match_page;
mod scoreboard;
mod style;
mod words;

pub use collection_page::{AnalysedMatch, collection_page, most_frequent_player, side_of};
pub use match_page::analysis_page;
pub use words::{
    cost_of, decision_of, play_of, result_of, right_call, score_of, severity_name, title_of,
    worst_first,
};

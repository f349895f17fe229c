//! What several commands show: progress, results of series, charts, examples, and the log.

pub(super) mod answer;
pub(super) mod counted;
pub(super) mod cube_judge;
pub(super) mod decision_times;
pub(super) mod examples;
pub(super) mod log;
pub(super) mod pace;
pub(super) mod progress_bar;
pub(super) mod score_matrix;
pub(super) mod series_text;
pub(super) mod shell_word;
pub(super) mod sparkline;
pub(super) mod terminal;
pub(super) mod time_chart;
pub(super) mod watched_player;

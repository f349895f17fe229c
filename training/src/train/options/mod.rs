//! The options of a run, their checks, and the plan made of them.

pub(super) mod command_line;
pub(super) mod config_error;
pub(super) mod method;
pub(super) mod opponents;
pub(super) mod option_checks;
pub(super) mod option_values;
pub(super) mod plan;
pub(super) mod recipe;
pub(super) mod run_config;
pub(super) mod schedule;
pub(super) mod shell_word;
pub(super) mod spec;
pub(super) mod usual_settings;

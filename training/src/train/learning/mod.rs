//! Learning: from finished games to weight changes.

pub(super) mod eligibility_traces;
pub(super) mod experience_replay;
pub(super) mod history_table;
pub(super) mod learner;
pub(super) mod net_learner;
pub(super) mod rule;
pub(super) mod targets;
pub(super) mod update_rule;

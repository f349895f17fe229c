//! Learning between matches, on a thread of its own.

pub(super) mod learner_thread;
pub(super) mod online_learner;
pub(super) mod promotion;
pub(super) mod rated_pool;

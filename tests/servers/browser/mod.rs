//! The pages of `nonet serve` in a real browser, Chromium with its driver. If they are not
//! installed, these tests print that and pass; with `NONET_WANT_BROWSER` set, as in CI, they fail
//! instead. `NONET_PICTURES` names a folder for pictures of the pages.

#![allow(
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test that cannot go on fails, aloud"
)]

mod accessibility;
mod analyst;
mod board;
mod board_actions;
mod bot;
mod offline;
mod position;
mod training;

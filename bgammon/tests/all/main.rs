//! Sessions against the practice server: whole matches, faults made from seeds, hostile opponents.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod deadlines;
mod faults;
mod matches;
mod presence;
mod world;

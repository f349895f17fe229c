//! The compressed records of eXtreme Gammon and BGBlitz: files that a writer of these tests wrote,
//! and what damage does to them.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod bgf;
mod games;
mod xg;
mod xg_writer;

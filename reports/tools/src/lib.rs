//! What the measuring programs share: positions from games, fitted nets, judges, players, GNU
//! Backgammon's text.

pub mod exact_ladder;
pub mod frozen;
pub mod gnubg_text;
pub mod judges;
pub mod players;
pub mod recorded;
pub mod row_file;

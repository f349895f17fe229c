//! The default search depths of an engine.

use super::Engine;
use crate::search::Plies;

impl Engine {
    /// The depth of play wherever a person, or a program that plays, asks: the terminal, the
    /// browser, HTTP, UBGI, gnubg, Python and [`Engine::builder`]. It is the best depth at up to 10
    /// ms a decision (`reports/strength.md`).
    ///
    /// Series ([`SERIES_PLIES`](crate::open::SERIES_PLIES)), training and batches of questions are
    /// 1-ply unless set, because they take thousands of decisions. The FIBS bot plays at 2-ply,
    /// because its opponents wait.
    pub const PLAY_PLIES: Plies = Plies::THREE;

    /// The depth of cube decisions unless it is set. The cube model favours the player on roll at
    /// the leaves. At an odd depth that is the player who decides. At 2-ply it is the opponent,
    /// which would underrate not doubling.
    pub const CUBE_PLIES: Plies = Plies::THREE;
}

//! What a person may type next, for the completion of lines.

use nonet::backgammon::candidates;
use nonet::game::NextAction;

use super::table::MatchTable;

/// What may be typed at any time.
const ALWAYS: [&str; 9] =
    ["hint", "undo", "board", "id", "resign", "resign gammon", "resign backgammon", "help", "quit"];

impl MatchTable {
    /// The legal plays, or the cube actions, and the other commands.
    pub(super) fn choices(&self) -> Vec<String> {
        let session = self.game.session();
        let own: Vec<String> = match session.next_action() {
            NextAction::Play(_, dice) => {
                let plays = candidates(session.position(), dice);
                plays.iter().map(|candidate| candidate.play.to_string()).collect()
            }
            NextAction::Roll(_) => ["roll", "double"].map(str::to_owned).to_vec(),
            NextAction::Answer(_) => {
                let beaver = self.game.has_beavers().then_some("beaver");
                ["take", "pass"].into_iter().chain(beaver).map(str::to_owned).collect()
            }
            NextAction::NextGame | NextAction::Over(_) => Vec::new(),
        };
        own.into_iter().chain(ALWAYS.map(str::to_owned)).collect()
    }
}

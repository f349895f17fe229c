//! What a session waits for, and how long at most.

use std::time::Duration;

/// What a session waits for. Every wait but that for an invitation has a deadline.
///
/// ```
/// use fibs::session::Waiting;
/// use std::time::Duration;
///
/// assert_eq!(Waiting::Login.deadline(), Some(Duration::from_secs(60)));
/// assert_eq!(Waiting::Invitation.deadline(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Waiting {
    /// The login prompt, or the answer to the login.
    Login,
    /// The answer to a setting.
    Settings,
    /// The list of saved matches.
    SavedMatches,
    /// Another player: an invitation, or the agent's next idea.
    Invitation,
    /// The answer to an own invitation.
    Invited,
    /// The match of an accepted invitation.
    Joined,
    /// A board.
    Board,
    /// The time to send a decision.
    Pace,
    /// The effect of a command.
    Effect,
    /// The opponent's move or answer.
    Opponent,
    /// The next game of the match.
    NextGame,
    /// The answer to `leave`.
    Leave,
    /// The connection is being closed.
    Close,
}

impl Waiting {
    /// The longest time that a session waits for it at the default pace; `None` without a limit.
    #[must_use]
    pub const fn deadline(self) -> Option<Duration> {
        let seconds = match self {
            Waiting::Invitation => return None,
            Waiting::Login => 60,
            // Three tries of each of 17 settings.
            Waiting::Settings => 520,
            Waiting::SavedMatches => 45,
            Waiting::Invited => 45,
            Waiting::Joined => 25,
            // A server that answers nothing is given up after 120 s.
            Waiting::Board => 135,
            Waiting::Pace => 30,
            Waiting::Effect => 135,
            Waiting::Opponent => 335,
            Waiting::NextGame => 460,
            Waiting::Leave => 25,
            Waiting::Close => 5,
        };
        Some(Duration::from_secs(seconds))
    }
}

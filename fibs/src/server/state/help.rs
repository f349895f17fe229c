//! Help: of the commands, of topics for new users, and of what a user can do now.

use super::server_state::{ConnectionId, ServerState};
use super::words::{COMMANDS, command_named};

/// Topics of `help` that are no commands.
const TOPICS: &[(&str, &[&str])] = &[
    (
        "beginner",
        &[
            "beginner: how to play a first match",
            "  who ready        lists the users who are ready to play.",
            "  invite NAME 3    invites one of them to a match to 3 points.",
            "  join NAME        accepts an invitation: the match begins.",
            "  roll             rolls the dice, or 'double' offers a double.",
            "  move 13-8 6-5    moves checkers, one word a die; 'board' shows the board.",
            "  join             plays the next game of the match.",
            "  leave            ends the match, which is saved; 'invite NAME' goes on with it.",
            "  panic            says what you can do now, at any time.",
            "  bye              logs out.",
        ],
    ),
    (
        "formula",
        &[
            "formula: how ratings change",
            "  D is the difference of the ratings, N the length of the match in points.",
            "  The underdog wins with the probability 1/(10^(D*sqrt(N)/2000)+1).",
            "  The winner gets, and the loser loses, 4*K*sqrt(N) times the probability of the",
            "  other result. K falls from 5 to 1 with the first 400 points of experience.",
            "  Unlimited matches change no rating.",
        ],
    ),
    (
        "names",
        &[
            "names: which names users can have",
            "  3 to 20 letters or underscores. Capital letters make no other name.",
            "  Most commands take the beginning of a name if it means one user.",
        ],
    ),
];

impl ServerState {
    pub(super) fn help(&mut self, id: ConnectionId, about: Option<&str>) {
        let Some(about) = about else {
            self.say(id, "Commands, which may be abbreviated; 'help COMMAND' explains one:");
            let words: Vec<&str> = COMMANDS.iter().map(|(word, ..)| *word).collect();
            words.chunks(8).for_each(|row| self.say(id, &format!("  {}", row.join(" "))));
            let topics: Vec<&str> = TOPICS.iter().map(|(word, _)| *word).collect();
            return self.say(id, &format!("Also: help {}", topics.join(", help ")));
        };
        let wanted = about.to_ascii_lowercase();
        if let Some((_, lines)) = TOPICS.iter().find(|(word, _)| *word == wanted) {
            return lines.iter().for_each(|line| self.say(id, line));
        }
        let found = command_named(about);
        let Some((word, arguments, what)) = COMMANDS.iter().find(|(word, ..)| found == Some(word))
        else {
            let about: String = about.chars().take(40).collect();
            return self.say(id, &format!("** No help available on '{about}'."));
        };
        self.say(id, format!("{word} {arguments}").trim_end());
        self.say(id, &format!("  {what}."));
    }

    /// Says what a user can do now.
    pub(super) fn panic(&mut self, id: ConnectionId, name: &str) {
        let line = self.advice(name);
        self.say(id, &line);
        self.say(id, "'help' lists all commands, 'help beginner' tells how a match goes.");
    }

    fn advice(&self, name: &str) -> String {
        let invited_by = |c: &&super::server_state::ClientState| {
            c.invites.as_ref().is_some_and(|(whom, _)| whom == name)
        };
        let Some((game, seat)) = self.game_of(name) else {
            return match self.connections.values().find(invited_by) {
                Some(c) => format!("{0} invites you. Type 'join {0}' to play.", c.name),
                None => "You're not playing. Type 'who ready', then 'invite NAME 3'.".to_owned(),
            };
        };
        let opponent = &game.players[seat.other().index()];
        let key = super::server_state::pair(name, opponent);
        match self.tables.get(&key).and_then(|table| table.resigns) {
            Some((by, _)) if by == seat => return format!("{opponent} has to answer you: wait."),
            Some(_) => return format!("{opponent} resigns. Type 'accept' or 'reject'."),
            None => {}
        }
        let ours = game.on_roll() == Some(seat);
        match (game.on_roll(), game.is_doubled(), game.dice()) {
            (None, ..) => "Type 'join' to play the next game, 'leave' to stop.".to_owned(),
            (_, true, _) if ours => format!("{opponent} has to answer your double: wait."),
            (_, true, _) => format!("{opponent} doubles. Type 'accept' or 'reject'."),
            _ if !ours => format!("It's {opponent}'s turn: wait, or talk by 'kibitz'."),
            (.., None) => "It's your turn. Type 'roll' or 'double'.".to_owned(),
            (.., Some([a, b])) => {
                let n = game.dice_to_play();
                format!("You have {a} and {b}. Type 'move' and {n} words such as 13-8.")
            }
        }
    }
}

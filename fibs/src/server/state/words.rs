//! The words of the server: its commands with one line of help each, and their abbreviations.

/// A command: its word, its arguments, and what it does.
type Command = (&'static str, &'static str, &'static str);

/// The commands that may be abbreviated, in the order of `help`.
pub(super) const COMMANDS: &[Command] = &[
    ("about", "", "says what this server is"),
    ("accept", "", "accepts a double or a resignation"),
    ("address", "EMAIL", "stores your email address, which others can see; 'address -' removes it"),
    ("average", "", "shows how many users are logged in at each hour of the day"),
    ("away", "TEXT", "tells others that you are away; without text: lists who is"),
    ("back", "", "you are back"),
    (
        "blind",
        "NAME",
        "bans a user from watching you; again: no longer; without a name: lists them",
    ),
    ("board", "", "shows the board"),
    ("bye", "", "logs out; a match is saved"),
    ("dicetest", "", "shows how often each roll has come since the server started"),
    ("double", "", "offers the opponent a double"),
    ("erase", "", "says who can delete your account"),
    ("gag", "NAME", "hides what a user says; again: no longer; without a name: lists them"),
    ("help", "COMMAND", "explains a command; without one: lists all"),
    (
        "invite",
        "NAME POINTS",
        "invites to a match; 'unlimited' for no end, nothing for the saved match",
    ),
    ("join", "NAME", "accepts an invitation; without a name: plays the next game"),
    ("kibitz", "TEXT", "talks to the opponent and all who watch"),
    ("last", "NAME", "shows the last login; without a name: of everybody"),
    ("leave", "", "ends a match, which is saved"),
    ("look", "NAME", "shows the board of another player"),
    ("message", "NAME TEXT", "leaves a message for the next login"),
    ("motd", "", "shows the message of the day"),
    ("move", "FROM-TO ...", "moves checkers, one word a die, as in 'move 13-8 bar-22 3-off'"),
    ("oldboard", "NAME", "shows the board of your saved match with another player"),
    ("oldmoves", "NAME", "lists the moves of your match with another player"),
    ("panic", "", "says what you can do now"),
    ("pip", "", "shows the pip counts"),
    ("ratings", "NAME", "lists the players by rating; 'ratings from 1 to 10' for a part"),
    ("rawwho", "", "lists the users who are logged in"),
    ("redouble", "", "doubles at once after a double; this server has no such doubles"),
    ("reject", "", "rejects a double or a resignation"),
    ("resign", "n|g|b", "offers to resign a normal game, a gammon or a backgammon"),
    ("roll", "", "rolls the dice"),
    ("save", "", "saves the settings, which this server always does"),
    ("say", "TEXT", "talks to the opponent"),
    ("set", "VARIABLE VALUE", "changes a setting; without a value: shows it"),
    ("shout", "TEXT", "talks to all users"),
    ("show", "saved", "lists your saved matches; also: savedcount NAME, games, watchers"),
    ("sortwho", "ORDER", "sorts the list of users: 'login', 'name', 'rating' or 'rrating'"),
    ("stat", "", "shows the number of registered users"),
    ("tell", "NAME TEXT", "talks to a user"),
    ("time", "", "shows the server's time"),
    ("toggle", "SWITCH", "changes a switch; without one: lists them"),
    ("unwatch", "", "stops watching"),
    ("version", "", "shows the server's version"),
    ("waitfor", "NAME", "rings when a user logs in; again: no longer"),
    ("watch", "NAME", "shows all of another player's match"),
    ("wave", "", "waves goodbye; again: logs out"),
    ("where", "NAME", "shows where a user is logged in from, and what they do"),
    ("whisper", "TEXT", "talks to those who watch you"),
    (
        "who",
        "WHICH",
        "lists users; 'who ready', 'who playing', 'who away', 'who count', 'who NAME'",
    ),
    ("whois", "NAME", "shows what is known about a user"),
];

/// Words with the same meaning; these are not abbreviated.
const SYNONYMS: &[(&str, &str)] = &[
    // The single letters of FIBS, and two that would be ambiguous.
    ("b", "board"),
    ("k", "kibitz"),
    ("m", "move"),
    ("r", "roll"),
    ("s", "say"),
    ("t", "tell"),
    ("w", "who"),
    ("wh", "who"),
    ("a", "accept"),
    ("d", "double"),
    ("tellx", "tell"),
    ("alert", "tell"),
    ("date", "time"),
    // Redoubles of redoubles.
    ("beaver", "redouble"),
    ("raccoon", "redouble"),
    ("otter", "redouble"),
    ("redraw", "board"),
    ("adios", "bye"),
    ("ciao", "bye"),
    ("end", "bye"),
    ("exit", "bye"),
    ("logout", "bye"),
    ("quit", "bye"),
    ("tschoe", "bye"),
    // A login that is sent twice.
    ("login", "login"),
];

/// The command that a word or its abbreviation means; `None` if there is none, or several.
pub(super) fn command_named(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let exact = COMMANDS.iter().map(|(name, ..)| *name).find(|name| *name == word);
    let synonym = || SYNONYMS.iter().find(|(name, _)| *name == word).map(|(_, means)| *means);
    let begun = || {
        let mut all = COMMANDS.iter().map(|(name, ..)| *name).filter(|n| n.starts_with(&word));
        all.next().filter(|_| word.len() > 1 && all.next().is_none())
    };
    exact.or_else(synonym).or_else(begun)
}

/// Whether a word is one that the server uses itself, so that a user of that name would be mistaken
/// for it.
pub(super) fn is_server_word(word: &str) -> bool {
    const OTHERS: &[&str] = &[
        "all",
        "bar",
        "bearing",
        "board",
        "closed",
        "connect",
        "connection",
        "congratulations",
        "everybody",
        "everyone",
        "experience",
        "fibs",
        "forced",
        "goodbye",
        "guest",
        "home",
        "information",
        "login",
        "match",
        "message",
        "name",
        "network",
        "nobody",
        "none",
        "off",
        "password",
        "pipcounts",
        "player",
        "please",
        "points",
        "rating",
        "score",
        "server",
        "settings",
        "sorry",
        "starting",
        "the",
        "turn",
        "type",
        "unlimited",
        "user",
        "users",
        "value",
        "warning",
        "welcome",
        "you",
        "your",
    ];
    let word = word.to_ascii_lowercase();
    let word = word.as_str();
    OTHERS.contains(&word)
        || COMMANDS.iter().any(|(name, ..)| *name == word)
        || SYNONYMS.iter().any(|(name, _)| *name == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unique_beginnings_and_the_usual_single_letters_are_commands() {
        for (word, means) in [
            ("rol", "roll"),
            ("acc", "accept"),
            ("inv", "invite"),
            ("MOVE", "move"),
            ("Rol", "roll"),
            ("b", "board"),
            ("k", "kibitz"),
            ("m", "move"),
            ("r", "roll"),
            ("s", "say"),
            ("t", "tell"),
            ("w", "who"),
            ("wh", "who"),
            ("who", "who"),
            ("whoi", "whois"),
            ("redraw", "board"),
            ("tellx", "tell"),
            ("adios", "bye"),
        ] {
            assert_eq!(command_named(word), Some(means), "{word}");
        }
        // re: reject and resign; l: leave, last and look; foo: nothing.
        for word in ["re", "l", "wa", "foo", "", "rolls", "é"] {
            assert_eq!(command_named(word), None, "{word}");
        }
    }
}

//! The table of the server's sentences and their meanings.
//!
//! Sources: the client protocol's specification by E. McLean (2008), the help pages of the server,
//! and the sentences that clients and bots expect. The spellings of other servers (JIBS, BaldLies,
//! TigerGammon) are from their source code.
//!
//! Servers and versions differ in dots, blanks and apostrophes (single, doubled, lost). So the
//! table omits apostrophes everywhere and dots at the end. A blank matches any number of blanks.

use backgammon::Dice;

use super::clip::Toggle;
use super::pattern::{Holes, matches};
use super::types::{Length, Message, Refusal, SavedMatch};
use super::watched;
use crate::command::Command;

pub(super) type Meaning = fn(&Holes) -> Option<Message>;

pub(super) fn name(holes: &Holes, i: usize) -> Option<String> {
    holes.get(i).map(|text| (*text).to_owned())
}

pub(super) fn number(holes: &Holes, i: usize) -> Option<u32> {
    holes.get(i)?.parse().ok().filter(|n| *n < 1_000_000)
}

pub(super) fn dice(holes: &Holes, i: usize) -> Option<Dice> {
    Dice::new(holes.get(i)?.parse().ok()?, holes.get(i + 1)?.parse().ok()?)
}

pub(super) fn score(holes: &Holes, i: usize) -> Option<[u32; 2]> {
    Some([number(holes, i)?, number(holes, i + 1)?])
}

pub(super) fn die(holes: &Holes, i: usize) -> Option<u8> {
    holes.get(i)?.parse().ok().filter(|die| (1..=6).contains(die))
}

pub(super) fn wins_game(holes: &Holes) -> Option<Message> {
    Some(Message::WinsGame { name: name(holes, 0)?, points: number(holes, 1)? })
}

fn you_win(holes: &Holes) -> Option<Message> {
    Some(Message::YouWinGame { points: number(holes, 0)? })
}

fn points(holes: &Holes, i: usize) -> Option<Length> {
    number(holes, i).filter(|n| *n > 0).map(Length::Points)
}

const fn refused(why: Refusal) -> Option<Message> {
    Some(Message::Refused { why, name: None })
}

/// A refusal about a player: the first placeholder holds the name.
fn refuses(holes: &Holes, why: Refusal) -> Option<Message> {
    Some(Message::Refused { why, name: Some(trimmed(holes, 0)?) })
}

/// Sentences that may be followed by another message in the same line: no chat line begins like
/// them.
const OPEN: &[(&str, Meaning)] = &[
    ("You accept the double. The cube shows {n}.", |_| Some(Message::YouTake)),
    ("{w} accepts the double. The cube shows {n}.", |h| Some(Message::Takes { name: name(h, 0)? })),
    ("You win the game and get {n} point. Congratulations!", you_win),
    ("You win the game and get {n} points. Congratulations!", you_win),
    ("You win the game and get {n} point. Congratulation!", you_win),
    ("You win the game and get {n} points. Congratulation!", you_win),
    // A server that prints the number of our side and forgets that of the points.
    ("{n} win the game and get {*} points. Congratulation!", |_| {
        Some(Message::YouWinGame { points: 0 })
    }),
    ("{w} wins the game and gets {n} point. Sorry.", wins_game),
    ("{w} wins the game and gets {n} points. Sorry.", wins_game),
    ("** You terminated the game. The game was saved.", |_| Some(Message::Saved { name: None })),
    ("** Player {w} has left the game. The game was saved.", |h| {
        Some(Message::Saved { name: name(h, 0) })
    }),
    ("** Player {w} {*}The game was saved.", |h| Some(Message::Saved { name: name(h, 0) })),
    ("** Connection with {w} timed out. The game was saved.", |h| {
        Some(Message::Saved { name: name(h, 0) })
    }),
    ("** Network error with {w}. The game was saved.", |h| {
        Some(Message::Saved { name: name(h, 0) })
    }),
    ("Closed old connection with user {w}. The game was saved.", |h| {
        Some(Message::Saved { name: name(h, 0) })
    }),
    ("** Closed old connection with user {w}. The game was saved.", |h| {
        Some(Message::Saved { name: name(h, 0) })
    }),
    ("{w} logs out. The game was saved.", |h| Some(Message::Saved { name: name(h, 0) })),
    ("{w} drops connection. The game was saved.", |h| Some(Message::Saved { name: name(h, 0) })),
    ("Connection with {w} timed out. The game was saved.", |h| {
        Some(Message::Saved { name: name(h, 0) })
    }),
    ("Network error with {w}. The game was saved.", |h| Some(Message::Saved { name: name(h, 0) })),
    ("{w} closes connection{*}The game was saved.", |h| Some(Message::Saved { name: name(h, 0) })),
];

/// Sentences that take the whole line, or begin it.
const CLOSED: &[(&str, Meaning)] = &[
    // Playing.
    ("You roll {n} and {n}", |h| Some(Message::YouRoll(dice(h, 0)?))),
    ("{w} rolls {n} and {n}", |h| Some(Message::Rolls { name: name(h, 0)?, dice: dice(h, 1)? })),
    ("{w} rolled {n} and {n}", |h| Some(Message::Rolls { name: name(h, 0)?, dice: dice(h, 1)? })),
    ("{w} moves {*}", |h| {
        let steps = name(h, 1)?.trim().trim_end_matches('.').trim().to_owned();
        Some(Message::Moves { name: name(h, 0)?, steps })
    }),
    ("You cant move", |_| Some(Message::YouCannotMove)),
    ("{w} cant move", |h| Some(Message::CannotMove { name: name(h, 0)? })),
    ("Please move {n} piece", |_| Some(Message::PleaseMove)),
    ("Its your turn. Please roll or double", |_| Some(Message::PleaseRoll)),
    ("Its your turn to roll or double", |_| Some(Message::PleaseRoll)),
    ("Its your turn to move", |_| Some(Message::YourTurn)),
    ("{w} makes the first move", |h| Some(Message::MakesFirstMove { name: name(h, 0)? })),
    ("Starting a new game with {w}.", |h| Some(Message::NewGame { name: name(h, 0)? })),
    ("You rolled {n}, {w} rolled {n}", |h| {
        Some(Message::OpeningRoll { own: die(h, 0)?, other: die(h, 2)? })
    }),
    ("The only possible move is {*}", |_| Some(Message::MovedForUs)),
    ("Bearing off: {*}", |_| Some(Message::MovedForUs)),
    // The cube.
    ("You double. Please wait for {w} to accept or reject", |_| Some(Message::YouDouble)),
    ("You double. Please wait for {w} to accept, reject or redouble", |_| Some(Message::YouDouble)),
    ("{w} doubles. Type accept{*}", |h| Some(Message::Doubles { name: name(h, 0)? })),
    ("You give up. {w} wins {n} point", |h| Some(Message::YouDrop { points: number(h, 1)? })),
    ("{w} gives up. You win {n} point", |h| {
        Some(Message::Drops { name: name(h, 0)?, points: number(h, 1)? })
    }),
    // Giving up.
    ("You want to resign. {w} will win {n} point", |h| {
        Some(Message::YouResign { points: number(h, 1)? })
    }),
    ("{w} wants to resign. You will win {n} point", |h| {
        Some(Message::Resigns { name: name(h, 0)?, points: number(h, 1)? })
    }),
    ("You accept and win {n} point", |h| Some(Message::YouAccept { points: number(h, 0)? })),
    ("{w} accepts and wins {n} point", |h| {
        Some(Message::Accepts { name: name(h, 0)?, points: number(h, 1)? })
    }),
    ("You reject. The game continues", |_| Some(Message::YouReject)),
    ("{w} rejects. The game continues", |h| Some(Message::Rejects { name: name(h, 0)? })),
    // The end of games and matches.
    ("score in {*}match:{*}", |_| Some(Message::Score)),
    ("Type join if you want to play the next game", |_| Some(Message::TypeJoinNext)),
    ("** Please wait for {w} to join too", |h| Some(Message::WaitForJoin { name: name(h, 0)? })),
    ("You win the {n} point match {n}-{n}", |h| {
        Some(Message::YouWinMatch { length: Some(number(h, 0)?), score: score(h, 1)? })
    }),
    ("You win the unlimited match {n}-{n}", |h| {
        Some(Message::YouWinMatch { length: None, score: score(h, 0)? })
    }),
    ("{w} wins the {n} point match {n}-{n}", |h| {
        let (length, score) = (Some(number(h, 1)?), score(h, 2)?);
        Some(Message::WinsMatch { name: name(h, 0)?, length, score })
    }),
    ("{w} wins the unlimited match {n}-{n}", |h| {
        Some(Message::WinsMatch { name: name(h, 0)?, length: None, score: score(h, 1)? })
    }),
    // Invitations.
    ("{w} wants to play a {n} point match with you", |h| {
        Some(Message::Wants { name: name(h, 0)?, length: points(h, 1)? })
    }),
    ("{w} wants to play a unl{*}match with you", |h| {
        Some(Message::Wants { name: name(h, 0)?, length: Length::Unlimited })
    }),
    ("{w} wants to play an unl{*}match with you", |h| {
        Some(Message::Wants { name: name(h, 0)?, length: Length::Unlimited })
    }),
    ("{w} wants to resume a saved match with you", |h| {
        Some(Message::Wants { name: name(h, 0)?, length: Length::Resume })
    }),
    ("WARNING: Dont accept if you want to continue", |_| Some(Message::SavedWarning)),
    ("** WARNING: Dont accept if you want to continue", |_| Some(Message::SavedWarning)),
    ("Type join {w} to accept", |h| Some(Message::TypeJoin { name: name(h, 0)? })),
    ("** You invited {w} to a {n} point match", |h| {
        Some(Message::Invited { name: name(h, 0)?, length: points(h, 1)? })
    }),
    ("** You invited {w} to an unl{*}match", |h| {
        Some(Message::Invited { name: name(h, 0)?, length: Length::Unlimited })
    }),
    ("** You invited {w} to resume a saved match", |h| {
        Some(Message::Invited { name: name(h, 0)?, length: Length::Resume })
    }),
    ("** You are now playing a {n} point match with {w}", |h| {
        Some(Message::NowPlaying { name: trimmed(h, 1)?, length: points(h, 0)? })
    }),
    ("** You are now playing an unl{*}match with {w}", |h| {
        Some(Message::NowPlaying { name: trimmed(h, 1)?, length: Length::Unlimited })
    }),
    ("** Player {w} has joined you for a {n} point match", |h| {
        Some(Message::NowPlaying { name: name(h, 0)?, length: points(h, 1)? })
    }),
    ("** {w} has joined you for a {n} point match", |h| {
        Some(Message::NowPlaying { name: name(h, 0)?, length: points(h, 1)? })
    }),
    ("** {w} has joined you for an unl{*}match", |h| {
        Some(Message::NowPlaying { name: name(h, 0)?, length: Length::Unlimited })
    }),
    ("Player {w} has joined you for an unl{*}match", |h| {
        Some(Message::NowPlaying { name: name(h, 0)?, length: Length::Unlimited })
    }),
    ("** Player {w} has joined you for an unl{*}match", |h| {
        Some(Message::NowPlaying { name: name(h, 0)?, length: Length::Unlimited })
    }),
    ("{w} has joined you. Your running match was loaded", |h| {
        Some(Message::NowPlaying { name: name(h, 0)?, length: Length::Resume })
    }),
    ("You are now playing with {w}. Your running match was loaded", |h| {
        Some(Message::NowPlaying { name: name(h, 0)?, length: Length::Resume })
    }),
    ("turn: {w}", |_| Some(Message::Resumed)),
    ("match length: {n}", |_| Some(Message::Resumed)),
    ("unlimited match", |_| Some(Message::Resumed)),
    ("points for {*}: {n}", |_| Some(Message::Resumed)),
    // Refusals.
    ("** Youre not playing", |_| refused(Refusal::NotPlaying)),
    ("** You are not playing", |_| refused(Refusal::NotPlaying)),
    ("** Error: No one to leave", |_| refused(Refusal::NotPlaying)),
    ("** You cant play two games at once", |_| refused(Refusal::Playing)),
    ("** You are already playing", |_| refused(Refusal::Playing)),
    ("** There is no one called {w}", |h| refuses(h, Refusal::NobodyThere)),
    ("** There is no user called {w}", |h| refuses(h, Refusal::NobodyThere)),
    ("** Error: cant find player {w}", |h| refuses(h, Refusal::NobodyThere)),
    ("** {w} is refusing games", |h| Some(Message::RefusesGames { name: name(h, 0)? })),
    ("** {w} didnt invite you", |h| refuses(h, Refusal::NotWilling)),
    ("** Error: {w} is already playing with someone else", |h| refuses(h, Refusal::NotWilling)),
    ("** {w} is already playing with someone else", |h| refuses(h, Refusal::NotWilling)),
    ("{w} is already playing with someone else", |h| refuses(h, Refusal::NotWilling)),
    ("** Please wait for your last invitation", |_| refused(Refusal::NotWilling)),
    ("** You are not allowed to create new games", |_| refused(Refusal::NotWilling)),
    ("** Theres no saved match with {w}", |h| refuses(h, Refusal::NothingSaved)),
    ("** There is no saved match with {w}", |h| refuses(h, Refusal::NothingSaved)),
    ("** Theres no saved match", |_| refused(Refusal::NothingSaved)),
    ("** There is no saved match", |_| refused(Refusal::NothingSaved)),
    ("** ERROR: Saved match is corrupt", |_| refused(Refusal::Corrupt)),
    ("** Youre not experienced enough", |_| refused(Refusal::NotExperienced)),
    ("** {w} is not experienced enough", |h| refuses(h, Refusal::NotExperienced)),
    ("** Its not your turn", |_| refused(Refusal::NotNow)),
    ("** Please wait until {w} has moved", |h| refuses(h, Refusal::NotNow)),
    ("** You have to roll the dice before moving", |_| refused(Refusal::NotNow)),
    ("** You can only double before you roll", |_| refused(Refusal::NotNow)),
    ("** You did already roll the dice", |_| refused(Refusal::RolledAlready)),
    ("** You must give {n} move", |_| refused(Refusal::BadMove)),
    ("** Please dont give more than {n} move", |_| refused(Refusal::BadMove)),
    ("** {w} move: legal words", |_| refused(Refusal::BadMove)),
    ("** You cant move {*} in your {*}", |_| refused(Refusal::BadMove)),
    ("** You have to remove pieces from the bar", |_| refused(Refusal::BadMove)),
    ("** You cant remove this piece", |_| refused(Refusal::BadMove)),
    ("** The Crawford rule doesn", |_| refused(Refusal::NoDouble)),
    ("** You cant double", |_| refused(Refusal::NoDouble)),
    ("** {w} hasnt accepted or rejected your resign", |h| refuses(h, Refusal::OfferPending)),
    ("** Wait until {w} accepted or rejected your resign", |h| refuses(h, Refusal::OfferPending)),
    ("** {w} wanted to resign", |h| refuses(h, Refusal::ResignationPending)),
    ("** {w} hasnt responded to your double", |h| refuses(h, Refusal::DoublePending)),
    ("** {w} didnt double or resign", |h| refuses(h, Refusal::NotNow)),
    ("** You already did that", |_| refused(Refusal::OfferPending)),
    // Settings and lists.
    ("Value of boardstyle set to {n}", |h| Some(Message::BoardStyle(number(h, 0)?))),
    ("set boardstyle {n}", |h| Some(Message::BoardStyle(number(h, 0)?))),
    ("Value of {w} set to {*}", |h| {
        let value = h.get(1)?.trim_end_matches('.').to_owned();
        Some(Message::ValueSet { name: name(h, 0)?, value })
    }),
    ("set {w} {w}", |h| Some(Message::ValueSet { name: name(h, 0)?, value: name(h, 1)? })),
    ("Your email address is {*}", |_| Some(Message::AddressSet)),
    ("** {w} is not an email address", |_| Some(Message::NotAnAddress)),
    ("Youre away. Please type back", |_| Some(Message::Away)),
    ("no saved games", |_| Some(Message::NothingSaved)),
    ("opponent matchlength score", |_| Some(Message::SavedList)),
    ("Score is {n}-{n} in a", |_| Some(Message::OldMoves(String::new()))),
    ("{w} is X - {w} is O", |_| Some(Message::OldMoves(String::new()))),
    ("X: {*}", |_| Some(Message::OldMoves(String::new()))),
    ("O: {*}", |_| Some(Message::OldMoves(String::new()))),
    ("rating calculation:", |_| Some(Message::Rating(String::new()))),
    ("rating difference {*}", |_| Some(Message::Rating(String::new()))),
    ("match length  N={*}", |_| Some(Message::Rating(String::new()))),
    ("Experience: {*}", |_| Some(Message::Rating(String::new()))),
    ("Probability that underdog wins: {*}", |_| Some(Message::Rating(String::new()))),
    ("P={*}", |_| Some(Message::Rating(String::new()))),
    ("K=max{*}", |_| Some(Message::Rating(String::new()))),
    ("change for {*}", |_| Some(Message::Rating(String::new()))),
    // The connection.
    ("** You just logged in a second time", |_| Some(Message::LoggedInElsewhere)),
    ("** You have logged in from another", |_| Some(Message::LoggedInElsewhere)),
    ("** Warning: You are already logged in", |_| Some(Message::AlreadyLoggedIn)),
    ("*** ATTENTION ! FIBS will restart in {n} second", |h| {
        Some(Message::GoesDown { seconds: number(h, 0)? })
    }),
    ("*** ATTENTION ! FIBS will shut down in {n} second", |h| {
        Some(Message::GoesDown { seconds: number(h, 0)? })
    }),
    ("Connection timed out", |_| Some(Message::TimedOut)),
    ("** {n} user", |_| Some(Message::Echo)),
    // Sentences about players that change nothing. The first holds a text of the player's own.
    ("{w} is away: {*}", |_| Some(Message::Remark(String::new()))),
    ("{w} is watching you", |_| Some(Message::Remark(String::new()))),
    ("{w} starts watching {w}", |_| Some(Message::Remark(String::new()))),
    ("{w} stops watching {w}", |_| Some(Message::Remark(String::new()))),
    ("{w} bans {w} from watching", |_| Some(Message::Remark(String::new()))),
    ("{w} waves goodbye", |_| Some(Message::Remark(String::new()))),
    ("** But nobody heard you", |_| Some(Message::Echo)),
];

fn trimmed(holes: &Holes, i: usize) -> Option<String> {
    name(holes, i).map(|name| name.trim_end_matches('.').to_owned())
}

/// The message that a line begins with, and the rest of the line.
pub(super) fn parse(line: &str) -> Option<(Message, &str)> {
    let folded: String = line.chars().filter(|c| !is_quote(*c)).collect();
    if let Some((toggle, on)) = Toggle::answer(&folded) {
        return Some((Message::Toggled { toggle, on }, ""));
    }
    for (sentence, meaning) in OPEN {
        if let Some((holes, rest)) = matches(sentence, &folded)
            && let Some(message) = meaning(&holes)
        {
            return Some((message, end_of(line, rest)));
        }
    }
    if let Some((message, rest)) = watched::open(&folded) {
        return Some((message, end_of(line, rest)));
    }
    for (sentence, meaning) in CLOSED {
        if let Some((holes, _)) = matches(sentence, &folded)
            && let Some(message) = meaning(&holes)
        {
            return Some((word_for_word(message, line), ""));
        }
    }
    watched::closed(&folded)
        .or_else(|| listed(line))
        .or_else(|| loosely(line))
        .map(|message| (message, ""))
        .or_else(|| {
            let notice = line.starts_with("** ");
            notice.then(|| (Message::Notice(line.to_owned()), ""))
        })
}

const fn is_quote(c: char) -> bool {
    matches!(c, '\'' | '`')
}

/// The end of a line that is `rest` without its quotes.
fn end_of<'a>(line: &'a str, rest: &str) -> &'a str {
    let mut left = rest.chars().count();
    let mut start = line.len();
    for (i, c) in line.char_indices().rev() {
        if left == 0 {
            break;
        }
        start = i;
        left -= usize::from(!is_quote(c));
    }
    &line[start..]
}

/// Words that say in any wording that the user is in no match. They can be a player's.
const NOT_PLAYING: &[&str] = &[
    "you're not playing",
    "you are not playing",
    "you aren't playing",
    "not playing a ",
    "not in a game",
    "not in a match",
    "not in any ",
    "no one to leave",
    "nobody to leave",
    "no game in progress",
    "no match in progress",
    "no current game",
    "no current match",
    "not currently playing",
];

/// Words that say in any wording that the server does not know a command.
const UNKNOWN: &[&str] = &[
    "unknown command",
    "unrecognized command",
    "unrecognised command",
    "invalid command",
    "bad command",
    "no such command",
    "not a command",
    "not a valid command",
    "ambiguous command",
    "don't understand",
    "do not understand",
    "don't know the command",
    "not implemented",
    "not yet implemented",
    "not supported",
];

/// Sentences of which the wording differs, by what they say. Chat never comes here: it has a
/// number.
fn loosely(line: &str) -> Option<Message> {
    let lower = line.to_lowercase().replace("''", "'");
    let says = |words: &[&str]| words.iter().any(|words| lower.contains(words));
    // The server speaks for itself; a line that begins with a name may go on with a player's text.
    let own_words = lower.starts_with("**") || lower.starts_with("the command ");
    if says(UNKNOWN) && (own_words || begins_with(&lower, UNKNOWN)) {
        // The command stands in quotes, after a colon or after the stars; some servers quote its
        // arguments alone.
        let words = lower.replace("don't", "").replace(is_quote, " ").replace([':', '"'], " ");
        let verb = words.split_whitespace().find(|word| Command::VERBS.contains(word));
        return Some(Message::UnknownCommand { verb: verb.map(str::to_owned) });
    }
    let bare = lower.trim_start_matches("** ").trim_start_matches("error: ");
    let saved = says(&["was saved", "has been saved", "is saved"]);
    let over = says(NOT_PLAYING) || bare.starts_with("not playing");
    if over || (saved && says(&["game", "match"])) {
        return Some(Message::SeemsOver);
    }
    is_time(&lower).then(|| Message::Time(line.to_owned()))
}

/// Whether a line begins with one of the words, perhaps after `error: ` or `sorry, `.
fn begins_with(lower: &str, words: &[&str]) -> bool {
    let bare = ["error: ", "error, ", "sorry, ", "i "]
        .iter()
        .fold(lower, |line, prefix| line.strip_prefix(prefix).unwrap_or(line));
    words.iter().any(|words| bare.starts_with(words))
}

/// Whether a line is the answer to `time`: it begins with a day of the week and has a time of day.
fn is_time(lower: &str) -> bool {
    const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let clock = |word: &str| {
        let mut parts = word.split(':');
        let digits = |part: &str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
        parts.clone().count() == 3 && parts.all(digits)
    };
    let mut words = lower.split_whitespace();
    words.next().is_some_and(|first| DAYS.iter().any(|day| first.starts_with(day)))
        && words.any(clock)
}

/// Every sentence of the tables, with its placeholders.
pub(super) fn sentences() -> impl Iterator<Item = &'static str> {
    OPEN.iter().chain(CLOSED).map(|(sentence, _)| *sentence).chain(watched::sentences())
}

/// Puts the line into the messages that keep it.
fn word_for_word(message: Message, line: &str) -> Message {
    match message {
        Message::OldMoves(_) => Message::OldMoves(line.to_owned()),
        Message::Remark(_) => Message::Remark(line.to_owned()),
        Message::Rating(_) => Message::Rating(line.to_owned()),
        message => message,
    }
}

/// Lines of lists: `automove   NO`, `**bob  3  1 - 1`.
fn listed(line: &str) -> Option<Message> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match *words.as_slice() {
        [toggle, state @ ("YES" | "NO")] => {
            let toggle = Toggle::named(toggle)?;
            Some(Message::Toggled { toggle, on: state == "YES" })
        }
        [opponent, length, own, "-", other] => {
            let name = opponent.trim_start_matches('*');
            let length = match length {
                "unlimited" => None,
                points => Some(points.parse().ok()?),
            };
            Some(Message::SavedGame(SavedMatch {
                opponent: name.to_owned(),
                ready: opponent.starts_with("**"),
                length,
                score: [own.parse().ok()?, other.parse().ok()?],
            }))
        }
        _ => None,
    }
}

//! The sentences about matches of other players.
//!
//! The server sends them to those who watch a player, or who are informed about starting and ending
//! matches. They name both players. The players' own sentences say `you` instead of one of them.
//!
//! Sources:
//!
//! - the client protocol's specification by E. McLean (2008),
//! - the sentences that free clients look for (FIBS Cookie Monster, Gibbon),
//! - the sources of other servers (JIBS, BaldLies, TigerGammon).

use super::pattern::{Holes, matches};
use super::texts::{Meaning, dice, die, name, number, score, wins_game};
use super::types::Message;

/// Sentences that may be followed by another message in the same line.
const OPEN: &[(&str, Meaning)] = &[
    // JIBS ends neither of these lines.
    ("Youre now watching {w}.", |h| Some(Message::NowWatching { name: name(h, 0)? })),
    ("{w} rolls {n} and {n}.", |h| Some(Message::Rolls { name: name(h, 0)?, dice: dice(h, 1)? })),
    ("{w} accepts the double.", |h| Some(Message::Takes { name: name(h, 0)? })),
    ("{w} wins the game and gets {n} point.", wins_game),
    ("{w} wins the game and gets {n} points.", wins_game),
    // A server that forgets the ending of the verb.
    ("{w} win the game and get {n} point.", wins_game),
    ("{w} win the game and get {n} points.", wins_game),
];

/// Sentences that are whole lines: more words after them give another meaning.
const WHOLE: &[(&str, Meaning)] = &[
    ("{w} doubles", |h| Some(Message::WatchedDouble { name: name(h, 0)? })),
    ("{w} accepts the double", |h| Some(Message::Takes { name: name(h, 0)? })),
    ("Youre now watching {w}", |h| Some(Message::NowWatching { name: name(h, 0)? })),
];

/// Sentences that take the whole line, or begin it.
const CLOSED: &[(&str, Meaning)] = &[
    ("{w} rolls {n}, {w} rolls {n}", |h| {
        let names = [name(h, 0)?, name(h, 2)?];
        Some(Message::WatchedOpeningRoll { names, dice: [die(h, 1)?, die(h, 3)?] })
    }),
    ("{w} gives up. {w} wins {n} point", |h| {
        let (name, winner) = (name(h, 0)?, name(h, 1)?);
        Some(Message::WatchedDrop { name, winner, points: number(h, 2)? })
    }),
    ("{w} wants to resign. {w} will win {n} point", |h| {
        let (name, winner) = (name(h, 0)?, name(h, 1)?);
        Some(Message::WatchedResignation { name, winner, points: number(h, 2)? })
    }),
    ("{w} wins the game and gets {n} point", wins_game),
    ("{w} and {w} start a {n} point match", |h| others_start(h, false)),
    ("{w} and {w} start a new {n}-point match", |h| others_start(h, false)),
    ("{w} and {w} start an unl{*}match", |h| others_start(&h[..2], false)),
    ("{w} and {w} are resuming their {n}-point match", |h| others_start(h, true)),
    ("{w} and {w} are resuming their {n} point match", |h| others_start(h, true)),
    ("{w} and {w} are resuming their unl{*}match", |h| others_start(&h[..2], true)),
    ("{w} wins a {n} point match against {w} {n}-{n}", |h| {
        let (winner, loser) = (name(h, 0)?, name(h, 2)?);
        let (length, score) = (number(h, 1)?, score(h, 3)?);
        Some(Message::OthersFinish { winner, loser, length, score })
    }),
];

/// Two players start or resume a match, as long as the third placeholder says.
fn others_start(holes: &[&str], resumed: bool) -> Option<Message> {
    let [first, second, length @ ..] = holes else { return None };
    let length = match length {
        [] => None,
        [points, ..] => Some(points.parse().ok().filter(|n| (1..1_000_000).contains(n))?),
    };
    let names = [first, second].map(|name| (*name).to_owned());
    Some(Message::OthersStart { names, length, resumed })
}

/// The sentence that a line without quotes begins with, and the rest of the line.
pub(super) fn open(line: &str) -> Option<(Message, &str)> {
    OPEN.iter().find_map(|(sentence, meaning)| {
        let (holes, rest) = matches(sentence, line)?;
        Some((meaning(&holes)?, rest))
    })
}

/// The sentence of a line without quotes.
pub(super) fn closed(line: &str) -> Option<Message> {
    let of = |table: &[(&str, Meaning)], accept: fn(&str) -> bool| {
        table.iter().find_map(|(sentence, meaning)| {
            let (holes, rest): (Holes, _) = matches(sentence, line)?;
            if accept(rest) { meaning(&holes) } else { None }
        })
    };
    of(WHOLE, |rest| rest.trim_matches([' ', '.']).is_empty()).or_else(|| of(CLOSED, |_| true))
}

/// Every sentence of the tables, with its placeholders.
pub(super) fn sentences() -> impl Iterator<Item = &'static str> {
    OPEN.iter().chain(WHOLE).chain(CLOSED).map(|(sentence, _)| *sentence)
}

#[cfg(test)]
mod tests {
    use super::super::{Message, Parser};

    fn only(text: &str) -> Message {
        let mut all = Parser::messages(text);
        assert_eq!(all.len(), 1, "{text}: {all:?}");
        all.remove(0)
    }

    #[test]
    fn watchers_are_told_by_name_who_acts_and_who_wins() {
        let [ann, bob] = ["ann", "bob"].map(|name| move || name.to_owned());
        let start = |length, resumed| Message::OthersStart {
            names: ["a".into(), "b".into()],
            length,
            resumed,
        };
        for (text, message) in [
            ("You're now watching ann", Message::NowWatching { name: ann() }),
            ("You're now watching ann.", Message::NowWatching { name: ann() }),
            ("ann doubles.", Message::WatchedDouble { name: ann() }),
            ("ann accepts the double.", Message::Takes { name: ann() }),
            ("ann accepts the double", Message::Takes { name: ann() }),
            ("ann accepts the double. The cube shows 2.", Message::Takes { name: ann() }),
            (
                "ann gives up. bob wins 1 point.",
                Message::WatchedDrop { name: ann(), winner: bob(), points: 1 },
            ),
            (
                "ann wants to resign. bob will win 2 points.",
                Message::WatchedResignation { name: ann(), winner: bob(), points: 2 },
            ),
            ("ann accepts and wins 2 points.", Message::Accepts { name: ann(), points: 2 }),
            ("ann rejects. The game continues.", Message::Rejects { name: ann() }),
            ("ann wins the game and gets 2 points.", Message::WinsGame { name: ann(), points: 2 }),
            ("ann win the game and get 1 point.", Message::WinsGame { name: ann(), points: 1 }),
            (
                "bob wins the 5 point match 5-3 .",
                Message::WinsMatch { name: bob(), length: Some(5), score: [5, 3] },
            ),
            (
                "ann rolls 3, bob rolls 1.",
                Message::WatchedOpeningRoll { names: [ann(), bob()], dice: [3, 1] },
            ),
            ("a and b start a 5 point match.", start(Some(5), false)),
            ("a and b start a new 5-point match.", start(Some(5), false)),
            ("a and b start an unlimited match.", start(None, false)),
            ("a and b are resuming their 5-point match.", start(Some(5), true)),
            ("a and b are resuming their unlimited match.", start(None, true)),
            (
                "ann wins a 9 point match against bob  11-6 .",
                Message::OthersFinish { winner: ann(), loser: bob(), length: 9, score: [11, 6] },
            ),
        ] {
            assert_eq!(only(text), message, "{text}");
        }
    }

    #[test]
    fn the_players_own_sentences_keep_their_meaning() {
        let bob = || "bob".to_owned();
        for (text, message) in [
            ("bob doubles. Type 'accept' or 'reject'.", Message::Doubles { name: bob() }),
            (
                "bob doubles. Type 'accept', 'reject' or 'redouble'.",
                Message::Doubles { name: bob() },
            ),
            ("bob gives up. You win 1 point.", Message::Drops { name: bob(), points: 1 }),
            ("You give up. bob wins 1 point.", Message::YouDrop { points: 1 }),
            (
                "bob wants to resign. You will win 2 points. Type 'accept' or 'reject'.",
                Message::Resigns { name: bob(), points: 2 },
            ),
            ("You want to resign. bob will win 2 points.", Message::YouResign { points: 2 }),
            ("You accept the double. The cube shows 2.", Message::YouTake),
            ("You rolled 3, bob rolled 1", Message::OpeningRoll { own: 3, other: 1 }),
            (
                "You win the game and get 1 point. Congratulation!",
                Message::YouWinGame { points: 1 },
            ),
            (
                "bob wins the game and gets 2 points. Sorry.",
                Message::WinsGame { name: bob(), points: 2 },
            ),
        ] {
            assert_eq!(only(text), message, "{text}");
        }
    }

    #[test]
    fn a_sentence_for_watchers_can_be_joined_to_the_next_message() {
        let messages = Parser::messages("ann accepts the double.ann rolls 3 and 1.");
        assert!(
            matches!(messages[..], [Message::Takes { .. }, Message::Rolls { .. }]),
            "{messages:?}"
        );
        let board = "board:ann:bob:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";
        for before in ["You're now watching ann.", "ann rolls 6 and 2."] {
            let messages = Parser::messages(&format!("{before}{board}"));
            assert_eq!(messages[0], only(before));
            assert!(matches!(messages[1..], [Message::Board(_)]), "{messages:?}");
        }
        let messages = Parser::messages("ann wins the game and gets 2 points.bob waves goodbye.");
        assert!(
            matches!(messages[..], [Message::WinsGame { .. }, Message::Remark(_)]),
            "{messages:?}"
        );
    }

    #[test]
    fn a_watched_double_is_the_whole_line() {
        for text in ["bob doubles his stakes", "bob doubles. Or so they say."] {
            assert_eq!(only(text), Message::Unknown(text.into()));
        }
        let impossible = "ann rolls 7, bob rolls 1.";
        assert_eq!(only(impossible), Message::Unknown(impossible.into()));
    }
}

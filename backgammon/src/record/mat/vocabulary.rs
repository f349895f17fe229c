//! The words of actions and results, as programs and people write them.

use super::row::Action;

/// What a word begins.
pub(super) enum Meaning {
    /// An action that the word says alone.
    Action(Action),
    Double,
    Beaver,
    Wins,
    Loses,
    Resigned,
    /// The first of two words: `timed out`, `gives up`.
    Loses2(&'static str),
}

/// The meaning of a word in small letters.
pub(super) fn meaning(word: &str) -> Option<Meaning> {
    Some(match word.trim_matches(['.', '!', ',', '(', ')', '[', ']']) {
        "doubles" | "redoubles" | "double" | "redouble" | "doubled" | "redoubled" => {
            Meaning::Double
        }
        "beavers" | "beaver" | "beavered" | "raccoons" | "raccoon" => Meaning::Beaver,
        "takes" | "take" | "took" | "taken" | "accepts" | "accept" | "accepted" => {
            Meaning::Action(Action::Take)
        }
        "drops" | "drop" | "dropped" | "passes" | "pass" | "passed" | "rejects" | "reject"
        | "rejected" | "refuses" | "refused" | "declines" | "declined" | "folds" => {
            Meaning::Action(Action::Drop)
        }
        "wins" | "win" | "won" => Meaning::Wins,
        "losses" | "loses" | "lost" | "resigns" | "resign" | "forfeits" | "forfeit"
        | "forfeited" | "timeout" | "timed-out" | "time-out" | "disconnects" | "disconnected"
        | "abandons" | "abandoned" | "leaves" | "left" | "quits" | "quit" | "concedes"
        | "conceded" | "retires" | "retired" => Meaning::Loses,
        "resigned" => Meaning::Resigned,
        "timed" | "time" | "times" => Meaning::Loses2("out"),
        "gives" | "gave" => Meaning::Loses2("up"),
        _ => return None,
    })
}

/// A word after `Wins n`, as in `points and the match`.
pub(super) fn is_result_word(word: &str) -> bool {
    const WORDS: [&str; 25] = [
        "point",
        "points",
        "pt",
        "pts",
        "and",
        "the",
        "match",
        "game",
        "with",
        "a",
        "single",
        "gammon",
        "backgammon",
        "on",
        "time",
        "by",
        "resignation",
        "timeout",
        "forfeit",
        "in",
        "all",
        "of",
        "an",
        "session",
        "set",
    ];
    let word = word.trim_matches(['.', '!', ',', '(', ')', '[', ']']).to_ascii_lowercase();
    WORDS.contains(&word.as_str())
}

/// Words for a roll that cannot be played: `Cannot Move`, `can't move`, `No Play`.
pub(super) fn is_no_move(word: &str) -> bool {
    let word = word.trim_matches(['.', '(', ')', '-', '*']).to_ascii_lowercase();
    let known = [
        "",
        "cannot",
        "can't",
        "can\u{2019}t",
        "no",
        "move",
        "moves",
        "play",
        "dances",
        "dance",
        "danced",
        "fans",
        "fan",
        "stays",
        "legal",
        "none",
    ];
    known.contains(&word.as_str())
}

/// `ILLEGAL?`: a writer that is not sure whether the play before it is legal.
pub(super) fn is_doubt(word: &str) -> bool {
    word.strip_suffix('?').is_some_and(|word| word.eq_ignore_ascii_case("illegal"))
}

pub(super) fn is_unknown(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b == b'?')
}

/// `0/0`: a die with nothing left to move.
pub(super) fn is_null_step(word: &str) -> bool {
    word.split_once('/').is_some_and(|(from, to)| from == to)
}

/// Whether a word is a checker move such as `8/5*`, `13-10(2)` or `bar/22`.
pub(super) fn is_move(word: &str) -> bool {
    let Some((from, to)) = word.split_once(['/', '-']) else { return false };
    let point = |text: &str| text.parse::<u8>().is_ok_and(|n| n <= 25);
    let digits = to.bytes().take_while(u8::is_ascii_digit).count();
    let to_is_point =
        point(&to[..digits]) || to.get(..3).is_some_and(|to| to.eq_ignore_ascii_case("off"));
    (point(from) || from.eq_ignore_ascii_case("bar")) && to_is_point && !word.contains(':')
}

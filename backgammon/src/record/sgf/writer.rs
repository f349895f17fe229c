//! Games as gnubg's `.sgf`, with an analysis of each event if there is one.
//!
//! The properties are those that GNU Backgammon 1.07 writes and reads. The SGF standard and other
//! documents do not describe those of an analysis. A comparison of files with the display of the
//! program gave their meaning:
//!
//! | property | value |
//! |---|---|
//! | `A` | the index of the play that was made, then one value a play, the best first: the play in letters, `E ver 3`, five chances, equity, evaluation |
//! | `DA` | `E ver 3`, evaluation, and for no double and for double and take: five chances, cubeless and cubeful value |
//! | `LU` | the luck of the roll, in points on a cube at 1 |
//! | `DO`, `BM[1]`, `BM[2]` | a doubtful, bad, very bad decision |
//! | `GW`, `GB` | luck for White or Black: `[1]` from 0.3 points, `[2]` from 0.6 |
//! | `C` | a comment |

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::record::game::{GameStart, RecordEnd, RecordEvent, RecordedGame};
use crate::{CheckerMove, Scoring, Seat};

/// How a decision is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SgfMark {
    /// `?!`
    Doubtful,
    /// `?`
    Bad,
    /// `??`
    VeryBad,
}

/// A play that an analysis considered.
#[derive(Clone, Debug, PartialEq)]
pub struct SgfPlay {
    /// Its single checker moves, one for each die played.
    pub steps: Vec<CheckerMove>,
    /// Win, win gammon or more, win backgammon, lose gammon or more, lose backgammon, each 0..=1,
    /// for the player.
    pub chances: [f32; 5],
    /// The cubeful equity for the player, in points on a cube at 1.
    pub equity: f32,
    /// The depth in gnubg's plies, 0 for a static evaluation.
    pub plies: u8,
}

/// The analysis of a cube decision, for the player on roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SgfCube {
    /// The chances as in [`SgfPlay::chances`].
    pub chances: [f32; 5],
    /// The cubeless equity, in points on a cube at 1.
    pub cubeless: f32,
    /// Not doubling: equity in points on a cube at 1 for money, match winning chances, 0..=1, in a
    /// match.
    pub no_double: f32,
    /// Doubling, answered by a take, in the same unit.
    pub double_take: f32,
    /// The depth in gnubg's plies.
    pub plies: u8,
}

/// The analysis of an event; the default says nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SgfNote {
    /// The best plays, the best first, and the play that was made.
    pub plays: Vec<SgfPlay>,
    /// The index of the play that was made.
    pub played: usize,
    /// The cube decision before the roll, or the one that the event is.
    pub cube: Option<SgfCube>,
    /// The luck of the roll, in points on a cube at 1.
    pub luck: Option<f32>,
    /// How bad the decision was.
    pub mark: Option<SgfMark>,
    /// A text for people.
    pub comment: String,
}

/// Writes the games of a match one after the other, one tree a game.
///
/// ```
/// use backgammon::record::{SgfNote, SgfWriter, read_record};
///
/// let text = b" 0 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 8/5 6/5\n";
/// let record = read_record(&text[..], "night.mat")?;
/// let mut writer = SgfWriter::new(Vec::new());
/// let note = SgfNote { comment: "the best play".into(), ..SgfNote::default() };
/// writer.write(&record.games[0], &[note])?;
/// assert!(String::from_utf8(writer.into_inner())?.contains("C[the best play]"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SgfWriter<W> {
    out: W,
    games: u32,
}

impl<W: Write> SgfWriter<W> {
    /// Writes to `out`, which should be buffered.
    pub const fn new(out: W) -> SgfWriter<W> {
        SgfWriter { out, games: 0 }
    }

    /// The writer underneath.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Writes one game. `notes` belong to its events in order; events without one are not
    /// annotated.
    ///
    /// # Errors
    /// Those of the writer underneath.
    pub fn write(&mut self, game: &RecordedGame, notes: &[SgfNote]) -> io::Result<()> {
        let mut tree = head(game, self.games);
        let start = game.start();
        if *start != GameStart::USUAL {
            set_up(&mut tree, start);
        }
        let none = SgfNote::default();
        for (index, event) in game.events().iter().enumerate() {
            if let Some(start) = game.gap_before(index) {
                set_up(&mut tree, start);
            }
            node(&mut tree, event, notes.get(index).unwrap_or(&none));
        }
        self.games += 1;
        writeln!(self.out, "{tree})")
    }
}

/// The first node.
fn head(game: &RecordedGame, number: u32) -> String {
    let header = game.header();
    let [white, black] = [0, 1].map(|i| escaped(&header.names[i]));
    let (length, own, opponent, rules) = match header.scoring {
        Scoring::Money { jacoby, .. } => (0, 0, 0, if jacoby { "Jacoby" } else { "" }),
        Scoring::Match(score) => {
            // Before the Crawford game a match has the rule; after it and without it, gnubg needs
            // no word.
            let rules = if score.is_crawford() { "Crawford:CrawfordGame" } else { "Crawford" };
            (score.length(), score.own(), score.opponent(), rules)
        }
    };
    let mut tree = format!(
        "(;FF[4]GM[6]CA[UTF-8]AP[nonet:{}]MI[length:{length}][game:{number}][ws:{own}][bs:{opponent}]PW[{white}]PB[{black}]",
        env!("CARGO_PKG_VERSION")
    );
    let cube = if game.is_cubeless() { "NoCube" } else { "" };
    let rules: Vec<&str> = [cube, rules].into_iter().filter(|rule| !rule.is_empty()).collect();
    if !rules.is_empty() {
        _ = write!(tree, "RU[{}]", rules.join(":"));
    }
    if let Some((winner, points)) = game.won() {
        let resigned = matches!(game.end(), RecordEnd::Resigned { .. });
        _ = write!(tree, "RE[{}+{points}{}]", color(winner), if resigned { "R" } else { "" });
    }
    tree.push('\n');
    tree
}

const fn color(player: Seat) -> char {
    match player {
        Seat::X => 'W',
        Seat::O => 'B',
    }
}

/// The letter of a point as `player` counts it: 0 is off, 25 the bar.
fn letter(player: Seat, point: u8) -> char {
    let place = match (point, player) {
        (0, _) => 25,
        (25, _) => 24,
        (point, Seat::X) => point - 1,
        (point, Seat::O) => 24 - point,
    };
    char::from(b'a' + place)
}

/// A node that sets a position up.
fn set_up(tree: &mut String, start: &GameStart) {
    let flipped = start.on_roll == Some(Seat::O);
    let white = if flipped { start.position.flipped() } else { start.position };
    tree.push_str(";AE[a:y]");
    for (player, sign, name) in [(Seat::X, 1i8, "AW"), (Seat::O, -1, "AB")] {
        let mut places = String::new();
        for (point, &checkers) in (0u8..).zip(white.points()) {
            // Points 0 and 25 of White's view are the bars.
            let place = match (point, player) {
                (0 | 25, _) => 'y',
                (point, _) => char::from(b'a' + point - 1),
            };
            let bar_of_other = (point == 0) == (player == Seat::X) && matches!(point, 0 | 25);
            if !bar_of_other && checkers * sign > 0 {
                (0..checkers.unsigned_abs()).for_each(|_| _ = write!(places, "[{place}]"));
            }
        }
        if !places.is_empty() {
            _ = write!(tree, "{name}{places}");
        }
    }
    let owner = match start.cube_owner {
        None => 'c',
        Some(Seat::X) => 'w',
        Some(Seat::O) => 'b',
    };
    _ = write!(tree, "CV[{}]CP[{owner}]", start.cube);
    if let Some(player) = start.on_roll {
        _ = write!(tree, "PL[{}]", color(player));
    }
    tree.push('\n');
}

/// One event with its analysis.
fn node(tree: &mut String, event: &RecordEvent, note: &SgfNote) {
    let (player, what) = match *event {
        RecordEvent::Turn(turn) => {
            let steps = turn.before.steps_to(turn.dice, &turn.after).unwrap_or_default();
            (turn.player, format!("{}{}", turn.dice, letters(turn.player, &steps)))
        }
        // gnubg writes a beaver as a double by the player who was doubled.
        RecordEvent::Double { player, .. } | RecordEvent::Beaver { player, .. } => {
            (player, "double".to_owned())
        }
        RecordEvent::Take { player } => (player, "take".to_owned()),
        RecordEvent::Drop { player } => (player, "drop".to_owned()),
    };
    _ = write!(tree, ";{}[{what}]", color(player));
    if let Some(cube) = &note.cube {
        let chances = numbers(&cube.chances);
        let SgfCube { cubeless, no_double, double_take, plies, .. } = cube;
        _ = write!(
            tree,
            "DA[E ver 3 {plies}C 1 0.000000 1 {chances}{cubeless:.6} {no_double:.6} {chances}{cubeless:.6} {double_take:.6}]"
        );
    }
    if !note.plays.is_empty() {
        _ = write!(tree, "A[{}]", note.played);
        for play in &note.plays {
            let (play_letters, chances) = (letters(player, &play.steps), numbers(&play.chances));
            _ = write!(
                tree,
                "[{play_letters} E ver 3 {chances}{:.6} {}C 0 1 0.000000 1]",
                play.equity, play.plies
            );
        }
    }
    if let Some(luck) = note.luck {
        _ = write!(tree, "LU[{luck:.5}]");
        let good_for = if luck > 0.0 { player } else { player.other() };
        match luck.abs() {
            0.6.. => _ = write!(tree, "G{}[2]", color(good_for)),
            0.3.. => _ = write!(tree, "G{}[1]", color(good_for)),
            _ => {}
        }
    }
    match note.mark {
        None => {}
        Some(SgfMark::Doubtful) => tree.push_str("DO[]"),
        Some(SgfMark::Bad) => tree.push_str("BM[1]"),
        Some(SgfMark::VeryBad) => tree.push_str("BM[2]"),
    }
    if !note.comment.is_empty() {
        _ = write!(tree, "C[{}]", escaped(&note.comment));
    }
    tree.push('\n');
}

fn letters(player: Seat, steps: &[CheckerMove]) -> String {
    steps.iter().flat_map(|step| [letter(player, step.from), letter(player, step.to)]).collect()
}

/// Numbers, each with a blank after it.
fn numbers(values: &[f32]) -> String {
    values.iter().fold(String::new(), |mut text, value| {
        _ = write!(text, "{value:.6} ");
        text
    })
}

/// A text as a property holds it, without control characters other than line ends.
fn escaped(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c });
    plain.collect::<String>().replace('\\', "\\\\").replace(']', "\\]")
}

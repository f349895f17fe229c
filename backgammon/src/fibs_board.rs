//! The `board:` line of FIBS: 52 fields between colons that describe a game.
//!
//! FIBS (the First Internet Backgammon Server) sends it to clients that ask for board style 3. The
//! protocol of gnubg for external players uses the same line. [`FibsBoard::parse`] reads and checks
//! what a server sends. [`FibsBoard::parse_loose`] reads the line of other programs, which fill
//! only some of the fields.
//!
//! Source of the fields: the specification of the FIBS client protocol (CLIP), section on
//! `boardstyle 3`.

mod state;

use std::fmt;

use crate::{CHECKERS, Dice, Position, PositionError, Seat, Side};

/// A board, seen by its player: the first name in the line.
///
/// Fields keep the server's numbers. On a real server some numbers differ from the meaning of
/// their names; the methods correct that.
///
/// ```
/// use backgammon::{FibsBoard, Position, Side};
///
/// let line = "board:You:ann:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:\
///             1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";
/// let (board, rest) = FibsBoard::parse(line)?;
/// assert_eq!((board.position, board.on_roll(), rest), (Position::START, Some(Side::Own), ""));
/// assert_eq!(board.to_string(), line);
/// assert_eq!(board.state()?.dice(), backgammon::Dice::new(6, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FibsBoard {
    /// `You`, or the name of a player who is watched.
    pub player: String,
    /// The other player's name.
    pub opponent: String,
    /// Points of the match, at least 1; `None` for an unlimited one (9999 in the line).
    pub length: Option<u32>,
    /// Points so far, own first.
    pub score: [u32; 2],
    /// The checkers as the owner of the board sees them, independent of who is on roll.
    pub position: Position,
    /// The player on turn; after a double, the player who must answer. `None` between two games.
    pub turn: Option<Seat>,
    /// Own dice, 1..=6 each; 0 0 before the roll.
    pub dice: [u8; 2],
    /// The other player's dice, 1..=6 each; 0 0 before the roll.
    pub opponent_dice: [u8; 2],
    /// Points that the cube shows, a power of two.
    pub cube: u32,
    /// Whether the player may double; stays set in a Crawford game.
    pub may_double: bool,
    /// Whether the other player may. Both are unset while a double must be answered.
    pub opponent_may_double: bool,
    /// The other player has doubled, and this player must answer.
    pub was_doubled: bool,
    /// The colour of the player: X has negative checkers in the line (-1), O positive ones (1).
    pub colour: Seat,
    /// Whether the player moves from point 1 to point 24 of the line (direction 1), not from 24 to
    /// 1 (-1).
    pub ascending: bool,
    /// Checkers that can be moved, 0..=4; not kept up to date by the server.
    pub can_move: u8,
    /// 3 where the Crawford rule is not in use. Other numbers say nothing: FIBS writes several.
    pub no_crawford: u32,
    /// 1 after the Crawford game.
    pub post_crawford: u32,
    /// Redoubles at once, in unlimited matches.
    pub redoubles: u32,
}

/// Why a text is not a board line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FibsBoardError {
    /// It does not begin with `board:`.
    #[error("invalid board line: expected it to begin with 'board:'")]
    NoBoard,
    /// It ends too early.
    #[error("invalid board line: expected {FIELDS} fields after 'board:', found {found}")]
    Fields {
        /// Fields found.
        found: usize,
    },
    /// A field with an invalid value.
    #[error("invalid {name} '{}' in field {field} of a board line: expected {expected}", found.escape_debug())]
    Field {
        /// Number of the field, 1..=52.
        field: usize,
        /// Its name.
        name: &'static str,
        /// Its value.
        found: String,
        /// The valid values.
        expected: &'static str,
    },
    /// Fields that contradict each other.
    #[error("impossible board line: {0}")]
    Contradiction(&'static str),
    /// The checkers break a rule of [`Position`].
    #[error("impossible board line: {0}")]
    Position(#[from] PositionError),
}

/// Fields after `board:`.
const FIELDS: usize = 52;
/// The value of the field about the Crawford rule where it is off.
const RULE_OFF: u32 = 3;
/// The length of an unlimited match in the line.
const UNLIMITED: u32 = 9999;

impl FibsBoard {
    /// Reads a line of a server. Returns the board and the text that follows the last number
    /// without a separator.
    ///
    /// # Errors
    /// [`FibsBoardError`] names the field or the contradiction.
    pub fn parse(line: &str) -> Result<(FibsBoard, &str), FibsBoardError> {
        let (fields, redoubles, rest) = split(line)?;
        for (field, &found) in fields.iter().enumerate().take(2) {
            if found.is_empty() || found.len() > 64 || found.contains(char::is_whitespace) {
                return Err(wrong(&fields, field + 1, "1 to 64 characters without white space"));
            }
        }
        if number(&fields, 3, 0, i32::MAX)? == 0 {
            return Err(wrong(&fields, 3, "a number of points, or 9999 for an unlimited match"));
        }
        let small = |field| number(&fields, field, 0, CHECKERS.into()).map(|n| n as u8);
        let (off, bars) = ([small(45)?, small(46)?], [small(47)?, small(48)?]);
        let mut points = points(&fields)?;
        consistent_bars(&mut points, bars, off)?;
        let board = FibsBoard::of_fields(&fields, points, redoubles)?;
        Ok((board, rest))
    }

    /// Reads a line of a program that is not a FIBS server. Names may be any text, and a match to 0
    /// points is unlimited. The numbers of checkers on the bar and borne off are not compared with
    /// the points.
    ///
    /// # Errors
    /// [`FibsBoardError`] names the field or the contradiction.
    pub fn parse_loose(line: &str) -> Result<FibsBoard, FibsBoardError> {
        let (fields, redoubles, rest) = split(line.trim())?;
        if !rest.is_empty() {
            return Err(wrong(&fields, FIELDS, "a number"));
        }
        FibsBoard::of_fields(&fields, points(&fields)?, redoubles)
    }

    /// The board of the fields, for both ways of reading.
    fn of_fields(
        fields: &[&str; FIELDS],
        points: [i8; 26],
        redoubles: u32,
    ) -> Result<FibsBoard, FibsBoardError> {
        let count = |field| number(fields, field, 0, MOST).map(i32::unsigned_abs);
        let die = |field| number(fields, field, 0, 6).map(|n| n as u8);
        let flag = |field| number(fields, field, 0, 1).map(|n| n == 1);
        let (colour, ascending) = orientation(fields)?;
        for field in [43, 44, 45, 46, 47, 48] {
            number(fields, field, -MOST, MOST)?;
        }
        let length = count(3)?;
        let board = FibsBoard {
            player: fields[0].to_owned(),
            opponent: fields[1].to_owned(),
            length: (length != UNLIMITED && length != 0).then_some(length),
            score: [count(4)?, count(5)?],
            position: Position::new(points)?,
            turn: seat(fields, 32)?,
            dice: [die(33)?, die(34)?],
            opponent_dice: [die(35)?, die(36)?],
            cube: count(37)?,
            may_double: flag(38)?,
            opponent_may_double: flag(39)?,
            was_doubled: flag(40)?,
            colour,
            ascending,
            can_move: number(fields, 49, 0, 4)? as u8,
            no_crawford: count(50)?,
            post_crawford: count(51)?,
            redoubles,
        };
        if !board.cube.is_power_of_two() {
            return Err(wrong(fields, 37, "a power of two"));
        }
        for [a, b] in [board.dice, board.opponent_dice] {
            if (a == 0) != (b == 0) {
                return Err(FibsBoardError::Contradiction("a player has rolled only one die"));
            }
        }
        Ok(board)
    }

    /// Whether it is the board of a game that this client plays, not one that it watches.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.player == "You"
    }

    /// The player on turn; `None` between two games and after the last one.
    #[must_use]
    pub fn on_roll(&self) -> Option<Side> {
        self.turn.map(|turn| if turn == self.colour { Side::Own } else { Side::Opponent })
    }

    /// The roll of the player on roll.
    #[must_use]
    pub fn rolled(&self) -> Option<Dice> {
        let [a, b] = match self.on_roll()? {
            Side::Own => self.dice,
            Side::Opponent => self.opponent_dice,
        };
        Dice::new(a, b)
    }

    /// Whether this is the one game without a cube.
    ///
    /// The score says so, unless the server says that the rule is off, or that the Crawford game is
    /// over.
    #[must_use]
    pub fn is_crawford(&self) -> bool {
        let Some(length) = self.length else { return false };
        let one_away = self.score.map(|score| score + 1 == length);
        let rule = self.no_crawford != RULE_OFF && self.post_crawford == 0;
        length > 1 && one_away[0] != one_away[1] && rule
    }

    /// Writes single checker moves (from, to) of the board's player in the server's notation, as in
    /// `24-18 bar-20 3-off`. Points are the player's own: 25 is the bar, 0 is off.
    #[must_use]
    pub fn write_moves(&self, moves: impl IntoIterator<Item = (u8, u8)>) -> String {
        let point = |own: u8, edge: &str| match own {
            1..=24 => own_point(usize::from(own), self.ascending).to_string(),
            _ => edge.to_owned(),
        };
        let words = moves
            .into_iter()
            .map(|(from, to)| format!("{}-{}", point(from, "bar"), point(to, "off")));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Reads single checker moves (from, to) of `player` from the server's notation. Points are
    /// that player's own: 25 is the bar, 0 is off. `None` if a word is not a move.
    #[must_use]
    pub fn read_moves(&self, words: &str, player: Side) -> Option<Vec<(u8, u8)>> {
        let ascending = self.ascending == (player == Side::Own);
        let point = |word: &str, edge: u8| match word {
            "bar" | "b" | "off" | "o" | "home" | "h" => Some(edge),
            _ => {
                let n: u8 = word.parse().ok().filter(|n| (1..=24).contains(n))?;
                Some(if ascending { 25 - n } else { n })
            }
        };
        let step = |word: &str| {
            let (from, to) = word.split_once('-')?;
            Some((point(from, 25)?, point(to, 0)?))
        };
        words.split_whitespace().filter(|word| *word != ".").map(step).collect()
    }
}

/// The largest number in a field, so that sums do not overflow.
const MOST: i32 = 999_999_999;

/// The 52 fields, the last one as a number, and the text that follows it.
fn split(line: &str) -> Result<([&str; FIELDS], u32, &str), FibsBoardError> {
    let text = line.strip_prefix("board:").ok_or(FibsBoardError::NoBoard)?;
    let mut fields = [""; FIELDS];
    let mut found = 0;
    for (field, text) in fields.iter_mut().zip(text.splitn(FIELDS, ':')) {
        *field = text;
        found += 1;
    }
    if found < FIELDS {
        return Err(FibsBoardError::Fields { found });
    }
    let (redoubles, rest) =
        last_field(fields[FIELDS - 1]).ok_or_else(|| wrong(&fields, FIELDS, "a number"))?;
    Ok((fields, redoubles, rest))
}

/// The number in a field, counted from 1.
fn number(fields: &[&str], field: usize, low: i32, high: i32) -> Result<i32, FibsBoardError> {
    let number = fields[field - 1].trim().parse().ok();
    number.filter(|number| (low..=high).contains(number)).ok_or_else(|| {
        let expected = match (low, high) {
            (0, 1) => "0 or 1",
            (-1, 1) => "-1, 0 or 1",
            (0, 4) => "0 to 4",
            (0, 6) => "0 to 6",
            (0, 15) => "0 to 15",
            (-15, 15) => "-15 to 15",
            (0, _) => "a number from 0",
            _ => "a number",
        };
        wrong(fields, field, expected)
    })
}

fn wrong(fields: &[&str], field: usize, expected: &'static str) -> FibsBoardError {
    let name = match field {
        1 | 2 => "name",
        3 => "match length",
        4 | 5 => "score",
        6..=31 => "number of checkers",
        32 => "turn",
        33..=36 => "die",
        37 => "cube",
        38 | 39 => "right to double",
        40 => "double",
        41 => "colour",
        42 => "direction",
        43 | 44 => "home or bar",
        45 | 46 => "number of checkers off",
        47 | 48 => "number of checkers on the bar",
        49 => "number of movable checkers",
        50 | 51 => "Crawford flag",
        _ => "number of redoubles",
    };
    FibsBoardError::Field { field, name, found: fields[field - 1].to_owned(), expected }
}

/// A player by their sign: -1 for X, 1 for O, 0 for none.
fn seat(fields: &[&str], field: usize) -> Result<Option<Seat>, FibsBoardError> {
    number(fields, field, -1, 1).map(|n| match n {
        -1 => Some(Seat::X),
        1 => Some(Seat::O),
        _ => None,
    })
}

/// The colour of the board's player, and whether that player moves from point 1 to point 24 of
/// the line.
fn orientation(fields: &[&str]) -> Result<(Seat, bool), FibsBoardError> {
    let colour = seat(fields, 41)?.ok_or_else(|| wrong(fields, 41, "-1 for X or 1 for O"))?;
    match number(fields, 42, -1, 1)? {
        0 => Err(wrong(fields, 42, "1 for point 1 to 24 or -1 for point 24 to 1")),
        direction => Ok((colour, direction == 1)),
    }
}

/// The 26 places in the numbering of the board's player: own checkers are positive, the own bar is
/// 25.
fn points(fields: &[&str]) -> Result<[i8; 26], FibsBoardError> {
    let checkers = i32::from(CHECKERS);
    let (colour, ascending) = orientation(fields)?;
    let mut points = [0i8; 26];
    for place in 0..26 {
        let here = number(fields, 6 + place, -checkers, checkers)? as i8;
        points[own_point(place, ascending)] = if colour == Seat::O { here } else { -here };
    }
    Ok(points)
}

/// Makes the two places for the bars agree with the fields for the bars. Some servers lose count in
/// one of the two: of the two numbers, the one that gives a player 15 checkers is believed. If both
/// are the same, they are, whatever the number of checkers borne off.
fn consistent_bars(
    points: &mut [i8; 26],
    bars: [u8; 2],
    off: [u8; 2],
) -> Result<(), FibsBoardError> {
    let all = i32::from(CHECKERS);
    for (side, sign, place) in [(0, 1, 25), (1, -1, 0)] {
        let on_points: i32 = (1..=24).map(|point| i32::from((sign * points[point]).max(0))).sum();
        let (field, off) = (i32::from(bars[side]), i32::from(off[side]));
        let at_place = i32::from((sign * points[place]).max(0));
        let bar = [field, at_place].into_iter().find(|bar| on_points + bar + off == all);
        let agreed = (field == at_place && on_points + field < all).then_some(field);
        let Some(bar) = bar.or(agreed) else {
            return Err(FibsBoardError::Contradiction("a player does not have 15 checkers"));
        };
        points[place] = sign * bar as i8;
    }
    Ok(())
}

/// The place in the line of a player's own point (25 is the bar), and the other way round.
const fn own_point(place: usize, ascending: bool) -> usize {
    if ascending { 25 - place } else { place }
}

/// Checkers on the bars, own first.
fn bars(position: &Position) -> [u8; 2] {
    [position.own(25), position.flipped().own(25)]
}

/// Checkers borne off, own first.
fn borne_off(position: &Position) -> [u8; 2] {
    [position.own_left(), position.opponent_left()].map(|left| CHECKERS.unsigned_abs() - left)
}

/// The last number, which another message can follow without a separator: `05 ann - ...` is 0 and a
/// line that begins with 5.
fn last_field(text: &str) -> Option<(u32, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(digits);
    if number.is_empty() {
        return None;
    }
    if rest.trim().is_empty() {
        return Some((number.parse().ok()?, ""));
    }
    match number.strip_prefix('0') {
        Some(attached) if !attached.is_empty() => Some((0, &text[1..])),
        _ => Some((number.parse().ok()?, rest)),
    }
}

impl fmt::Display for FibsBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |seat: Seat| if seat == Seat::O { 1i8 } else { -1 };
        let length = self.length.unwrap_or(UNLIMITED);
        write!(f, "board:{}:{}:{length}", self.player, self.opponent)?;
        write!(f, ":{}:{}", self.score[0], self.score[1])?;
        let colour = sign(self.colour);
        for place in 0..26 {
            let own = self.position.points()[own_point(place, self.ascending)];
            write!(f, ":{}", own * colour)?;
        }
        let [a, b] = self.dice;
        let [c, d] = self.opponent_dice;
        let flags = [self.may_double, self.opponent_may_double, self.was_doubled].map(u8::from);
        write!(f, ":{}:{a}:{b}:{c}:{d}:{}", self.turn.map_or(0, sign), self.cube)?;
        let direction = if self.ascending { 1 } else { -1 };
        write!(f, ":{}:{}:{}:{colour}:{direction}", flags[0], flags[1], flags[2])?;
        let (home, bar) = if self.ascending { (25, 0) } else { (0, 25) };
        let [own_off, opponent_off] = borne_off(&self.position);
        let [own_bar, opponent_bar] = bars(&self.position);
        write!(f, ":{home}:{bar}:{own_off}:{opponent_off}:{own_bar}:{opponent_bar}")?;
        write!(f, ":{}:{}", self.can_move, self.no_crawford)?;
        write!(f, ":{}:{}", self.post_crawford, self.redoubles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// From the specification of the client protocol.
    const SPEC: &str = "board:You:someplayer:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";

    #[test]
    fn the_board_of_the_specification_is_the_start() {
        let (board, rest) = FibsBoard::parse(SPEC).expect("a board");
        assert_eq!((board.position, rest), (Position::START, ""));
        assert_eq!((board.on_roll(), board.rolled()), (Some(Side::Own), Dice::new(6, 2)));
        assert_eq!(board.to_string(), SPEC);
        assert_eq!(FibsBoard::parse_loose(SPEC), Ok(board));
    }

    #[test]
    fn text_after_a_board_is_returned() {
        for (attached, redoubles, rest) in [
            ("05 ann - - 1", 0, "5 ann - - 1"),
            ("0ann wants to play a", 0, "ann wants to play a"),
            ("3 ", 3, ""),
            ("012 ann hi", 0, "12 ann hi"),
            ("0 x", 0, " x"),
        ] {
            let line = format!("{}{attached}", SPEC.strip_suffix('0').expect("ends in 0"));
            let (board, found) = FibsBoard::parse(&line).expect("a board");
            assert_eq!((board.redoubles, found), (redoubles, rest), "{attached}");
        }
    }

    #[test]
    fn invalid_boards_are_refused() {
        for (from, to, message) in [
            (":5:0:3:", ":6:0:3:", "a player does not have 15 checkers"),
            (":1:6:2:0:0:", ":1:-6:2:0:0:", "invalid die '-6' in field 33"),
            (":1:6:2:0:0:", ":1:6:0:0:0:", "a player has rolled only one die"),
            (":1:6:2:0:0:", ":1:7:2:0:0:", "invalid die '7' in field 33 of a board line: expected"),
            (":0:0:1:1:1:0:1", ":0:0:3:1:1:0:1", "invalid cube '3' in field 37"),
            ("board:You:", "board::", "invalid name '' in field 1"),
            (":2:0:0:0", ":2:0:0:x", "invalid number of redoubles 'x' in field 52"),
            (":2:0:0:0", ":2:0:0", "expected 52 fields after 'board:', found 51"),
            (":-2:0:0:0:0:5", ":-2:0:0:99999999999:0:5", "invalid number of checkers"),
            (":0:1:-1:0:25", ":0:0:-1:0:25", "invalid colour '0' in field 41"),
            (":0:1:-1:0:25", ":0:1:0:0:25", "invalid direction '0' in field 42"),
            (":0:25:0:0:0:0", ":0:25:1:0:0:0", "a player does not have 15 checkers"),
            (":someplayer:3:", ":someplayer:0:", "invalid match length '0' in field 3"),
            ("board:You:", "boards:You:", "expected it to begin with 'board:'"),
        ] {
            let line = SPEC.replacen(from, to, 1);
            assert_ne!(line, SPEC);
            let error = FibsBoard::parse(&line).expect_err(&line).to_string();
            assert!(error.contains(message), "{line}: {error}");
        }
    }

    #[test]
    fn other_programs_may_omit_the_counts() {
        let line = SPEC.replacen(":-5:5:", ":-4:4:", 1).replacen(":someplayer:3:", "::0:", 1);
        assert!(FibsBoard::parse(&line).is_err());
        let board = FibsBoard::parse_loose(&line).expect("14 checkers a side");
        assert_eq!((board.length, board.position.own_left()), (None, 14));
    }

    #[test]
    fn the_crawford_game_follows_from_score_and_two_fields() {
        let (mut board, _) = FibsBoard::parse(SPEC).expect("a board");
        assert!(!board.is_crawford());
        board.score = [2, 0];
        assert!(board.is_crawford());
        for (no_crawford, crawford) in [(1, true), (2, true), (5, true), (3, false), (0, true)] {
            board.no_crawford = no_crawford;
            assert_eq!(board.is_crawford(), crawford, "{no_crawford}");
        }
        // The first game of a line of the server at 4-0 to 5, where the number is 5.
        let line = "board:A:B:5:4:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:\
                    1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:5:0:0";
        assert!(FibsBoard::parse(line).expect("a board").0.is_crawford());
        board.post_crawford = 1;
        assert!(!board.is_crawford());
        (board.score, board.post_crawford) = ([2, 2], 0);
        assert!(!board.is_crawford());
    }

    #[test]
    fn moves_are_written_in_the_direction_of_the_player_who_makes_them() {
        let (mut board, _) = FibsBoard::parse(SPEC).expect("a board");
        let moves = [(24, 18), (25, 20), (3, 0)];
        for (ascending, words) in [(false, "24-18 bar-20 3-off"), (true, "1-7 bar-5 22-off")] {
            board.ascending = ascending;
            assert_eq!(board.write_moves(moves), words);
            assert_eq!(board.read_moves(words, Side::Own), Some(moves.to_vec()));
        }
        assert_eq!(board.read_moves("24-18", Side::Opponent), Some(vec![(24, 18)]));
        assert_eq!(board.read_moves("24-25", Side::Own), None);
    }

    proptest! {
        #[test]
        fn arbitrary_lines_never_panic(fields in proptest::collection::vec("-?[0-9]{1,5}|\\PC{0,3}", 50..54)) {
            let line = format!("board:{}", fields.join(":"));
            let _ = (FibsBoard::parse(&line), FibsBoard::parse_loose(&line));
        }
    }
}

//! The board line of style 3: 52 fields that say all there is to know about a game.

use std::fmt;

use backgammon::{CHECKERS, Dice, Position, PositionError, Side, Stake};

/// A board, seen by the player whose board it is.
///
/// Fields keep the server's numbers; what they mean on a real server differs from what their names say in places, which
/// is why the methods should be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// `You`, or the name of a player who is watched.
    pub player: String,
    /// The other player's name.
    pub opponent: String,
    /// Points of the match; `None` for an unlimited one (9999 in the line).
    pub length: Option<u32>,
    /// Points so far, own first.
    pub score: [u32; 2],
    /// The checkers as the player whose board it is sees them, whoever is on roll.
    pub position: Position,
    /// -1 for X, 1 for O, 0 for nobody. While a double waits it is the side that must answer.
    pub turn: i8,
    /// Own dice, 0 0 before the roll.
    pub dice: [u8; 2],
    /// The other player's dice.
    pub opponent_dice: [u8; 2],
    /// What the cube shows.
    pub cube: u32,
    /// Whether the player may double; stays set in a Crawford game.
    pub may_double: bool,
    /// Whether the other one may. Both are unset while a double waits.
    pub opponent_may_double: bool,
    /// The other player has doubled and waits for an answer.
    pub was_doubled: bool,
    /// -1 for X, 1 for O.
    pub colour: i8,
    /// 1 from point 1 to 24, -1 the other way.
    pub direction: i8,
    /// Checkers that can be moved; not kept up to date by the server.
    pub can_move: u8,
    /// 0 where the Crawford rule is in use.
    pub no_crawford: u32,
    /// 1 after the Crawford game.
    pub post_crawford: u32,
    /// Redoubles at once, in unlimited matches.
    pub redoubles: u32,
}

/// Why a line that begins as a board is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// It does not have the 53 fields, or one is no number of its kind.
    #[error("field {0} of a board line is missing or no number that can stand there")]
    Field(usize),
    /// Numbers that contradict each other.
    #[error("impossible board: {0}")]
    Impossible(&'static str),
    /// An arrangement of checkers that is not possible.
    #[error("impossible board: {0}")]
    Position(#[from] PositionError),
}

/// The length of an unlimited match in the line.
const UNLIMITED: u32 = 9999;

impl Board {
    /// Reads a line; what is glued to its last number comes back as the rest.
    ///
    /// # Errors
    /// [`BoardError`] names the field or the contradiction.
    pub fn parse(line: &str) -> Result<(Board, &str), BoardError> {
        let mut fields = line.splitn(53, ':');
        let mut place = 0;
        let mut next = || {
            place += 1;
            fields.next().map(|text| (place - 1, text)).ok_or(BoardError::Field(place - 1))
        };
        if next()?.1 != "board" {
            return Err(BoardError::Field(0));
        }
        let name = |(place, text): (usize, &str)| {
            let plain = !text.is_empty() && text.len() <= 64 && !text.contains(char::is_whitespace);
            plain.then(|| text.to_owned()).ok_or(BoardError::Field(place))
        };
        let (player, opponent) = (name(next()?)?, name(next()?)?);
        let mut numbers = [0i32; 49];
        for number in &mut numbers {
            let (place, text) = next()?;
            *number = text
                .parse()
                .ok()
                .filter(|n: &i32| n.abs() < 1_000_000_000)
                .ok_or(BoardError::Field(place))?;
        }
        let (place, last) = next()?;
        let (redoubles, rest) = last_field(last).ok_or(BoardError::Field(place))?;
        let board = Board::of_numbers(player, opponent, &numbers, redoubles)?;
        Ok((board, rest))
    }

    /// `numbers[i]` is field `i + 3`.
    fn of_numbers(
        player: String,
        opponent: String,
        numbers: &[i32; 49],
        redoubles: u32,
    ) -> Result<Board, BoardError> {
        let wrong = |field: usize| BoardError::Field(field);
        let unsigned = |field: usize| u32::try_from(numbers[field - 3]).map_err(|_| wrong(field));
        let small = |field: usize, most: i32| match numbers[field - 3] {
            n if (0..=most).contains(&n) => Ok(n.unsigned_abs() as u8),
            _ => Err(wrong(field)),
        };
        let sign = |field: usize| match numbers[field - 3] {
            n @ -1..=1 => Ok(n as i8),
            _ => Err(wrong(field)),
        };
        let mut points = [0i8; 26];
        for (i, point) in points.iter_mut().enumerate() {
            let n = numbers[i + 3];
            *point = i8::try_from(n).ok().filter(|n| n.abs() <= 15).ok_or(wrong(i + 6))?;
        }
        let (colour, direction) = (sign(41)?, sign(42)?);
        let is = |fine: bool, why| if fine { Ok(()) } else { Err(BoardError::Impossible(why)) };
        is(colour != 0 && direction != 0, "a player without colour or direction")?;
        let own_view = |own: usize| points[point_on_wire(own, direction)] * colour;
        let position = Position::new(std::array::from_fn(own_view))?;
        let off = [small(45, 15)?, small(46, 15)?];
        let bar = [small(47, 15)?, small(48, 15)?];
        is(bar == bars(&position), "the points and the bar fields differ")?;
        is(off == borne_off(&position), "not 15 checkers a side")?;
        let length = unsigned(3)?;
        let board = Board {
            player,
            opponent,
            length: (length != UNLIMITED).then_some(length),
            score: [unsigned(4)?, unsigned(5)?],
            position,
            turn: sign(32)?,
            dice: [small(33, 6)?, small(34, 6)?],
            opponent_dice: [small(35, 6)?, small(36, 6)?],
            cube: unsigned(37)?,
            may_double: small(38, 1)? == 1,
            opponent_may_double: small(39, 1)? == 1,
            was_doubled: small(40, 1)? == 1,
            colour,
            direction,
            can_move: small(49, 4)?,
            no_crawford: unsigned(50)?,
            post_crawford: unsigned(51)?,
            redoubles,
        };
        is(board.length != Some(0), "a match to no points")?;
        is(board.cube.is_power_of_two(), "a cube that is not a power of two")?;
        let half = |dice: [u8; 2]| (dice[0] == 0) != (dice[1] == 0);
        is(!half(board.dice) && !half(board.opponent_dice), "one die alone")?;
        Ok(board)
    }

    /// Whether it is the board of a game that this client plays, not one that it watches.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.player == "You"
    }

    /// The player whose turn it is; `None` between two games and after the last one.
    #[must_use]
    pub const fn on_roll(&self) -> Option<Side> {
        match self.turn * self.colour {
            1 => Some(Side::Own),
            -1 => Some(Side::Opponent),
            _ => None,
        }
    }

    /// The roll of the player on roll.
    #[must_use]
    pub const fn rolled(&self) -> Option<Dice> {
        let [a, b] = match self.on_roll() {
            Some(Side::Own) => self.dice,
            Some(Side::Opponent) => self.opponent_dice,
            None => return None,
        };
        Dice::new(a, b)
    }

    /// What the player would win if all of their checkers were off now: the most that a resignation can be worth until
    /// the opponent loses more ground.
    #[must_use]
    pub fn stake_if_won_now(&self) -> Stake {
        let opponent = self.position.flipped();
        if borne_off(&opponent)[0] > 0 {
            Stake::Single
        } else if (19..=25).any(|point| opponent.own(point) > 0) {
            Stake::Backgammon
        } else {
            Stake::Gammon
        }
    }

    /// Whether a double waits for its answer.
    #[must_use]
    pub const fn is_doubled(&self) -> bool {
        self.was_doubled || (!self.may_double && !self.opponent_may_double)
    }

    /// Whether this is the one game without a cube, by the score and the two fields about the rule.
    #[must_use]
    pub fn is_crawford(&self) -> bool {
        let Some(length) = self.length else { return false };
        let one_away = self.score.map(|score| score + 1 == length);
        let rule = self.no_crawford == 0 && self.post_crawford == 0;
        length > 1 && one_away[0] != one_away[1] && rule
    }

    /// Whether the player may double before his roll, as far as the board tells.
    #[must_use]
    pub fn cube_is_ours(&self) -> bool {
        self.may_double && !self.is_crawford() && self.length != Some(1)
    }

    /// Single checker moves (from, to) of the player whose board it is in the server's words, as in `24-18 bar-20 3-off`.
    #[must_use]
    pub fn write_moves(&self, moves: impl IntoIterator<Item = (u8, u8)>) -> String {
        let point = |own: u8, edge: &str| match own {
            1..=24 => point_on_wire(usize::from(own), self.direction).to_string(),
            _ => edge.to_owned(),
        };
        let words = moves
            .into_iter()
            .map(|(from, to)| format!("{}-{}", point(from, "bar"), point(to, "off")));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Single checker moves (from, to) from the server's words, in the points of `player`, who made them: 25 is the bar,
    /// 0 is off.
    #[must_use]
    pub fn read_moves(&self, words: &str, player: Side) -> Option<Vec<(u8, u8)>> {
        let down = (self.direction < 0) == (player == Side::Own);
        let point = |word: &str, edge: u8| match word {
            "bar" | "b" | "off" | "o" | "home" | "h" => Some(edge),
            _ => {
                let n: u8 = word.parse().ok().filter(|n| (1..=24).contains(n))?;
                Some(if down { n } else { 25 - n })
            }
        };
        let step = |word: &str| {
            let (from, to) = word.split_once('-')?;
            Some((point(from, 25)?, point(to, 0)?))
        };
        words.split_whitespace().filter(|word| *word != ".").map(step).collect()
    }
}

/// Where a point (25 is the bar) of a player who moves in this direction stands in the line; the same the other way.
const fn point_on_wire(own: usize, direction: i8) -> usize {
    if direction < 0 { own } else { 25 - own }
}

/// Checkers on the bars, own first.
fn bars(position: &Position) -> [u8; 2] {
    [position.own(25), position.flipped().own(25)]
}

/// Checkers borne off, own first.
fn borne_off(position: &Position) -> [u8; 2] {
    [position.own_left(), position.opponent_left()].map(|left| CHECKERS.unsigned_abs() - left)
}

/// The last number, which other messages are glued to: `05 ann - ...` is 0 and a line that begins with 5.
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
        Some(glued) if !glued.is_empty() => Some((0, &text[1..])),
        _ => Some((number.parse().ok()?, rest)),
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.length.unwrap_or(UNLIMITED);
        write!(f, "board:{}:{}:{length}", self.player, self.opponent)?;
        write!(f, ":{}:{}", self.score[0], self.score[1])?;
        for point in 0..26 {
            let own = point_on_wire(point, self.direction);
            write!(f, ":{}", self.position.points()[own] * self.colour)?;
        }
        let [a, b] = self.dice;
        let [c, d] = self.opponent_dice;
        let flags = [self.may_double, self.opponent_may_double, self.was_doubled].map(u8::from);
        write!(f, ":{}:{a}:{b}:{c}:{d}:{}", self.turn, self.cube)?;
        write!(f, ":{}:{}:{}:{}:{}", flags[0], flags[1], flags[2], self.colour, self.direction)?;
        let (home, bar) = if self.direction < 0 { (0, 25) } else { (25, 0) };
        let ([own_off, opponent_off], [own_bar, opponent_bar]) =
            (borne_off(&self.position), bars(&self.position));
        write!(f, ":{home}:{bar}:{own_off}:{opponent_off}:{own_bar}:{opponent_bar}")?;
        write!(f, ":{}:{}", self.can_move, self.no_crawford)?;
        write!(f, ":{}:{}", self.post_crawford, self.redoubles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the specification of the client protocol.
    const SPEC: &str = "board:You:someplayer:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";

    #[test]
    fn the_board_of_the_specification_is_the_start() {
        let (board, rest) = Board::parse(SPEC).expect("a board");
        assert_eq!((board.position, rest), (Position::START, ""));
        assert_eq!((board.on_roll(), board.rolled()), (Some(Side::Own), Dice::new(6, 2)));
        assert_eq!(board.to_string(), SPEC);
    }

    #[test]
    fn what_is_glued_to_a_board_is_given_back() {
        for (glued, redoubles, rest) in [
            ("05 ann - - 1", 0, "5 ann - - 1"),
            ("0ann wants to play a", 0, "ann wants to play a"),
            ("3 ", 3, ""),
            ("012 ann hi", 0, "12 ann hi"),
            ("0 x", 0, " x"),
        ] {
            let line = format!("{}{glued}", SPEC.strip_suffix('0').expect("ends in 0"));
            let (board, found) = Board::parse(&line).expect("a board");
            assert_eq!((board.redoubles, found), (redoubles, rest), "{glued}");
        }
    }

    #[test]
    fn boards_that_cannot_be_are_refused() {
        for (from, to) in [
            (":5:0:3:", ":6:0:3:"),
            (":1:6:2:0:0:", ":1:-6:2:0:0:"),
            (":1:6:2:0:0:", ":1:6:0:0:0:"),
            (":1:6:2:0:0:", ":1:7:2:0:0:"),
            (":0:0:1:1:1:0:1", ":0:0:3:1:1:0:1"),
            ("board:You:", "board::"),
            (":2:0:0:0", ":2:0:0:x"),
            (":2:0:0:0", ":2:0:0"),
            (":-2:0:0:0:0:5", ":-2:0:0:99999999999:0:5"),
        ] {
            let line = SPEC.replacen(from, to, 1);
            assert_ne!(line, SPEC);
            assert!(Board::parse(&line).is_err(), "{line}");
        }
    }

    #[test]
    fn the_crawford_game_follows_from_score_and_two_fields() {
        let (mut board, _) = Board::parse(SPEC).expect("a board");
        assert!(!board.is_crawford());
        board.score = [2, 0];
        assert!(board.is_crawford());
        board.post_crawford = 1;
        assert!(!board.is_crawford());
        (board.score, board.post_crawford) = ([2, 2], 0);
        assert!(!board.is_crawford());
    }
}

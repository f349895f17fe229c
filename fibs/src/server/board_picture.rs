//! Boards for people: styles 1 and 2 of `set boardstyle`.

use backgammon::{FibsBoard, Seat};

/// Checkers shown on a point; of more, the last row shows their number.
const ROWS: u8 = 5;

/// A board in lines of text.
///
/// The board's own player has the home board below on the right and moves towards it. Points have
/// the numbers that the command `move` takes.
///
/// Style 1 is the board alone with its numbers in the frame. Style 2 has the numbers outside. It
/// has the score, the cube and the dice to the right of the board and below it.
pub(super) fn board_picture(board: &FibsBoard, style: u8) -> Vec<String> {
    let halves = [[13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24]];
    let lower = [[12, 11, 10, 9, 8, 7], [6, 5, 4, 3, 2, 1]];
    let [own, other] = match board.colour {
        Seat::X => ['X', 'O'],
        Seat::O => ['O', 'X'],
    };
    let number = |point: usize| if board.ascending { 25 - point } else { point };
    let (top, bottom) = if style == 1 {
        let frame = |[left, right]: [[usize; 6]; 2]| {
            let words = |points: [usize; 6]| -> String {
                points.map(|point| format!("{:->3}", number(point))).concat()
            };
            format!("  +{}-+BAR+{}-+", words(left), words(right))
        };
        ([frame(halves), String::new()], [String::new(), frame(lower)])
    } else {
        let numbers = |[left, right]: [[usize; 6]; 2]| {
            let words = |points: [usize; 6]| -> String {
                points.map(|point| format!("{:>3}", number(point))).concat()
            };
            format!("   {}      {}", words(left), words(right))
        };
        let frame = format!("  +{}+", "-".repeat(43));
        ([numbers(halves), frame.clone()], [frame, numbers(lower)])
    };
    let row = |points: [[usize; 6]; 2], height: u8, bar: Option<(char, u8)>| {
        let half = |points: [usize; 6]| -> String {
            points.map(|point| cell(stack(board, point, [own, other]), height)).concat()
        };
        let bar = cell(bar, height);
        format!("  |{} |{bar}|{} |", half(points[0]), half(points[1]))
    };
    let positive = |colour: char, n: u8| (n > 0).then_some((colour, n));
    // Checkers on the bar enter in the opponent's home board: own ones above, the opponent's below.
    let own_bar = positive(own, board.position.own(25));
    let other_bar = positive(other, board.position.points()[0].min(0).unsigned_abs());
    let mut lines: Vec<String> = top.into_iter().filter(|line| !line.is_empty()).collect();
    lines.extend((1..=ROWS).map(|height| row(halves, height, own_bar)));
    let middle = lines.len();
    lines.push(format!(" v|{0}|{1}|{0}|", " ".repeat(19), if style == 1 { "   " } else { "BAR" }));
    lines.extend((1..=ROWS).rev().map(|height| row(lower, height, other_bar)));
    lines.extend(bottom.into_iter().filter(|line| !line.is_empty()));
    if style != 1 {
        let name =
            |player: &str| if player == "You" { "you".to_owned() } else { player.to_owned() };
        let [own_score, other_score] = board.score;
        lines[1] += &format!(" {other}: {} - score: {other_score}", name(&board.opponent));
        lines[middle] += &match board.length {
            Some(n) => format!("    {n}-point match"),
            None => "    unlimited match".to_owned(),
        };
        let last = lines.len() - 2;
        lines[last] += &format!(" {own}: {} - score: {own_score}", name(&board.player));
        lines.push(String::new());
    }
    lines.push(summary(board, own, other));
    lines
}

/// The colour and the number of checkers on one of the player's own points.
fn stack(board: &FibsBoard, point: usize, [own, other]: [char; 2]) -> Option<(char, u8)> {
    match board.position.points()[point] {
        0 => None,
        n @ 1.. => Some((own, n.unsigned_abs())),
        n => Some((other, n.unsigned_abs())),
    }
}

/// Three characters of a point at a height, 1..=[`ROWS`] from its edge.
fn cell(stack: Option<(char, u8)>, height: u8) -> String {
    match stack {
        Some((_, n)) if n > ROWS && height == ROWS => format!("{n:^3}"),
        Some((colour, n)) if n >= height => format!(" {colour} "),
        _ => "   ".to_owned(),
    }
}

/// The line below the board: checkers on the bar and borne off, the cube, the dice or the player on
/// turn.
fn summary(board: &FibsBoard, own: char, other: char) -> String {
    let position = &board.position;
    let bars = (position.own(25), position.points()[0].min(0).unsigned_abs());
    let off = (15 - position.own_left(), 15 - position.opponent_left());
    let rolled = |who: &str, [a, b]: [u8; 2]| format!("  {who} rolled {a} {b}.");
    let turn = match board.turn {
        _ if board.dice[0] > 0 => rolled(&board.player, board.dice),
        _ if board.opponent_dice[0] > 0 => rolled(&board.opponent, board.opponent_dice),
        None => String::new(),
        Some(seat) if seat == board.colour => format!("  turn: {}", board.player),
        Some(_) => format!("  turn: {}", board.opponent),
    };
    let owner = match (board.cube > 1, board.may_double, board.opponent_may_double) {
        (true, true, false) => format!(" (owned by {})", board.player),
        (true, false, true) => format!(" (owned by {})", board.opponent),
        _ => String::new(),
    };
    format!(
        "   BAR: {own}-{} {other}-{}   OFF: {own}-{} {other}-{}   Cube: {}{owner}{turn}",
        bars.0, bars.1, off.0, off.1, board.cube
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board that FIBS sent, with the names changed.
    const LINE: &str = "board:You:someplayer:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0";

    fn picture(line: &str, style: u8) -> String {
        let (board, _) = FibsBoard::parse(line).expect("a board of FIBS");
        board_picture(&board, style).join("\n")
    }

    #[test]
    fn a_person_sees_the_board_with_the_numbers_that_move_takes() {
        let expected = "    13 14 15 16 17 18       19 20 21 22 23 24
  +-------------------------------------------+ X: someplayer - score: 0
  | O           X     |   | X              O  |
  | O           X     |   | X              O  |
  | O           X     |   | X                 |
  | O                 |   | X                 |
  | O                 |   | X                 |
 v|                   |BAR|                   |    3-point match
  | X                 |   | O                 |
  | X                 |   | O                 |
  | X           O     |   | O                 |
  | X           O     |   | O              X  |
  | X           O     |   | O              X  |
  +-------------------------------------------+ O: you - score: 0
    12 11 10  9  8  7        6  5  4  3  2  1

   BAR: O-0 X-0   OFF: O-0 X-0   Cube: 1  You rolled 6 2.";
        assert_eq!(picture(LINE, 2), expected);
        let small = picture(LINE, 1);
        assert!(small.starts_with("  +-13-14-15-16-17-18-+BAR+-19-20-21-22-23-24-+\n"), "{small}");
        assert!(small.contains("\n  +-12-11-10--9--8--7-+BAR+--6--5--4--3--2--1-+\n"), "{small}");
        assert!(small.lines().all(|line| line.len() <= 60), "{small}");
    }

    #[test]
    fn a_player_who_moves_upwards_sees_the_own_home_board_below_on_the_right_too() {
        // X has a checker on the bar and seven on point 19, and owns the cube at 2; O is on roll.
        let line = "board:You:ann:9999:2:4:-1:0:0:0:0:0:5:0:3:0:0:0:-4:5:0:0:0:-3:0:-7:0:0:0:0:2:0:1:0:0:0:0:2:1:0:0:-1:1:25:0:0:0:1:0:2:0:0:0";
        let shown = picture(line, 2);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[0], "    12 11 10  9  8  7        6  5  4  3  2  1");
        assert_eq!(lines[14], "    13 14 15 16 17 18       19 20 21 22 23 24");
        // The checker on the bar enters above, where the opponent's home board is.
        assert_eq!(lines[2].find("| X |"), Some(22), "{shown}");
        // More than five checkers: the number on the row farthest from the edge.
        assert_eq!(lines[8], "  | O                 |   | 7                 |", "{shown}");
        assert!(
            shown.contains("O: ann - score: 4") && shown.contains("X: you - score: 2"),
            "{shown}"
        );
        assert!(shown.contains("unlimited match"), "{shown}");
        assert!(
            shown.contains("BAR: X-1 O-0   OFF: X-0 O-0   Cube: 2 (owned by You)  turn: ann"),
            "{shown}"
        );
    }
}

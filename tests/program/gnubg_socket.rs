//! The socket of gnubg's command `external`, which bots of FIBS servers use: nonet answers their
//! board lines as a real GNU Backgammon does.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nonet::backgammon::{FibsBoard, Position, Seat};

use crate::gnubg::{Ended, gnubg, our_player, our_read_player};

/// A gnubg that waits at a socket, and its address.
fn listening_gnubg(program: &Path) -> (Ended, String) {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = free.local_addr().expect("an address").to_string();
    drop(free);
    let mut child = Command::new(program)
        .args(["-t", "-q", "-r"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("gnubg");
    let told = child.stdin.as_mut().expect("piped");
    writeln!(told, "external {address}").expect("told");
    (Ended(child), address)
}

struct Socket(BufReader<TcpStream>);

impl Socket {
    fn open(address: &str) -> Socket {
        let started = Instant::now();
        loop {
            match TcpStream::connect(address) {
                Ok(stream) => {
                    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
                    return Socket(BufReader::new(stream));
                }
                Err(error) if started.elapsed() > Duration::from_secs(60) => {
                    panic!("{address}: {error}")
                }
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    fn ask(&mut self, line: &str) -> String {
        self.0.get_mut().write_all(format!("{line}\n").as_bytes()).expect("sent");
        let mut answer = String::new();
        self.0.read_line(&mut answer).expect("an answer");
        answer.trim().replace('*', "")
    }
}

/// A board as FIBS writes it for a player of a colour; each player's points are their own.
fn board(colour: Seat, own: &[(usize, i8)], other: &[(usize, i8)], dice: [u8; 2]) -> FibsBoard {
    FibsBoard {
        player: "You".into(),
        opponent: "bob".into(),
        length: Some(7),
        score: [0, 0],
        position: Position::from_sides(own, other).expect("legal"),
        turn: Some(colour),
        dice,
        opponent_dice: [0, 0],
        cube: 1,
        may_double: true,
        opponent_may_double: true,
        was_doubled: false,
        colour,
        ascending: colour == Seat::X,
        can_move: 2,
        no_crawford: 0,
        post_crawford: 0,
        redoubles: 0,
    }
}

#[test]
fn boards_of_fibs_in_both_directions_are_answered_as_gnubg_answers_them() {
    let Some(program) = gnubg() else { return };
    let (_gnubg, gnubgs) = listening_gnubg(&program);
    let (_ours, ours) = our_player(&[]);
    let (mut gnubg, mut ours) = (Socket::open(&gnubgs), Socket::open(&ours));
    let start: &[(usize, i8)] = &[(24, 2), (13, 5), (8, 3), (6, 5)];
    let last_two: &[(usize, i8)] = &[(1, 2)];
    let far: &[(usize, i8)] = &[(18, 10), (13, 5)];
    let closed: &[(usize, i8)] = &[(6, 2), (5, 2), (4, 2), (3, 2), (2, 2), (1, 2)];
    for colour in [Seat::O, Seat::X] {
        let before_roll = |own, other| board(colour, own, other, [0, 0]);
        // In gnubg the turn is the doubler's.
        let doubled = |own, other| FibsBoard {
            was_doubled: true,
            turn: Some(colour.other()),
            ..before_roll(own, other)
        };
        for (what, board, expected) in [
            ("an opening", board(colour, start, start, [3, 1]), "8/5 6/5"),
            ("from the bar", board(colour, &[(25, 1), (13, 4)], closed, [6, 5]), ""),
            ("off", board(colour, last_two, far, [6, 5]), "1/0 1/0"),
            ("forced", board(colour, &[(25, 1), (1, 1)], &[(6, 2), (5, 2)], [6, 2]), "25/23 23/17"),
            ("before the roll", before_roll(start, start), "roll"),
            ("a lost race", doubled(far, last_two), "drop"),
            ("a won race", doubled(last_two, far), "take"),
        ] {
            let line = board.to_string();
            assert_eq!(gnubg.ask(&line), expected, "gnubg, {what}, {colour:?}: {line}");
            assert_eq!(ours.ask(&line), expected, "{what}, {colour:?}: {line}");
        }
    }
}

#[test]
fn a_connection_that_breaks_is_an_error_while_the_output_is_read() {
    let start: &[(usize, i8)] = &[(24, 2), (13, 5), (8, 3), (6, 5)];
    let line = board(Seat::O, start, start, [3, 1]).to_string();
    let (mut player, _read, address) = our_read_player(&[]);
    let mut stream = TcpStream::connect(&address).expect("connected");
    stream.write_all(format!("{line}\n").repeat(20).as_bytes()).expect("sent");
    drop(stream);
    assert_eq!(player.0.wait().expect("ended").code(), Some(1));
    let mut said = String::new();
    player.0.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
    assert!(said.ends_with("the connection broke: Broken pipe (os error 32)\n"), "{said}");
}

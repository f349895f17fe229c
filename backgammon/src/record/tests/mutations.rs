//! Records with a line or a word that was dropped, repeated, swapped, spaced or spelled
//! differently.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use super::round_trips::random_game;
use crate::record::{
    CompactWriter, MatWriter, RecordEvent, RecordedGame, Recorder, Records, SgfWriter, read_record,
};
use crate::{Results, Scoring};

/// Words of other places, as a slip of a typist puts them in.
const WORDS: [&str; 16] = [
    "Doubles",
    "Takes",
    "Drops",
    "31:",
    "66:",
    "8/5",
    "bar/off",
    "Wins 2 points",
    "1)",
    "Game 2",
    "????",
    "Resigns",
    ":",
    "5 point match",
    "\u{e9}",
    "\t",
];

/// Changes a text at a line behind `from`.
fn mutated(text: &str, from: usize, rng: &mut Pcg64) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = rng.random_range(from..lines.len());
    let other = rng.random_range(from..lines.len());
    let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
    let word = rng.random_range(0..words.len());
    match rng.random_range(0..10) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => lines.swap(at, other),
        3 => lines[at] = lines[at].replace("  ", " "),
        4 => lines[at] = format!("{:>1$}", lines[at], 2 * lines[at].chars().count()),
        5 => lines.truncate(at),
        kind => {
            match kind {
                6 => drop(words.remove(word)),
                7 => words.insert(word, words[word].clone()),
                8 => words.swap(0, word),
                _ => words[word] = WORDS[rng.random_range(0..WORDS.len())].to_owned(),
            }
            lines[at] = words.join(" ");
        }
    }
    lines.join("\n") + "\n"
}

/// Replays a game by the move generator.
fn is_legal(game: &RecordedGame) -> bool {
    let mut results = Results::default();
    let mut again = Recorder::from_start(game.header().clone(), *game.start());
    let legal = game.turns().all(|turn| results.of(&turn.before, turn.dice).contains(&turn.after));
    legal
        && game.events().iter().enumerate().all(|(index, event)| {
            if let Some(gap) = game.gaps().iter().find(|gap| gap.event == index) {
                again.go_on_from(gap.start);
            }
            match *event {
                RecordEvent::Turn(turn) => again.turn(turn.player, turn.dice, &turn.after).is_ok(),
                RecordEvent::Double { player, .. } => again.double(player).is_ok(),
                RecordEvent::Beaver { player, .. } => again.beaver(player).is_ok(),
                RecordEvent::Take { player } => again.take(player).is_ok(),
                RecordEvent::Drop { player } => again.drop(player).is_ok(),
            }
        })
}

fn games(seed: u64) -> Vec<RecordedGame> {
    let scoring = match seed % 2 {
        0 => Scoring::Money { jacoby: false, beavers: true },
        _ => Scoring::of_match(25, 0, 0, false).expect("a score"),
    };
    (0..)
        .map(|n| random_game(seed * 1000 + n, scoring))
        .filter(|g| g.turns().count() > 3)
        .take(3)
        .collect()
}

#[test]
fn a_slip_in_a_mat_costs_no_game_before_it_and_makes_no_game_illegal() {
    for seed in 0..400 {
        let games = games(seed % 40);
        let mut writer = MatWriter::new(Vec::new());
        games.iter().for_each(|game| writer.write(game).expect("memory"));
        let text = String::from_utf8(writer.into_inner()).expect("UTF-8");
        let whole: Vec<RecordedGame> = read_record(text.as_bytes(), "f").expect("usable").games;
        assert_eq!(whole.len(), games.len());
        // The last game is changed; its heading shows the score of the game before.
        let heading =
            text.lines().enumerate().filter(|(_, line)| line.starts_with(" Game ")).last();
        let rows = heading.map(|(at, _)| at + 2).expect("three games");
        let text = mutated(&text, rows, &mut Pcg64::seed_from_u64(seed));
        let found = read_record(text.as_bytes(), "f").expect("usable").games;
        assert!(found.len() >= 2, "{text}");
        assert_eq!(found[..2], whole[..2], "{text}");
        assert!(found.iter().all(is_legal), "{text}");
    }
}

#[test]
fn slips_anywhere_in_any_text_cause_no_panic_and_no_illegal_game() {
    for seed in 0..600 {
        let mut rng = Pcg64::seed_from_u64(seed);
        let games = games(seed % 40);
        let text = if seed % 3 == 0 {
            let mut writer = SgfWriter::new(Vec::new());
            for game in &games {
                writer.write(game, &[]).expect("memory");
            }
            String::from_utf8(writer.into_inner()).expect("UTF-8")
        } else {
            let mut writer = MatWriter::new(Vec::new());
            games.iter().for_each(|game| writer.write(game).expect("memory"));
            String::from_utf8(writer.into_inner()).expect("UTF-8")
        };
        let text = (0..rng.random_range(1..6)).fold(text, |text, _| {
            if text.lines().count() < 2 { text } else { mutated(&text, 0, &mut rng) }
        });
        let Ok(read) = read_record(text.as_bytes(), "f") else { continue };
        assert!(read.games.iter().all(is_legal), "{text}");
        // The games that were read can be written and read again.
        let mut writer = CompactWriter::new(Vec::new()).expect("memory");
        read.games.iter().for_each(|game| writer.write(game).expect("memory"));
        let bytes = writer.into_inner();
        let again: Vec<RecordedGame> = Records::new(&bytes[..], "f")
            .expect("a record")
            .map(|game| game.expect("usable"))
            .collect();
        assert_eq!(again, read.games, "{text}");
    }
}

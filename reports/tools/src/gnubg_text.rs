//! GNU Backgammon's own answers, read from its text.
//!
//! The programs that measure errors against GNU Backgammon share them.

#![allow(clippy::print_stderr, reason = "progress")]

use std::fmt::Write as _;
use std::fs::File;
use std::process::Command;
use std::time::Instant;

use nonet::backgammon::{Candidate, Dice, Position};

/// Questions that one process is asked.
const AT_ONCE: usize = 100;

/// The equities of no double and of a double that is taken; a double that is passed is 1.
pub type Equities = [f32; 2];

/// gnubg's text for `command` at each position, given as an XGID, at this many of its own plies;
/// and the seconds that it took. `/usr/games/gnubg`, or what `GNUBG` names.
pub fn answers(xgids: &[String], command: &str, plies: u8) -> (Vec<String>, f64) {
    let started = Instant::now();
    let mut all = Vec::new();
    for some in xgids.chunks(AT_ONCE) {
        all.extend(answers_of_one_process(some, command, plies));
        let seconds = started.elapsed().as_secs_f64();
        eprintln!("gnubg {plies}-ply {command}: {} of {}, {seconds:.0} s", all.len(), xgids.len());
    }
    (all, started.elapsed().as_secs_f64())
}

fn answers_of_one_process(xgids: &[String], command: &str, plies: u8) -> Vec<String> {
    let asked: Vec<(String, String)> =
        xgids.iter().map(|xgid| (xgid.clone(), command.to_owned())).collect();
    answers_to(&asked, "", plies)
}

/// gnubg's text for a command each at positions, given as XGIDs, at this many of its own plies,
/// after `settings` (lines of commands).
pub fn answers_to(asked: &[(String, String)], settings: &str, plies: u8) -> Vec<String> {
    let program = std::env::var("GNUBG").unwrap_or_else(|_| "/usr/games/gnubg".to_owned());
    let folder = tempfile::tempdir().expect("a folder");
    // Setting the plies again prints a line that ends each answer.
    let depth = format!("set evaluation cubedecision evaluation plies {plies}");
    let mut commands = format!(
        "set automatic game off\nset automatic roll off\nset threads 1\n{settings}\
         set evaluation chequerplay evaluation plies {plies}\n{depth}\n"
    );
    for (xgid, command) in asked {
        let _ = writeln!(commands, "set xgid {xgid}\n{command}\n{depth}");
    }
    let path = folder.path().join("commands");
    std::fs::write(&path, commands).expect("written");
    let output = Command::new(program)
        .args(["-t", "-q", "-r"])
        .stdin(File::open(&path).expect("written"))
        .output()
        .expect("gnubg");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let answers: Vec<&str> = text.split("cube decisions will use").skip(1).collect();
    assert_eq!(answers.len(), asked.len() + 1, "answers of gnubg");
    answers.into_iter().take(asked.len()).map(str::to_owned).collect()
}

/// The plays that a text of gnubg lists in the order of its ranks.
///
/// Each has the rank from 1, the result, and the rest of its line with the text after it.
fn listed<'a>(answer: &'a str, position: &Position, dice: Dice) -> Vec<(usize, Position, &'a str)> {
    let mut all = Vec::new();
    for (start, _) in answer.match_indices("Eq.:") {
        let (before, rest) = answer.split_at(start);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let Some((rank, named)) = line.split_once(". ") else { continue };
        let Ok(rank) = rank.trim().parse() else { continue };
        let play = named.trim_start();
        let play = play
            .strip_prefix("Rollout")
            .or_else(|| play.split_once("-ply").map(|(_, play)| play))
            .unwrap_or_else(|| panic!("{line}"));
        let read = position.read_play(play.trim(), dice);
        all.push((rank, read.unwrap_or_else(|error| panic!("{line}: {error}")).after, rest));
    }
    all
}

/// The ranks of plays in a hint about a roll; `None` if it does not list them all.
pub fn rank_of_plays(
    answer: &str,
    position: &Position,
    dice: Dice,
    plays: &[Candidate],
) -> Option<Vec<usize>> {
    let all = listed(answer, position, dice);
    let rank = |play: &Candidate| {
        all.iter().find(|(_, after, _)| *after == play.after).map(|(rank, ..)| *rank)
    };
    plays.iter().map(rank).collect()
}

/// The equities of plays that were rolled out, with the cube or without.
pub fn rolled_out(
    answer: &str,
    position: &Position,
    dice: Dice,
    plays: &[Candidate],
    cubeful: bool,
) -> Option<Vec<f64>> {
    let rolled = after_rollout(answer)?;
    let column = if cubeful { " CF " } else { " CL " };
    let all = listed(rolled, position, dice);
    let equity = |play: &Candidate| {
        let (.., rest) = all.iter().find(|(_, after, _)| *after == play.after)?;
        let rest = rest.split("Eq.:").nth(1)?;
        rest.split_once(column)?.1.split_whitespace().next()?.parse().ok()
    };
    plays.iter().map(equity).collect()
}

/// What gnubg prints after a rollout.
#[must_use]
pub fn after_rollout(answer: &str) -> Option<&str> {
    Some(answer.split_once("Printing final results")?.1)
}

/// The equities in a hint about the cube; `None` where gnubg sees no decision.
pub fn cube_equities(answer: &str) -> Option<Equities> {
    let value = |words: &str| {
        let line = answer.lines().find(|line| line.contains(words) && line.contains(". "))?;
        let rest = &line[line.find(words)? + words.len()..];
        rest.split_whitespace().next()?.parse::<f32>().ok()
    };
    let no_double = value("No double").or_else(|| value("No redouble"))?;
    let take = value("ouble, take").or_else(|| Some(value("ouble, beaver")? / 2.0))?;
    Some([no_double, take])
}

/// The best play in a hint about a roll.
pub fn best_play(answer: &str) -> Option<&str> {
    let line = answer.lines().find(|line| line.trim_start().starts_with("1. "))?;
    let (_, rest) = line.split_once("-ply")?;
    Some(rest.split_once("Eq.:")?.0.trim())
}

/// The cubeful equity of the player on roll who does not double, from the deepest line of `eval`.
pub fn cubeful_equity(answer: &str) -> Option<f32> {
    let is_depth = |line: &&str| line.contains(" ply:") || line.starts_with("static:");
    let line = answer.lines().rev().find(is_depth)?;
    line.split_whitespace().last()?.parse().ok()
}

/// What a player's equities make it do, in the eyes of the judge: the losses by a wrong double and
/// by a wrong answer.
pub fn losses(player: Equities, judge: Equities) -> [f64; 2] {
    let double = |[no_double, take]: Equities| take.min(1.0) > no_double;
    let worth = |double: bool| if double { judge[1].min(1.0) } else { judge[0] };
    let take = |[_, take]: Equities| take <= 1.0;
    let answered = |take: bool| if take { judge[1] } else { 1.0 };
    let lost = [
        worth(double(judge)) - worth(double(player)),
        answered(take(player)) - answered(take(judge)),
    ];
    lost.map(f64::from)
}

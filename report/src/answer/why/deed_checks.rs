//! Every deed that is told of a play is so on the boards: counted without what tells it.

use super::checks::{check_counts, counted};
use super::deeds::{Deeds, Told};
use super::tests::check_parts;
use super::*;
use nonet_engine::Plies;
use nonet_engine::backgammon::{Cube, Dice, Position, Scoring, candidates};
use nonet_engine::explain::{BoardFacts, PlayEvent};
use nonet_engine::game::{StreamPurpose, stream};
use rand::Rng;
use std::collections::BTreeMap;

/// Two plays of one roll: deeds are those of the first.
struct Case<'a> {
    before: &'a Position,
    play: &'a Candidate,
    other: &'a Candidate,
}

impl Case<'_> {
    /// The deeds of the play, with made-up numbers where a search would be asked.
    fn deeds(&self, is_better: bool, hit_best: [u8; 2], win: f32) -> Vec<Said> {
        let facts = [self.play, self.other].map(|one| BoardFacts::after(&one.after));
        let told = [0, 1].map(|place| WhyFacts::new(&facts[place], "any", None));
        let events = [self.play, self.other].map(|one| PlayEvent::of(self.before, one));
        let side = |place: usize| Told {
            events: &events[place],
            facts: &told[place],
            board: &[self.play, self.other][place].after,
            moves: &[self.play, self.other][place].play,
            hittable: &facts[place].hittable,
            hit_best: hit_best[place].min(facts[place].shots),
            win,
        };
        let deeds = Deeds::of(side(0), side(1), is_better);
        deeds.gains.into_iter().chain(deeds.prices).collect()
    }

    /// Whether a clause is so on the boards.
    fn holds(&self, clause: &Said) -> bool {
        let boards = [&self.play.after, &self.other.after];
        let own = boards.map(Position::flipped);
        let [was, is] = [self.before, &own[0]].map(|side| move |p: u32| side.own(p as usize));
        let back = |side: &Position, from: usize| -> u32 {
            (from..=25).map(|point| u32::from(side.own(point))).sum()
        };
        let gone = |from: usize| back(self.before, from).saturating_sub(back(&own[0], from));
        let number = |name: &str| match clause.values.get(name) {
            Some(SaidValue::Count(number)) => *number,
            other => panic!("no number {name}: {other:?}"),
        };
        let two = |of: &dyn Fn(&Position) -> u32| match clause.values.get("m") {
            None => of(boards[0]) == number("n"),
            Some(_) => [of(boards[0]), of(boards[1])] == [number("n"), number("m")],
        };
        let caught = self.before.flipped().own(25);
        let hit = |board: &Position| u32::from(board.own(25) - caught);
        let off = |board: &Position| u32::from(self.before.own_left() - board.opponent_left());
        let row = |kind: &str, board: &Position| -> u32 {
            counted(kind, board).and_then(|cell| cell.parse().ok()).expect("a number")
        };
        let shots = |board: &Position| row("row-shots", board);
        let block = |side: &Position| -> u32 {
            let rows = |low| (low..=24).take_while(|&point| side.own(point) >= 2).count();
            (1..=24).map(rows).max().unwrap_or(0) as u32
        };
        match clause.kind.as_str() {
            "hits-1" => hit(boards[0]) == 1,
            "hits" | "hits-more" => two(&hit),
            "off" | "off-more" => two(&off),
            "enters" => u32::from(was(25) - is(25)) == number("n"),
            "on-bar" => u32::from(is(25)) == number("n"),
            "closes" => (1..=6).all(|p| is(p) >= 2) && !(1..=6).all(|p| was(p) >= 2),
            "block" => block(&own[0]) == number("n") && block(self.before) < number("n"),
            "prime" => block(&own[0]) >= 6 && block(self.before) < 6,
            "escapes-1" => gone(14) >= 1 && gone(19) >= 1,
            "escapes" => gone(14) >= number("n") && gone(19) >= number("n"),
            "comes-out-1" => gone(19) >= 1,
            "comes-out" => gone(19) >= number("n"),
            "splits" => was(24) >= 2 && is(24) == 1,
            "stacks" => {
                let highest = (1..=24).map(was).max().unwrap_or(0);
                u32::from(is(number("point"))) == number("n") && u32::from(highest) < number("n")
            }
            "holds" => two(&|board| row("row-escapes", board)),
            "holds-all" => {
                let counts = boards.map(|board| row("row-escapes", board));
                counts == [0, number("m")]
            }
            "safe-next-all" => {
                let counts = boards.map(|board| row("row-next-blots", board));
                counts == [0, number("m")]
            }
            "no-shot" => shots(boards[0]) == 0 && shots(boards[1]) > 0,
            "shots" => two(&shots) && number("n") > number("m"),
            "blot" | "blots" => {
                self.names_all_blots(clause) && two(&shots) && shots(boards[1]) == 0
            }
            "blot-more" | "blots-more" => self.names_all_blots(clause) && two(&shots),
            "blot-best" | "blots-best" | "blot-alone-best" | "blots-alone-best" => {
                self.names_all_blots(clause)
            }
            "advances" => {
                let SaidValue::Part(point) = &clause.values["point"] else { return false };
                let at = match point.values.get("n") {
                    Some(SaidValue::Count(at)) => *at,
                    _ => 18,
                };
                let is_anchor = point.kind == "anchor";
                self.brings_up_to(at) && (is(at) >= 2 || !is_anchor)
            }
            // What `check_parts` and `check_counts` see.
            "makes" | "breaks" | "clears" | "clears-rear" | "fills" | "hits-deep" | "gives-up"
            | "slots" | "buries" | "outside" | "pips-home" | "back" | "lower-stack"
            | "safe-next" | "deep" | "moves-up" | "crossovers" | "pips-out" | "builders"
            | "takes-pips" | "all-home" | "leaves-home" => true,
            other => panic!("unknown clause {other}"),
        }
    }

    /// Whether the blots that are named are those that a reply hits, by the moves of the replies.
    fn names_all_blots(&self, clause: &Said) -> bool {
        let board = &self.play.after;
        let mut hit = [false; 26];
        for reply in Dice::ALL.iter().flat_map(|dice| candidates(board, *dice)) {
            let moves = reply.play.moves().iter().filter(|one| one.hits);
            moves.for_each(|one| hit[usize::from(25 - one.to)] = true);
        }
        let found = (1..=24u32).rev().filter(|&point| hit[point as usize]).map(SaidValue::Count);
        clause.values["blots"] == SaidValue::List(found.collect())
    }

    /// Whether the play, as it is written, brings a back checker to this point.
    fn brings_up_to(&self, point: u32) -> bool {
        let text = self.play.play.to_string().replace('*', "");
        text.split_whitespace().any(|moves| {
            let path: Vec<u32> = (moves.split('(').next().unwrap_or_default().split('/'))
                .map(|place| place.parse().unwrap_or(25))
                .collect();
            (19..25).contains(&path[0]) && path[1..].contains(&point)
        })
    }
}

#[test]
fn every_deed_is_so_on_the_boards() {
    let swift = nonet_engine::open::net("swift").expect("built in").team;
    let engine = Engine::builder().net(swift).plies(Plies::ONE).build().expect("an engine");
    let money = engine.context(Scoring::MONEY, Cube::CENTRED).expect("money");
    let ids = ["start", "7gAAgL1pABEYAA", "start", "brkFEAa7swAAAA", "start", "bFsnAAzm/AYMAA"];
    let mut starts = ids
        .iter()
        .cycle()
        .map(|id| crate::answer::read_question(id, None).expect("a position").position);
    let mut rng = stream(67, StreamPurpose::Choice, 0);
    let mut position = Position::START;
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..1500 {
        let dice = Dice::ALL[rng.random_range(0..21)];
        let plays = candidates(&position, dice);
        if plays.len() > 1 {
            let [a, b] = [0, 1].map(|_| rng.random_range(0..plays.len()));
            if plays[a].after != plays[b].after {
                check(
                    &Case { before: &position, play: &plays[a], other: &plays[b] },
                    &mut rng,
                    &mut seen,
                );
            }
        }
        // Games that are played well, and now and then a random play.
        position = match rng.random_bool(0.25) {
            true => plays[rng.random_range(0..plays.len())].after,
            false => *engine.best(&position, dice, &money).after(),
        };
        if position.outcome().is_some() {
            position = starts.next().expect("a cycle");
        }
    }
    // The rare ones have been seen, too.
    for kind in [
        "advances",
        "gives-up",
        "blots-more",
        "blots-best",
        "blots-alone-best",
        "stacks",
        "holds",
        "splits",
    ] {
        assert!(seen.contains_key(kind), "{kind}: {seen:?}");
    }
}

fn check(case: &Case<'_>, rng: &mut impl Rng, seen: &mut BTreeMap<String, u32>) {
    let is_better = rng.random_bool(0.5);
    let hit_best = [0, 1].map(|_| rng.random_range(0..=36));
    let deeds = case.deeds(is_better, hit_best, rng.random());
    for clause in deeds {
        let told = format!("{} {}\n{}", case.play.play, clause.in_english(), case.before);
        assert!(case.holds(&clause), "{told}instead of {}", case.other.play);
        *seen.entry(clause.kind.clone()).or_default() += 1;
        let said = Said::new("does").with("does", vec![clause]);
        check_parts(&said, case.before, &case.play.after);
        check_counts(&said, [&case.play.after, &case.other.after]);
    }
}

/// The sentences at 2-ply about the best play and this one.
fn sentences_of(xgid: &str, dice: &str, instead: &str) -> Vec<String> {
    let engine = Engine::champion().with_plies(Plies::TWO);
    let state = crate::answer::read_question(xgid, Some(dice)).expect("a question");
    WhyAnswer::of(&engine, &state, Some(instead)).expect("an answer").sentences
}

#[test]
fn an_anchor_that_the_other_play_breaks_is_no_deed_of_the_better_one() {
    let xgid = "XGID=---B--EB--------c--cDdBe--:1:1:1:62:0:0:0:3:10";
    let text = sentences_of(xgid, "62", "22/14").join("\n");
    assert!(text.contains("gives up the anchor on the 22 point"), "{text}");
    assert!(!text.contains("up to the anchor"), "{text}");
}

#[test]
fn best_replies_are_told_once_and_a_single_checker_is_no_anchor() {
    let xgid = "XGID=-a-B--C-CA-adC---bAe-b-A-A:1:1:1:63:0:0:0:3:10";
    let text = sentences_of(xgid, "63", "bar/16").join("\n");
    assert!(!text.contains("anchor on the 22 point"), "{text}");
    assert!(text.to_lowercase().matches("the best reply for").count() <= 1, "{text}");
}

#[test]
fn chances_come_first_where_the_board_speaks_for_the_other_play() {
    let xgid = "XGID=---B--EB------A-a--dDdae-A:1:1:1:51:0:0:0:3:10";
    let text = sentences_of(xgid, "51", "bar/20 7/6");
    let place = |words: &str| text.iter().position(|sentence| sentence.contains(words));
    let chances = place("fewer gammons lost").expect("the chances");
    assert!(chances < place("but it leaves no shot").expect("the boards"), "{text:?}");
}

#[test]
fn no_throw_hits_after_the_end_of_a_game() {
    // The player on roll could bear off both checkers, and neither player would have any.
    let board = Position::from_sides(&[(1, 2)], &[]).expect("a board");
    let facts = BoardFacts::after(&board);
    assert_eq!((facts.shots, facts.escapes, facts.hittable), (0, 0, Vec::new()));
}

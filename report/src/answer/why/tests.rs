//! What explanations say is so.

use super::checks::{check_counts, check_rows, check_small_counts, check_sum, check_themes};
use super::*;
use nonet_engine::Plies;
use nonet_engine::backgammon::{Dice, MatchState, Position, Scoring, candidates};
use nonet_engine::game::{StreamPurpose, stream};
use rand::Rng;

fn why(id: &str, dice: &str, instead: Option<&str>) -> Result<WhyAnswer, WhyError> {
    let engine = Engine::champion().with_plies(Plies::TWO);
    let state = crate::answer::read_question(id, Some(dice)).expect("a question");
    WhyAnswer::of(&engine, &state, instead)
}

#[test]
fn a_play_that_leaves_shots_is_explained_by_the_rolls_that_hit() {
    let answer = why("start", "31", Some("13/10 6/5")).expect("an answer");
    assert_eq!((answer.better.play.as_str(), answer.worse.loss > 0.1), ("8/5 6/5", true));
    let text = answer.sentences.join("\n");
    assert!(answer.facts_worse.shots > answer.facts_better.shots + 10, "{text}");
    assert!(text.contains("hit"), "{text}");
    let most = answer.rolls.iter().max_by(|a, b| a.share.total_cmp(&b.share)).expect("21");
    assert_eq!(answer.rolls[0], *most);
}

#[test]
fn without_a_play_the_second_best_is_compared_and_the_best_is_not_compared_with_itself() {
    let second = why("start", "31", None).expect("an answer");
    let same = why("start", "31", Some("8/5 6/5")).expect("an answer");
    assert_eq!(second, same);
    assert_ne!(second.better.play, second.worse.play);
    assert!(second.worse.loss > 0.0);
}

#[test]
fn two_named_plays_are_compared_whichever_is_better() {
    let engine = Engine::champion().with_plies(Plies::TWO);
    let state = crate::answer::read_question("start", Some("31")).expect("a question");
    let between = |pair| WhyAnswer::between(&engine, &state, pair);
    let answer = between(["13/10 6/5", "24/23 13/10"]).expect("an answer");
    assert_eq!((&*answer.better.play, &*answer.worse.play), ("24/23 13/10", "13/10 6/5"));
    assert_eq!(between(["24/23 13/10", "13/10 6/5"]).expect("an answer"), answer);
    let best = between(["8/5 6/5", "13/10 6/5"]).expect("an answer");
    assert_eq!(best, why("start", "31", Some("13/10 6/5")).expect("an answer"));
    assert!(matches!(between(["8/5 6/5", "6/5 8/5"]), Err(WhyError::SamePlay)));
    assert!(matches!(between(["8/5 6/5", "8/2"]), Err(WhyError::Play(_))));
}

#[test]
fn what_a_hit_checker_cannot_do_is_told_of_the_play_that_hits() {
    // 8/5* 6/5 points on a blot; after 24/23 13/10 no checker is on the bar.
    let id = "XGID=-a---aE-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
    let answer = why(id, "31", Some("24/23 13/10")).expect("an answer");
    assert_eq!((answer.facts_better.on_bar[1], answer.facts_worse.on_bar[1]), (1, 0));
    let stay = answer.rolls.iter().filter_map(|roll| roll.does.as_ref());
    let stay: Vec<_> = stay.filter(|does| does.what == "stays on the bar").collect();
    assert!(!stay.is_empty() && stay.iter().all(|does| does.after_better), "{answer:?}");
}

#[test]
fn gammons_are_not_told_where_one_game_decides() {
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:1:10";
    let answer = why(id, "31", Some("24/23 13/10")).expect("an answer");
    assert!(!answer.sentences.join(" ").contains("gammon"), "{:?}", answer.sentences);
}

#[test]
fn what_cannot_be_compared_is_said() {
    assert!(matches!(why("start", "31", Some("8/3")), Err(WhyError::Play(_))));
    // The home board is closed, so the checker on the bar cannot enter.
    let dance = "XGID=-----AE-C---cE-----bbbbbbA:0:0:1:66:0:0:0:0:10";
    assert!(matches!(why(dance, "66", None), Err(WhyError::OnePlay)));
}

/// The board after each play, with what is said about it.
pub(super) fn check_parts(said: &Said, before: &Position, after: &Position) {
    let own = after.flipped();
    let [was, is] = [*before, own].map(|side| move |point: usize| side.own(point));
    let point_of = |value: &SaidValue| match value {
        SaidValue::Count(point) => *point as usize,
        SaidValue::Part(part) => match (part.kind.as_str(), part.values.get("n")) {
            ("bar-point", _) => 7,
            ("midpoint", _) => 13,
            ("their-bar-point", _) => 18,
            (_, Some(SaidValue::Count(point))) => *point as usize,
            other => panic!("no point: {other:?}"),
        },
        other => panic!("no point: {other:?}"),
    };
    for key in ["does", "but"] {
        let Some(SaidValue::List(parts)) = said.values.get(key) else { continue };
        for part in parts {
            let SaidValue::Part(clause) = part else { panic!("no clause: {part:?}") };
            let points = clause.values.get("points").or_else(|| clause.values.get("blots"));
            let Some(SaidValue::List(points)) = points else { continue };
            assert!(!points.is_empty(), "{said:?}");
            for point in points.iter().map(point_of) {
                let holds = match clause.kind.as_str() {
                    "makes" => was(point) < 2 && is(point) >= 2,
                    "breaks" => was(point) >= 2 && is(point) == 1,
                    "clears" => was(point) >= 2 && is(point) == 0,
                    "clears-rear" => was(point) >= 2 && (point..=25).all(|p| is(p) == 0),
                    "fills" => is(point) > 0 && point <= 6,
                    "hits-deep" => is(point) == 1 && point <= 2,
                    "gives-up" => was(point) >= 2 && is(point) < 2 && point >= 19,
                    "slots" | "blot" | "blots" | "blot-more" | "blots-more" | "blot-best"
                    | "blots-best" | "blot-alone-best" | "blots-alone-best" => is(point) == 1,
                    "buries" => is(point) > was(point) && point <= 2,
                    other => panic!("unknown clause {other}"),
                };
                assert!(holds, "{before}\n{}", said.in_english());
            }
        }
    }
}

#[test]
fn no_sentence_names_what_is_not_there() {
    // What is tested holds for any net; this one is fast.
    let swift = nonet_engine::open::net("swift").expect("built in").team;
    let engine = Engine::builder().net(swift).plies(Plies::ONE).build().expect("an engine");
    let mut rng = stream(7, StreamPurpose::Choice, 0);
    // A gammon to save, a race, a bearoff against an anchor, a bearoff, and whole games.
    let ids = ["7gAAgL1pABEYAA", "bwAAgC33gQIAAA", "brkFEAa7swAAAA", "3wcAAKg7AAAAAA", "start"];
    let start = |id: &str| crate::answer::read_question(id, None).expect("a position").position;
    let mut starts = ids.iter().cycle().map(|id| start(id));
    let (mut position, mut asked) = (start(ids[1]), 0);
    while asked < 36 {
        let dice = Dice::ALL[rng.random_range(0..21)];
        let plays = candidates(&position, dice);
        if plays.len() > 1 && rng.random_bool(0.4) {
            let score = Scoring::of_match(5, rng.random_range(0..5), rng.random_range(0..5), false);
            let score = score.unwrap_or(Scoring::MONEY);
            let state = GameState { position, state: MatchState::new(score) }.with_dice(dice);
            let [a, b] = [0, 1].map(|_| &plays[rng.random_range(0..plays.len())]);
            if a.after == b.after {
                continue;
            }
            let why = Explanation::of(&engine, &state, [a, b]).expect("a decision");
            let answer = WhyAnswer::new(&engine, &state, &why).expect("an answer");
            check_answer(&answer, &why, &position);
            asked += 1;
        }
        position = plays[rng.random_range(0..plays.len())].after;
        if position.outcome().is_some() {
            position = starts.next().expect("a cycle");
        }
    }
}

fn check_answer(answer: &WhyAnswer, why: &Explanation, before: &Position) {
    let plays = [&answer.better.play, &answer.worse.play];
    let known: Vec<String> = Dice::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(answer.sentences.len(), answer.said.len());
    for (said, text) in answer.said.iter().zip(&answer.sentences) {
        assert!(!text.contains(['{', '}']) && text.ends_with('.'), "{text}");
        assert!(!text.contains("  ") && !text.contains(" ."), "{text}");
        for key in ["play", "other", "better", "worse"] {
            if let Some(SaidValue::Text(play)) = said.values.get(key) {
                assert!(plays.contains(&play), "{text}");
            }
        }
        if let Some(SaidValue::Text(play)) = said.values.get("play") {
            let place = usize::from(play != plays[0]);
            let boards = [why.better.after(), why.worse.after()];
            check_parts(said, before, boards[place]);
            check_counts(said, [boards[place], boards[1 - place]]);
            check_small_counts(said, [boards[place], boards[1 - place]]);
        }
        if let Some(throws_told) = said.values.get("throws") {
            let is_against = said.kind.starts_with("rolls-against");
            let is_told = |roll: &&WhyRoll| if is_against { roll.against } else { roll.named };
            let told = answer.rolls.iter().filter(is_told);
            let throws: u32 = told.map(|roll| u32::from(roll.throws)).sum();
            assert_eq!(*throws_told, SaidValue::Count(throws), "{text}");
        }
        if let ("own-rolls", Some(SaidValue::List(does))) =
            (said.kind.as_str(), said.values.get("does"))
        {
            let is_roll =
                |roll: &SaidValue| matches!(roll, SaidValue::Text(roll) if known.contains(roll));
            for clause in does {
                let SaidValue::Part(clause) = clause else { panic!("no clause: {text}") };
                let SaidValue::List(rolls) = &clause.values["rolls"] else { panic!("{text}") };
                assert!(rolls.iter().all(is_roll), "{text}");
            }
        }
        for key in ["themes", "against"] {
            let Some(SaidValue::List(themes)) = said.values.get(key) else { continue };
            check_themes(themes, why, key == "themes", text);
        }
        if said.kind == "can-hit" {
            let SaidValue::Count(best) = said.values["n"] else { panic!("no count: {text}") };
            let SaidValue::Count(shots) = said.values["shots"] else { panic!("no count: {text}") };
            assert!(best < shots, "a best reply that hits is a throw that can hit: {text}");
        }
    }
    check_sum(answer);
    check_rows(answer, why);
    check_cube_part(answer);
    // Named rolls make most of the difference, or none is named.
    let named: f32 = answer.rolls.iter().filter(|roll| roll.named).map(|roll| roll.share).sum();
    let any = answer.rolls.iter().any(|roll| roll.named);
    assert!(!any || named >= 0.6 * answer.rolls_loss, "{:?}", answer.sentences);
}

/// What the cube has to do with it follows from the chances and the counted throws.
fn check_cube_part(answer: &WhyAnswer) {
    let [a, b] = [&answer.better.outcomes, &answer.worse.outcomes];
    let counted = |price: f32| if price > 0.01 { price } else { 0.0 };
    let [won, lost] = answer.gammon_prices.map(counted);
    let [backgammon_won, backgammon_lost] = answer.backgammon_prices.map(counted);
    let utility = |of: &crate::answer::OutcomeChances| {
        of.win - (1.0 - of.win)
            + 2.0 * (won * of.win_gammon - lost * of.lose_gammon)
            + 2.0 * (backgammon_won * of.win_backgammon - backgammon_lost * of.lose_backgammon)
    };
    let cubeless = utility(a) - utility(b);
    assert!((cubeless - answer.cubeless).abs() < 1e-4, "{cubeless} {}", answer.cubeless);
    let told = |kind: &str| answer.said.iter().find(|said| said.kind == kind);
    assert!(told("without-cube").is_none() || answer.cubeless < 0.0, "{:?}", answer.sentences);
    for next in answer.next_doubles {
        assert!(next.taken + next.passed <= 36, "{next:?}");
    }
    if let Some(said) = told("next-doubles") {
        let count = |name: &str| match said.values[name] {
            SaidValue::Count(count) => count,
            ref other => panic!("no count: {other:?}"),
        };
        assert!(count("n") > count("m") && count("passes") >= count("others"), "{said:?}");
    }
}

#[test]
fn a_play_that_only_the_cube_makes_better_says_what_the_cube_does() {
    // The leader needs two points: on a cube at 2 a gammon lost costs no more than the game.
    let xgid = "XGID=---ABBBBB---c-A--cBdAb-ab-:0:0:1:32:1:3:0:5:10";
    let answer = why(xgid, "32", Some("14/9")).expect("an answer");
    assert!(answer.cubeless < -0.03 && answer.worse.loss > 0.0, "{}", answer.cubeless);
    let text = answer.sentences.join("\n");
    assert!(text.contains("The cube decides: without it 8/3 would be the worse play"), "{text}");
    assert!(text.contains("Once the cube is turned, a gammon won is worth"), "{text}");
}

#[test]
fn a_backgammon_counts_nothing_where_a_gammon_wins_the_match() {
    // The opponent needs four points on a cube at 2.
    let xgid = "XGID=------E-D-a-cB---bbdcBAA--:1:1:1:65:0:1:0:5:10";
    let answer = why(xgid, "65", Some("22/11")).expect("an answer");
    let lost_more = answer.better.outcomes.lose_backgammon > answer.worse.outcomes.lose_backgammon;
    assert!(lost_more && answer.backgammon_prices[1] == 0.0, "{:?}", answer.backgammon_prices);
    assert!(!answer.sentences.join(" ").contains("backgammons lost"), "{:?}", answer.sentences);
    // A hit is told before the chances.
    assert!(answer.sentences[1].starts_with("21/10* hits"), "{:?}", answer.sentences);
}

#[test]
fn known_positions_are_explained_by_what_decides_them() {
    // Position, roll, the other play, words that are told and words that are not.
    type Case<'a> = ([&'a str; 3], &'a [&'a str], &'a [&'a str]);
    let cases: [Case<'_>; 12] = [
        // A blot that is told is no broken point, too.
        (
            ["bFsnAAzm/AYMAA", "52", "6/1 6/4"],
            &["5 builders for the 5 point instead of 2"],
            &["breaks the 14"],
        ),
        // After both plays 34 throws or more can hit, mostly the checker on 24.
        (
            ["7DZBARkzzoMDQA", "31", "bar/24 13/10"],
            &["on 24 and 10 (a hit is the best reply for 28 of 36"],
            &[],
        ),
        // The blot on 8 would be safer elsewhere, but the other play leaves no fewer shots.
        (
            ["a7YZBAg4H3AYBg", "41", "13/8"],
            &["escape with 1 of 36 throws instead of 15"],
            &["moved to"],
        ),
        // Back checkers that make an anchor are not split.
        (
            ["sG8HAhTQuWICMg", "52", "24/22 10/5"],
            &["makes the anchor on the 22 point"],
            &["splits"],
        ),
        // One checker off saves the gammon from each of the four large doubles.
        (["OQAA4Ha3CAAAAA", "63", "9/3 6/3"], &["33, 44, 55 and 66 win a gammon"], &["block"]),
        // A race to get two checkers home.
        (
            ["bwAAgC33gQIAAA", "64", "13/3"],
            &["needs 3 pips to bring the last checkers home"],
            &["block"],
        ),
        // Backgammons are the whole difference, and one anchor is no back game.
        (
            ["7gYAAGbPAKBwAA", "55", "24/19 20/5"],
            &["fewer backgammons lost"],
            &["back game", "is better although"],
        ),
        // A full prime is broken to bear off.
        (["nzcAAOh22wAAAA", "33", "6/3(2) 5/2(2)"], &["bears off 2 checkers"], &["a prime"]),
        // Both plays leave the same blots.
        (
            ["s22CkQB3zQPAAA", "11", "18/17* 6/5(2) 3/2"],
            &["lets 5 of 36 throws hit instead of 3"],
            &["blots on 18"],
        ),
        // Both plays leave a shot, and the risks are about the same.
        (["trcHEADvXgOAAA", "61", "18/12 5/4"], &["breaks the 5 point"], &["leaves a blot", "hit"]),
        // The largest rolls come first, and the parts add up.
        (
            ["jO0GcCCKz4wBAw", "63", "8/2 8/5"],
            &["52, 32, 64, 42, 54, 22, 62 and 44 hit: 84 %", "throws together add 16 %"],
            &["points in"],
        ),
        // The better play ends with the longer block.
        (
            ["7t4NAAC2bQIAXA", "31", "bar/24 4/1"],
            &["breaks the 4 point"],
            &["against it: the block"],
        ),
    ];
    for ([id, dice, instead], told, not_told) in cases {
        let text = why(id, dice, Some(instead)).expect("an answer").sentences.join("\n");
        for words in told {
            assert!(text.contains(words), "{words}\n{text}");
        }
        for words in not_told {
            assert!(!text.contains(words), "{words}\n{text}");
        }
    }
}

//! From a recorded game to cards and back: takes up mistakes, asks them, and finds new positions.

use std::collections::HashSet;

use nonet_engine::analysis::{DecisionKind, analyse, matches_in};
use nonet_engine::backgammon::record::read_record;
use nonet_engine::backgammon::{GameState, Position, Seat};
use nonet_engine::progress::Progress;
use nonet_engine::{Engine, Plies};
use nonet_report::{AnalysedMatch, play_of};

use super::*;

/// Ann plays the first roll wrong.
const GAME: &str = "\
 5 point match

 Game 1
 ann : 0                     bob : 0
  1) 31: 24/23 24/21           43: 24/20 13/10
  2) 62: 13/5*                 31: bar/22 24/23
";

fn engine() -> Engine {
    Engine::champion().with_plies(Plies::ONE).with_cube_plies(Plies::ONE)
}

fn analysed(text: &str) -> AnalysedMatch {
    let record = read_record(text.as_bytes(), "a.mat").expect("a record");
    assert_eq!(matches_in(&record.games).len(), 1);
    let games = analyse(&record.games, &engine(), &Progress::default()).expect("a score");
    AnalysedMatch { file: "a.mat".to_owned(), games: games.expect("not stopped") }
}

fn mistakes(one: &AnalysedMatch, seat: Seat, least: f32) -> MatchMistakes {
    MatchMistakes::of(&one.games, seat, "2026-01-01", least, Plies::ONE)
}

fn ann() -> (Deck, AnalysedMatch) {
    let one = analysed(GAME);
    let mut deck = Deck::new("Ann");
    let done = deck.take_up(&mistakes(&one, Seat::X, 0.04));
    assert!(done.added > 0 && !done.known, "{done:?}");
    (deck, one)
}

#[test]
fn a_mistake_becomes_a_card_whose_best_answer_is_right() {
    let (deck, one) = ann();
    let first = &one.games[0].decisions[0];
    let card = deck.due(0)[0];
    assert!(card.loss >= first.loss());
    let card = deck.cards.iter().find(|card| card.xgid.contains(":31:")).expect("the opening");
    assert_eq!((card.kind.plan, card.best.as_str()), (GamePlan::Opening, "8/5 6/5"));
    let state = card.state().expect("an XGID");
    let right = judge(&engine(), &state, &card.best).expect("judged");
    assert_eq!((right.loss, right.grade), (0.0, Grade::Good));
    let wrong = judge(&engine(), &state, &card.made).expect("judged");
    assert_eq!(wrong.grade, Grade::Again);
    assert!((wrong.loss - card.loss).abs() < 1e-5, "{wrong:?} {card:?}");
    assert!(why_best(&engine(), card, &wrong).is_some_and(|why| !why.said.is_empty()));
    assert!(judge(&engine(), &state, "8/2").is_err());
}

#[test]
fn a_match_taken_up_twice_keeps_the_memory_of_its_cards() {
    let (mut deck, one) = ann();
    let card = deck.cards[0].clone();
    let judged = judge(&engine(), &card.state().expect("an XGID"), &card.best).expect("judged");
    let memory = deck.answered(&card, &judged, 1_000_000);
    let cards = deck.cards.len();
    let done = deck.take_up(&mistakes(&one, Seat::X, 0.04));
    assert_eq!((done.added, done.removed, done.known), (0, 0, true));
    assert_eq!((deck.cards.len(), deck.matches.len()), (cards, 1));
    assert_eq!(deck.cards[0].memory, memory);
    assert_eq!(deck.matches[0].date, "2026-01-01");
    // What is no mistake any more goes.
    assert_eq!(deck.take_up(&mistakes(&one, Seat::X, 9.0)).removed, cards);
}

#[test]
fn a_match_that_went_on_takes_the_place_of_its_beginning() {
    let (begun, _) = GAME.split_once("  2)").expect("two rows");
    let [begun, whole] = [begun, GAME].map(|text| mistakes(&analysed(text), Seat::X, 0.04));
    let mut deck = Deck::new("Ann");
    assert!(deck.take_up(&begun).added > 0);
    let card = deck.cards[0].clone();
    let judged = judge_card(&engine(), &card, &card.best).expect("judged");
    let memory = deck.answered(&card, &judged, 1_000_000);
    let done = deck.take_up(&whole);
    assert!(done.known && done.removed == 0, "{done:?}");
    let beginnings = vec![begun.row.key];
    let row = PractisedMatch { beginnings, ..whole.row.clone() };
    assert_eq!(deck.matches, [row], "its decisions count once");
    let key = whole.row.key;
    for card in &deck.cards {
        assert!(matches!(&card.origin, CardOrigin::Match { key: of, .. } if *of == key));
    }
    assert_eq!(deck.cards[0].memory, memory);
    let kept = deck.clone();
    for again in [&begun, &whole] {
        assert!(deck.take_up(again).known && deck == kept);
    }
    // Another match with the same names is one of its own.
    let other = GAME.replace("24/23 24/21", "24/23 13/10");
    let (other, _) = other.split_once("  2)").expect("two rows");
    assert!(!deck.take_up(&mistakes(&analysed(other), Seat::X, 0.04)).known);
}

#[test]
fn the_other_player_has_cards_of_their_own() {
    let (_, one) = ann();
    let mut deck = Deck::new("bob");
    deck.take_up(&mistakes(&one, Seat::O, 0.001));
    assert_eq!(deck.matches[0].opponent, "ann");
    assert!(deck.matches[0].decisions() >= 2);
}

#[test]
fn an_answered_card_comes_later_and_a_wrong_one_again_in_the_session() {
    let (mut deck, _) = ann();
    let now = 1_000_000;
    let cards: Vec<Card> = deck.due(now).into_iter().cloned().collect();
    let mut session = PracticeSession::new(cards.clone());
    let card = session.card().expect("a card").clone();
    let state = card.state().expect("an XGID");
    for (answer, left) in [(&card.made, cards.len()), (&card.best, cards.len() - 1)] {
        while session.card().is_some_and(|next| next.xgid != card.xgid) {
            session.skip();
        }
        let judged = judge(&engine(), &state, answer).expect("judged");
        deck.answered(&card, &judged, now);
        session.answered(&judged);
        assert!(session.left() <= left);
    }
    assert_eq!((session.answers, session.right), (2, 1));
    assert!(deck.due(now).iter().all(|due| due.xgid != card.xgid));
    assert_eq!(deck.answers.len(), 2);
    assert!(deck.next_due().expect("a card was answered") >= now + 86_400);
}

#[test]
fn of_answers_that_are_judged_at_the_same_time_one_counts() {
    let (mut deck, _) = ann();
    let now = 1_000_000;
    let new = draw(&deck, 2, 1).pop().expect("one");
    deck.keep_drawn(vec![new.clone()]);
    for card in [deck.cards[0].clone(), new] {
        let right = judge_card(&engine(), &card, &card.best).expect("judged");
        let wrong = judge_card(&engine(), &card, &card.made).expect("judged");
        let answers = deck.answers.len();
        let before = deck.answers_to(&card.xgid);
        let memory = deck.answered_once(&card, &right, before, now);
        assert_eq!(deck.answers.len(), answers + 1);
        // All others had the same number of answers before them.
        for late in [&wrong, &right] {
            assert_eq!(deck.answered_once(&card, late, before, now), memory);
        }
        assert_eq!(deck.answers.len(), answers + 1);
    }
    // A later answer counts.
    let card = deck.cards[0].clone();
    let wrong = judge_card(&engine(), &card, &card.made).expect("judged");
    let memory = deck.answered_once(&card, &wrong, deck.answers_to(&card.xgid), now);
    assert!(memory.is_some() && memory != card.memory);
    assert_eq!(deck.answers_to(&card.xgid), 2);
}

#[test]
fn a_deck_is_the_same_after_its_file() {
    let (mut deck, _) = ann();
    let card = deck.cards[0].clone();
    let judged = judge(&engine(), &card.state().expect("an XGID"), &card.made).expect("judged");
    deck.answered(&card, &judged, 1_764_000_000);
    let folder = tempfile::tempdir().expect("a folder");
    let (file, _) = DeckFile::open(folder.path(), "Ann").expect("opened");
    file.save(&deck).expect("saved");
    drop(file);
    let (_, read) = DeckFile::open(folder.path(), "ann").expect("opened");
    assert_eq!(read, deck);
}

#[test]
fn a_card_has_one_answer_whatever_the_depth_that_asks() {
    let (deck, one) = ann();
    let card = deck.cards.iter().find(|card| card.xgid.contains(":31:")).expect("the opening");
    let DecisionKind::Play(play) = &one.games[0].decisions[0].what else { panic!("a play") };
    let deep = engine().with_plies(Plies::TWO).with_cube_plies(Plies::TWO);
    for kept in &play.plays {
        let name = play_of(kept);
        let judged = judge_card(&deep, card, &name).expect("judged");
        assert_eq!(judged, judge_card(&engine(), card, &name).expect("judged"));
        assert_eq!(judged.loss, (play.plays[0].equity - kept.equity).max(0.0), "{name}");
        assert!(judged.equities.iter().any(|figure| figure.decision == name));
    }
    // A play that the analysis has not kept is searched as deep as the analysis was.
    let names: Vec<String> = play.plays.iter().map(play_of).collect();
    let legal = engine().moves(&card.state().expect("an XGID")).expect("plays");
    let other = legal.iter().map(play_of).find(|name| !names.contains(name)).expect("a bad play");
    let judged = judge_card(&deep, card, &other).expect("judged");
    assert_eq!(judged, judge_card(&engine(), card, &other).expect("judged"));
    let searched = judge(&engine(), &card.state().expect("an XGID"), &other).expect("judged");
    assert!((judged.loss - searched.loss).abs() < 1e-5 && judged.best == searched.best);
    let [best, .., last] = judged.equities.as_slice() else { panic!("equities") };
    assert!((best.equity - last.equity - judged.loss).abs() < 1e-5, "{judged:?}");
    assert!(judge_card(&deep, card, "8/2").is_err());
    // So is one that it has at a lower depth than the best.
    let mut mixed = card.clone();
    let Some(CardFigures::Plays(figures)) = &mut mixed.figures else { panic!("plays") };
    (figures[0].plies, figures[1].plies, figures[1].equity) = (Plies::TWO, Plies::ONE, 0.0);
    let second = figures[1].decision.clone();
    let at_two = judge(&deep, &card.state().expect("an XGID"), &second).expect("judged");
    let judged = judge_card(&engine(), &mixed, &second).expect("judged");
    assert!((judged.loss - at_two.loss).abs() < 1e-5, "{judged:?} {at_two:?}");
    // Without figures the search decides.
    let old = Card { figures: None, ..card.clone() };
    let answer = judge_card(&deep, &old, &card.made).expect("judged");
    assert_eq!(answer, judge(&deep, &old.state().expect("an XGID"), &card.made).expect("judged"));
}

fn draw(deck: &Deck, seed: u64, count: usize) -> Vec<Card> {
    Draw::of_costliest(deck, seed).draw(count, &engine(), &Progress::default(), |_| {})
}

#[test]
fn new_positions_are_of_the_kinds_and_follow_from_the_seed() {
    let (deck, _) = ann();
    let new = draw(&deck, 1, 3);
    assert_eq!((new.len(), &new), (3, &draw(&deck, 1, 3)));
    let kinds: Vec<_> =
        deck.cards.iter().map(|card| (card.kind.plan, card.kind.mistake.idea())).collect();
    for card in &new {
        assert!(kinds.contains(&(card.kind.plan, card.kind.mistake.idea())), "{card:?}");
        assert!(card.loss >= 0.08 && deck.card(&card.xgid).is_none());
        let state = card.state().expect("an XGID");
        let deep = engine().with_plies(Plies::TWO);
        assert_eq!(judge(&deep, &state, &card.best).expect("judged").loss, 0.0);
        let made = judge_card(&engine(), card, &card.made).expect("judged");
        assert_eq!(made.loss, card.loss);
        assert!(made.equities.iter().take(2).all(|figure| figure.plies == Plies::TWO), "{made:?}");
    }
    let mut ids: Vec<&str> = new.iter().map(|card| card.xgid.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 3, "each is another position");
    let stopped = Progress::default();
    stopped.stop();
    assert!(Draw::of_costliest(&deck, 1).draw(1, &engine(), &stopped, |_| {}).is_empty());
}

#[test]
fn somebody_without_a_match_gets_five_positions_of_five_kinds() {
    let deck = Deck::new("zoe");
    let new = draw(&deck, 1, 5);
    let mut kinds: Vec<_> =
        new.iter().map(|card| (card.kind.plan, card.kind.mistake.idea())).collect();
    assert_eq!(kinds[0].0, GamePlan::Opening, "{kinds:?}");
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds.len(), 5, "{new:?}");
    assert!(new.iter().any(|card| card.kind.mistake.is_cube()), "{kinds:?}");
    for card in &new {
        let state = card.state().expect("an XGID");
        assert_eq!(state.state.scoring.away(), None, "for money");
        assert!(card.loss >= 0.08, "{card:?}");
    }
    // A mistake of a match decides the kinds from then on.
    let (own, _) = ann();
    let plans: Vec<_> = own.cards.iter().map(|card| card.kind.plan).collect();
    assert!(draw(&own, 1, 2).iter().all(|card| plans.contains(&card.kind.plan)));
}

#[test]
fn a_kind_that_cost_twice_as_much_has_twice_as_many_positions() {
    let (mut deck, _) = ann();
    let like = deck.cards.iter().find(|card| card.xgid.contains(":31:")).expect("a card").clone();
    let of = |loss, mistake, xgid: &str| {
        let kind = MistakeKind { mistake, ..like.kind };
        Card { loss, kind, xgid: xgid.to_owned(), ..like.clone() }
    };
    let second = like.xgid.replace(":31:", ":63:");
    deck.cards =
        vec![of(0.4, Mistake::OtherPlay, &like.xgid), of(0.21, Mistake::MissedHit, &second)];
    let new = draw(&deck, 5, 3);
    let hits = new.iter().filter(|card| card.kind.mistake.idea() == "hit").count();
    assert_eq!((new.len(), hits), (3, 1), "{new:?}");
}

#[test]
fn every_second_double_is_right() {
    let (mut deck, _) = ann();
    let like = deck.cards[0].clone();
    let kind = MistakeKind { plan: GamePlan::Holding, mistake: Mistake::WrongDouble, ..like.kind };
    deck.cards = vec![Card { kind, loss: 0.3, ..like }];
    for seed in [1, 2] {
        let new = draw(&deck, seed, 6);
        let right = new.iter().filter(|card| card.kind.mistake == Mistake::MissedDouble).count();
        assert_eq!((new.len(), right), (6, 3), "{new:?}");
        assert!(new.iter().all(|card| (0.08..=0.2).contains(&card.loss)), "{new:?}");
    }
}

#[test]
fn openings_come_before_replies_and_none_twice() {
    let mut deck = Deck::new("zoe");
    let drawn = |deck: &Deck, seed, count| {
        Draw::of_openings(deck, seed).draw(count, &engine(), &Progress::default(), |_| {})
    };
    let start = |card: &Card| card.state().expect("an XGID").position == Position::START;
    let first = drawn(&deck, 3, 20);
    assert_eq!(first, drawn(&deck, 3, 20));
    assert!(first[..15].iter().all(start) && !first[15..].iter().any(start), "{first:?}");
    let ids: HashSet<&str> = first.iter().map(|card| card.xgid.as_str()).collect();
    assert_eq!(ids.len(), 20);
    let other = drawn(&deck, 4, 15);
    assert!(other.iter().all(|card| ids.contains(card.xgid.as_str())) && other != first[..15]);
    for card in &first {
        assert_eq!(judge_card(&engine(), card, &card.best).expect("judged").loss, 0.0);
        assert!(start(card) || card.loss >= 0.04, "{card:?}");
    }
    let known = &first[0];
    let judged = judge_card(&engine(), known, &known.best).expect("judged");
    deck.answered(known, &judged, 0);
    assert!(drawn(&deck, 3, 20).iter().all(|card| card.xgid != known.xgid));
}

#[test]
fn a_new_position_waits_and_is_a_card_only_after_a_wrong_answer() {
    let (mut deck, _) = ann();
    let new = draw(&deck, 2, 1).pop().expect("one");
    deck.keep_drawn(vec![new.clone(), new.clone()]);
    assert_eq!((deck.drawn.len(), deck.card(&new.xgid)), (1, Some(&new)));
    let mut full = deck.clone();
    let other = |number: usize| Card { xgid: format!("{}:{number}", new.xgid), ..new.clone() };
    full.keep_drawn((0..MOST_DRAWN).map(other).collect());
    assert_eq!((full.drawn.len(), full.can_wait()), (MOST_DRAWN, 0), "a deck has an end");
    let cards = deck.cards.len();
    let right = judge_card(&engine(), &new, &new.best).expect("judged");
    assert_eq!(deck.answered(&new, &right, 0), None);
    assert_eq!((deck.cards.len(), deck.drawn.len()), (cards, 0));
    let wrong = judge_card(&engine(), &new, &new.made).expect("judged");
    deck.answered(&new, &wrong, 0);
    assert_eq!((deck.cards.len(), deck.answers.len()), (cards + 1, 2));
    assert!(deck.answers.iter().all(|answer| answer.new));
}

/// Draws a test and answers it, each time with what `answer` says.
fn tested(deck: &mut Deck, seed: u64, count: usize, answer: impl Fn(usize, &Card) -> String) {
    let cards = Draw::for_test(deck, seed).draw(count, &engine(), &Progress::default(), |_| {});
    assert_eq!(cards.len(), count);
    deck.tests.push(PracticeTest::new(cards, seed, 1_764_000_000));
    let mut number = 0;
    while let Some(card) = deck.open_test().and_then(PracticeTest::card).cloned() {
        let judged = judge_card(&engine(), &card, &answer(number, &card)).expect("judged");
        number += 1;
        deck.test_answered(&judged, 1_764_000_000 + number as i64);
    }
    assert_eq!(number, count);
}

#[test]
fn two_tests_have_other_positions_of_the_same_kinds_and_their_difference_has_an_error() {
    let (mut deck, _) = ann();
    let cards = deck.cards.len();
    tested(&mut deck, 3, 4, |number, card| [&card.made, &card.best][number % 2].clone());
    assert_eq!(deck.cards.len(), cards + 2, "wrong answers become cards");
    assert_eq!(deck.answers.len(), 4);
    tested(&mut deck, 4, 4, |_, card| card.best.clone());
    let kinds = |test: &PracticeTest| {
        let kind = |card: &Card| (card.kind.plan.name(), card.kind.mistake.idea());
        let mut all: Vec<_> = test.cards().map(kind).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(kinds(&deck.tests[0]), kinds(&deck.tests[1]));
    let ids: Vec<&str> =
        deck.tests.iter().flat_map(PracticeTest::cards).map(|card| card.xgid.as_str()).collect();
    assert!((1..ids.len()).all(|i| !ids[..i].contains(&ids[i])), "{ids:?}");
    let progress = TestProgress::of(&deck);
    let [first, second] = progress.results.as_slice() else { panic!("two tests") };
    assert_eq!((first.right, first.questions, first.seed), (2, 4, 3));
    assert_eq!((second.right, second.loss, second.time), (4, 0.0, 1_764_000_004));
    let losses: Vec<f64> = (deck.tests[0].questions.iter())
        .filter_map(|question| question.answer.as_ref().map(|answer| f64::from(answer.loss)))
        .collect();
    assert!((first.loss - losses.iter().sum::<f64>() / 4.0).abs() < 1e-9);
    let [change, half] = progress.change.expect("two tests");
    assert!((change + first.loss).abs() < 1e-9);
    // Only the first test varies: Student's t with three degrees of freedom.
    let squares: f64 = losses.iter().map(|loss| (loss - first.loss).powi(2)).sum();
    assert!((half - 3.182 * f64::sqrt(squares / 3.0 / 4.0)).abs() < 1e-6, "{half}");
    assert_eq!(progress.is_within_the_error(), Some(change.abs() <= half));
    // An open test is kept as it stands.
    deck.tests.push(PracticeTest::new(draw(&deck, 9, 1), 9, 0));
    let folder = tempfile::tempdir().expect("a folder");
    let (file, _) = DeckFile::open(folder.path(), "Ann").expect("opened");
    file.save(&deck).expect("saved");
    let read = DeckFile::read(folder.path(), "Ann").expect("read").expect("a deck");
    assert_eq!((&read, TestProgress::of(&read)), (&deck, progress));
    assert_eq!(read.open_test().map(PracticeTest::answered), Some(0));
}

/// A deck as format 1 has it.
const FORMAT_1: &str = r#"{"format":1,"player":"Ann","matches":[],"cards":[{
"xgid":"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10","plan":"opening",
"mistake":"missed-slot","score":"money","made":"24/23 13/10","best":"8/5 6/5","loss":0.2,
"origin":{"match":{"key":7,"opponent":"bob","game":1,"roll":1}},
"memory":{"stability":2.3,"difficulty":5.0,"last":1764000000,"due":1764172800}}],"answers":[]}"#;

#[test]
fn a_file_of_format_1_is_read_and_written_as_format_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("player-ann.json");
    std::fs::write(&path, FORMAT_1).expect("written");
    let (file, deck) = DeckFile::open(folder.path(), "ann").expect("opened");
    assert_eq!((file.set_aside.as_ref(), deck.cards.len()), (None, 1));
    assert_eq!((&deck.cards[0].figures, deck.tests.len(), deck.drawn.len()), (&None, 0, 0));
    let judged = judge_card(&engine(), &deck.cards[0], "8/5 6/5").expect("judged");
    assert_eq!(judged.grade, Grade::Good);
    file.save(&deck).expect("saved");
    assert!(std::fs::read_to_string(&path).expect("read").contains("\"format\": 2"));
}

#[test]
fn a_take_a_beaver_and_a_pass_have_a_loss_of_their_own() {
    // O has doubled in a race: 15 pips behind, 5 ahead, 45 ahead.
    let races =
        ["------EEE-------eee-------", "------EEE--------ee-e-----", "------EEE-----------eee---"];
    for board in races {
        let state = |rule: u8| -> GameState {
            format!("XGID={board}:0:0:-1:D:0:0:{rule}:0:10").parse().expect("an XGID")
        };
        // The doubler's equity after a take, without beavers.
        let v = engine().cube(&state(0)).expect("money").double_take;
        let best = v.min(2.0 * v).min(1.0);
        for (answer, worth) in [("take", v), ("beaver", 2.0 * v), ("pass", 1.0)] {
            let judged = judge(&engine(), &state(2), answer).expect("judged");
            assert!((judged.loss - (worth - best)).abs() < 1e-5, "{v}: {judged:?}");
            assert_eq!(judged.answer, answer);
        }
        let right = judge(&engine(), &state(2), "take").expect("judged").best;
        assert_eq!(judge(&engine(), &state(2), &right).expect("judged").loss, 0.0);
    }
    let in_match = format!("XGID={}:0:0:-1:D:0:0:0:5:10", races[0]);
    let in_match: GameState = in_match.parse().expect("an XGID");
    let error = judge(&engine(), &in_match, "beaver").expect_err("a match").to_string();
    assert_eq!(error, "invalid answer 'beaver': expected take or pass");
}

#[test]
fn the_cube_is_asked_and_judged() {
    // X is closed out of a passed double.
    let id = "XGID=-a-aBbD-C-B-bCA---ab--bbb-:0:0:1:00:2:3:0:5:10";
    let state: GameState = id.parse().expect("an XGID");
    let judged = judge(&engine(), &state, "d").expect("judged");
    assert_eq!((judged.answer.as_str(), judged.grade), ("double", Grade::Good));
    // The words of the best decision are an answer, for the doubler and for the other player.
    assert_eq!(judge(&engine(), &state, &judged.best).expect("judged").loss, 0.0);
    let offered = id.replace(":00:", ":D:").replace(":0:0:1:", ":0:0:-1:");
    let offered: GameState = offered.parse().expect("an XGID");
    let best = judge(&engine(), &offered, "take").expect("judged").best;
    assert_eq!(judge(&engine(), &offered, &best).expect("judged").loss, 0.0);
    assert!(judge(&engine(), &state, "nonsense, take").is_err());
    let error = judge(&engine(), &state, "take").expect_err("no answer").to_string();
    assert_eq!(error, "invalid answer 'take': expected double or roll");
    let handed = handout("ann", &[]).expect("a page").render();
    assert!(handed.contains("cards to practise"));
}

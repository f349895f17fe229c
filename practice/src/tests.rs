//! From a recorded game to cards and back: takes up mistakes, asks them, and finds new positions.

use nonet_engine::analysis::{analyse, matches_in};
use nonet_engine::backgammon::Seat;
use nonet_engine::backgammon::record::read_record;
use nonet_engine::progress::Progress;
use nonet_engine::{Engine, Plies};
use nonet_report::AnalysedMatch;

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

fn ann() -> (Deck, AnalysedMatch) {
    let one = analysed(GAME);
    let mut deck = Deck::new("Ann");
    let done = deck.take_up(&MatchMistakes::of(&one.games, Seat::X, "2026-01-01", 0.04));
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
    assert!(!why_best(&engine(), &state, Some(&card.made)).expect("a reason").is_empty());
    assert!(judge(&engine(), &state, "8/2").is_err());
}

#[test]
fn a_match_taken_up_twice_keeps_the_memory_of_its_cards() {
    let (mut deck, one) = ann();
    let card = deck.cards[0].clone();
    let judged = judge(&engine(), &card.state().expect("an XGID"), &card.best).expect("judged");
    let memory = deck.answered(&card, &judged, 1_000_000);
    let cards = deck.cards.len();
    let done = deck.take_up(&MatchMistakes::of(&one.games, Seat::X, "2026-02-02", 0.04));
    assert_eq!((done.added, done.removed, done.known), (0, 0, true));
    assert_eq!((deck.cards.len(), deck.matches.len()), (cards, 1));
    assert_eq!(deck.cards[0].memory, memory);
    assert_eq!(deck.matches[0].date, "2026-01-01");
    // What is no mistake any more goes.
    assert_eq!(deck.take_up(&MatchMistakes::of(&one.games, Seat::X, "", 9.0)).removed, cards);
}

#[test]
fn the_other_player_has_cards_of_their_own() {
    let (_, one) = ann();
    let mut deck = Deck::new("bob");
    deck.take_up(&MatchMistakes::of(&one.games, Seat::O, "2026-01-01", 0.001));
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
fn new_positions_are_of_the_kind_and_follow_from_the_seed() {
    let (deck, _) = ann();
    let like = &deck.cards[0];
    let draw = |seed, index| new_position(&engine(), like, seed, index, &Progress::default());
    let new = draw(1, 0).expect("one in sixty games");
    assert_eq!(new, draw(1, 0).expect("the same"));
    assert_eq!(new.kind.plan, like.kind.plan);
    assert_eq!(new.kind.mistake.idea(), like.kind.mistake.idea());
    assert!(new.loss >= 0.08 && new.xgid != like.xgid);
    let state = new.state().expect("an XGID");
    let deep = engine().with_plies(Plies::TWO);
    assert_eq!(judge(&deep, &state, &new.best).expect("judged").loss, 0.0);
    let stopped = Progress::default();
    stopped.stop();
    assert_eq!(new_position(&engine(), like, 1, 0, &stopped), None);
}

#[test]
fn a_new_position_is_a_card_only_after_a_wrong_answer() {
    let (mut deck, _) = ann();
    let new = new_position(&engine(), &deck.cards[0], 2, 0, &Progress::default()).expect("one");
    let state = new.state().expect("an XGID");
    let cards = deck.cards.len();
    let right = judge(&engine(), &state, &new.best).expect("judged");
    assert_eq!(deck.answered(&new, &right, 0), None);
    assert_eq!(deck.cards.len(), cards);
    let wrong = judge(&engine(), &state, &new.made).expect("judged");
    deck.answered(&new, &wrong, 0);
    assert_eq!((deck.cards.len(), deck.answers.len()), (cards + 1, 2));
    assert!(deck.answers.iter().all(|answer| answer.new));
}

#[test]
fn the_cube_is_asked_and_judged() {
    // X is closed out of a passed double.
    let id = "XGID=-a-aBbD-C-B-bCA---ab--bbb-:0:0:1:00:2:3:0:5:10";
    let state = id.parse().expect("an XGID");
    let judged = judge(&engine(), &state, "d").expect("judged");
    assert_eq!((judged.answer.as_str(), judged.grade), ("double", Grade::Good));
    let error = judge(&engine(), &state, "take").expect_err("no answer").to_string();
    assert_eq!(error, "invalid answer 'take': expected double or roll");
    let handed = handout("ann", &[]).expect("a page").render();
    assert!(handed.contains("cards to practise"));
}

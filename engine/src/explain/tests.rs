use super::*;
use crate::backgammon::{Dice, Position};
use crate::game::{StreamPurpose, stream};
use crate::search::Plies;
use rand::Rng;

/// Decisions of games that are played by chance: the best and a random other play at 2-ply.
fn decisions(count: usize) -> Vec<(GameState, Explanation)> {
    let engine = Engine::champion().with_plies(Plies::TWO);
    let mut rng = stream(5, StreamPurpose::Choice, 0);
    let mut found = Vec::new();
    let mut position = Position::START;
    while found.len() < count {
        let dice = Dice::ALL[rng.random_range(0..21)];
        let plays = crate::backgammon::candidates(&position, dice);
        let state = GameState::money(position).with_dice(dice);
        if plays.len() > 1 && rng.random_bool(0.2) {
            let [a, b] = [0, 1].map(|_| &plays[rng.random_range(0..plays.len())]);
            let why = Explanation::of(&engine, &state, [a, b]).expect("a decision");
            found.push((state, why));
        }
        position = plays[rng.random_range(0..plays.len())].after;
        if position.outcome().is_some() {
            position = Position::START;
        }
    }
    found
}

#[test]
fn shares_add_up_and_what_is_named_is_on_the_board() {
    for (state, why) in decisions(60) {
        assert!(why.loss >= 0.0, "{state}");
        let weights: u8 = why.rolls.iter().map(|roll| roll.dice.weight()).sum();
        assert_eq!((why.rolls.len(), weights), (21, 36));
        if let Some(themes) = &why.themes {
            let sum: f32 = themes.shares.iter().map(|(_, share)| share).sum();
            assert!((sum - themes.difference).abs() < 1e-4, "{state}");
            if themes.difference > 0.0 {
                assert!(themes.decisive_part >= 0.5, "{state}");
                assert!(!themes.decisive.is_empty(), "{state}");
            }
        }
        for (facts, play) in why.facts.iter().zip([&why.better, &why.worse]) {
            let board = play.after();
            let yours = board.flipped();
            assert!(facts.blots[0].iter().all(|&point| yours.own(point.into()) == 1), "{state}");
            assert!(facts.anchors[0].iter().all(|&point| yours.own(point.into()) >= 2), "{state}");
            assert!(facts.blots[1].iter().all(|&point| board.own((25 - point).into()) == 1));
            assert_eq!(facts.pips, [board.opponent_pips(), board.pips()]);
        }
        for roll in &why.rolls {
            for (reply, play) in roll.replies.iter().zip([&why.better, &why.worse]) {
                let Some(reply) = reply else { continue };
                let hits = reply.play.moves().iter().filter(|one| one.hits).count();
                assert_eq!(usize::from(reply.hits), hits, "{state} {}", reply.play);
                let made = play.after().read_play(&reply.play.to_string(), roll.dice);
                let after = made.expect("a legal reply").after.flipped();
                assert!(reply.makes.iter().all(|&point| after.own(point.into()) >= 2));
            }
        }
    }
}

#[test]
fn the_shots_of_a_known_position_are_counted() {
    let dice = "31".parse().expect("a roll");
    let after = Position::START.read_play("13/10 6/5", dice).expect("legal").after;
    let facts = BoardFacts::after(&after);
    assert_eq!(facts.blots, [vec![10, 5], vec![]]);
    let direct = Dice::ALL
        .iter()
        .filter(|dice| dice.high() == 4 || dice.low() == 4)
        .map(|dice| dice.weight())
        .sum::<u8>();
    // 11 rolls with a 4, and 31, 22 and 11 by combination, hit on the 5 point.
    assert!(facts.shots >= direct + 4, "{}", facts.shots);
}

#[test]
fn an_equal_play_has_no_loss() {
    let state = GameState::money(Position::START).with_dice("31".parse().expect("a roll"));
    let plays = crate::backgammon::candidates(&state.position, state.dice().expect("a roll"));
    let engine = Engine::champion().with_plies(Plies::ONE);
    let why = Explanation::of(&engine, &state, [&plays[0], &plays[0]]).expect("a decision");
    assert_eq!((why.loss, why.rolls_loss), (0.0, 0.0));
}

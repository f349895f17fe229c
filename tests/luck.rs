//! Luck taken out of series changes their error, and not their mean.

use nonet::engine::{Engine, built_in_net};
use nonet::eval::PubEval;
use nonet::game::{
    MatchLength, Player, Random, Series, SeriesConfig, SeriesRules, StreamPurpose,
    play_adjusted_series,
};
use nonet::progress::Progress;
use nonet::search::{Plies, RollLuck, Search, SearchSettings};

fn series(a: &dyn Player, b: &dyn Player, games: u64, rules: SeriesRules) -> Series {
    let engine = Engine::builder().net(built_in_net().team).plies(Plies::ONE).build();
    let evaluator = engine.expect("the built-in net").evaluator();
    let luck = RollLuck::new(Search::new(evaluator, Plies::ONE, SearchSettings::NORMAL));
    let purpose = StreamPurpose::Match;
    let config = SeriesConfig { games, duplicate: true, rules, seed: 5, purpose };
    play_adjusted_series(a, b, &luck, &config, &Progress::default()).expect("not stopped")
}

#[test]
fn random_play_loses_what_it_loses_with_a_smaller_error() {
    let series = series(&Random, &PubEval, 200, SeriesRules::Cubeless);
    let adjusted = series.adjusted.expect("with an estimator");
    // Measured elsewhere over 5,000 games: -2.510 with an error of 0.010.
    assert!((adjusted.mean + 2.510).abs() < 4.0 * adjusted.stderr, "{series:?}");
    assert!(adjusted.stderr < series.ppg.stderr, "{series:?}");
}

#[test]
fn equal_players_have_no_advantage_left_when_luck_is_taken_out() {
    let engine = Engine::builder().net(built_in_net().team).plies(Plies::ONE).build();
    let player = engine.expect("the built-in net").player();
    let purpose = StreamPurpose::Match;
    for (rules, parity, most) in [
        (SeriesRules::Cubeless, 0.0, 0.06),
        (SeriesRules::MONEY, 0.0, 0.15),
        (SeriesRules::Match(MatchLength::new(3).expect("a length")), 0.5, 0.03),
    ] {
        // Without duplicate dice: with them, a player against themself has no error at all.
        let evaluator = Engine::builder().net(built_in_net().team).build();
        let evaluator = evaluator.expect("the built-in net").evaluator();
        let luck = RollLuck::new(Search::new(evaluator, Plies::ONE, SearchSettings::NORMAL));
        let config = SeriesConfig { games: 100, duplicate: false, rules, seed: 5, purpose };
        let progress = Progress::default();
        let series =
            play_adjusted_series(player.as_ref(), player.as_ref(), &luck, &config, &progress);
        let series = series.expect("not stopped");
        let adjusted = series.adjusted.expect("with an estimator");
        assert!((adjusted.mean - parity).abs() < 4.0 * adjusted.stderr, "{series:?}");
        // Half of the error at least is luck.
        let played = series.matches.map_or(series.ppg, |matches| matches.mwc);
        assert!(adjusted.stderr < most && adjusted.stderr < 0.5 * played.stderr, "{series:?}");
    }
}

//! Which scores and which places of the cube a matrix asks about.

use super::ScoreStage;
use nonet_engine::backgammon::{Cube, CubeOwner, GameState, MatchScore, Scoring};

/// Kind and points away of a score.
pub(in crate::answer) fn kind(scoring: Scoring) -> (ScoreStage, Option<(u16, u16)>) {
    let kind = match scoring {
        Scoring::Money { .. } => ScoreStage::Money,
        Scoring::Match(score) if score.is_crawford() => ScoreStage::Crawford,
        Scoring::Match(score) if (score.own_away() == 1) != (score.opponent_away() == 1) => {
            ScoreStage::PostCrawford
        }
        Scoring::Match(_) => ScoreStage::Match,
    };
    (kind, scoring.away())
}

/// Whether two scores are one cell: the length of a match decides nothing.
pub(in crate::answer) fn is_same(a: Scoring, b: Scoring) -> bool {
    kind(a) == kind(b)
}

/// The scores of a matrix: that of the question if it lies outside, money, then row by row.
pub(in crate::answer) fn scores(state: &GameState, most: u16) -> Vec<Scoring> {
    let given = state.state.scoring;
    let money = match given {
        Scoring::Money { .. } => given,
        Scoring::Match(_) => Scoring::MONEY,
    };
    let length = match given {
        Scoring::Match(score) => score.length().max(most),
        Scoring::Money { .. } => most,
    };
    let is_first_cube = state.state.cube == Cube::CENTRED;
    let mut scores = vec![money];
    for (own, opponent) in (1..=most).flat_map(|own| (1..=most).map(move |other| (own, other))) {
        let crawford = is_first_cube && (own == 1) != (opponent == 1);
        for crawford in [true, false].into_iter().skip(usize::from(!crawford)) {
            let score = MatchScore::new(length, length - own, length - opponent, crawford);
            scores.extend(score.map(Scoring::Match));
        }
    }
    if !scores.iter().any(|score| is_same(*score, given)) {
        scores.insert(0, given);
    }
    scores
}

/// The places of the cube at the score of a question: the middle, and the players who may own it.
/// An owned cube shows what it shows in the question, or 2. The Crawford game has one place.
pub(super) fn cubes(state: &GameState) -> Vec<Cube> {
    let (cube, scoring) = (state.state.cube, state.state.scoring);
    if matches!(scoring, Scoring::Match(score) if score.is_crawford()) {
        return vec![cube];
    }
    let places = [CubeOwner::Centred, CubeOwner::Own, CubeOwner::Opponent];
    // A player without the cube has no cube decision.
    let places = &places[..if state.dice().is_some() { 3 } else { 2 }];
    let is_owned = cube.owner() != CubeOwner::Centred;
    let of = |&owner: &CubeOwner| match owner {
        _ if owner == cube.owner() => Ok(cube),
        CubeOwner::Centred => Ok(Cube::CENTRED),
        _ => Cube::new(if is_owned { cube.value() } else { 2 }, owner),
    };
    places.iter().filter_map(|owner| of(owner).ok()).collect()
}

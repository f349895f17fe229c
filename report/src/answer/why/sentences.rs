//! The sentences of [`WhyAnswer`]: each says numbers that the answer has.

use nonet_engine::backgammon::{GameState, Scoring};
use nonet_engine::explain::{Explanation, OpponentCube, PlayEvent};

use super::chances::{TOLD_PRICE, cube_part, outcomes};
use super::deeds::{Deeds, Told};
use super::plan::plan;
use super::roll_sentences::{can_hit, hit_best, own_rolls, rolls};
use super::small_counts::small_counts;
use super::themes::{contradicts, themes};
use super::words::{Said, SaidValue, percent, points};
use super::{RankedPlay, WhyAnswer, WhyRepair};

/// Plays are equal if they differ by less than this, in points on a cube at 1.
const EQUAL: f32 = 0.0005;
/// Plays are close if they differ by less than this, in points on a cube at 1.
const CLOSE: f32 = 0.02;

/// The explanation, in its order.
///
/// It first tells what the plays do and which rolls decide. Then come the chances, what the net
/// sees, what speaks against the play, and the score. Where the board speaks more for the other
/// play, the chances come before what the plays do.
pub(super) fn sentences(answer: &WhyAnswer, why: &Explanation, state: &GameState) -> Vec<Said> {
    if answer.worse.loss < EQUAL {
        return equal(answer, why);
    }
    let two = deeds(answer, why);
    // A hit is told first all the same: it is what everybody sees.
    let hits = |place: usize| {
        why.events[place]
            .iter()
            .any(|event| matches!(event, PlayEvent::Hits(_) | PlayEvent::HitsDeep(_)))
    };
    let (speaks_against, tells_replies) =
        (two.against_better > two.for_better && (hits(1) || !hits(0)), two.tells_replies());
    let TwoPlays { reasons: deeds, against, .. } = two;
    // A double after both plays makes no difference.
    let cube = opponent_cube(answer, why);
    let (differs, either) = match why.opponent_cube[0] == why.opponent_cube[1] {
        true => (None, cube),
        false => (cube, None),
    };
    let rolls: Vec<Said> = differs.into_iter().chain(rolls(answer)).collect();
    // For how many throws a hit is the best reply is told once.
    let hits =
        can_hit(answer, why).filter(|said| !tells_replies || !said.kind.starts_with("can-hit"));
    let repair = answer.repair.as_ref().map(|found| repair(answer, found));
    let more: Vec<Said> = hits
        .into_iter()
        .chain(repair)
        .chain(own_rolls(answer, why))
        .chain(plan(answer, why, &state.position))
        .collect();
    // Counts are told where nothing larger is. Neither they nor percentages are a reason alone.
    let counts = if deeds.is_empty() { small_counts(answer) } else { None };
    let is_all = [&deeds, &rolls, &more].iter().all(|part| part.is_empty()) && counts.is_none();
    let chances: Vec<Said> =
        outcomes(answer).into_iter().chain(cube_part(answer, state.state.cube)).collect();
    let score = ScorePart::of(answer, state.state.scoring);
    let mut text = vec![first(answer)];
    let rest = if score.is_reason {
        text.extend(score.prices);
        Vec::new()
    } else {
        score.prices
    };
    let against = match speaks_against {
        true => {
            text.extend([rolls, chances, deeds, against, more].into_iter().flatten());
            Vec::new()
        }
        false => {
            text.extend([deeds, rolls, chances, more].into_iter().flatten());
            against
        }
    };
    text.extend(counts);
    text.extend(themes(answer, why, is_all));
    text.extend(against);
    if text.len() == 1 {
        text.push(Said::new("no-reason").with("plies", answer.plies));
    }
    text.extend(either);
    text.extend(rest.into_iter().chain(score.scores));
    text
}

/// Why two plays are worth the same, and what differs all the same.
fn equal(answer: &WhyAnswer, why: &Explanation) -> Vec<Said> {
    let both = [&answer.better, &answer.worse];
    // A game that goes on is not worth a whole point, unless the cube ends it.
    let goes_on = [&why.better, &why.worse].iter().all(|play| play.after().outcome().is_none());
    let ends = |sign: f32| {
        let ended = |play: &&RankedPlay| (play.equity - sign).abs() < EQUAL;
        let is_open = |play: &&RankedPlay| (0.001..0.999).contains(&play.outcomes.win);
        goes_on && both.iter().all(ended) && both.iter().any(is_open)
    };
    let kind = [("equal-passed", -1.0), ("equal-cashed", 1.0)].into_iter();
    let mut text = vec![first(answer)];
    text.extend(kind.filter(|(_, sign)| ends(*sign)).map(|(kind, _)| Said::new(kind)));
    text.extend(outcomes(answer).filter(|said| said.kind != "outcomes-but"));
    let deeds = deeds(answer, why);
    text.extend(deeds.reasons);
    // Neither play is better.
    text.extend(deeds.against.into_iter().map(|said| {
        let kind = if said.kind == "for-it" { "does" } else { "so" };
        Said { kind: kind.to_owned(), ..said }
    }));
    text
}

/// What the opponent does with the cube before rolling, where that differs or is a double.
fn opponent_cube(answer: &WhyAnswer, why: &Explanation) -> Option<Said> {
    let clause = |cube: OpponentCube| match cube {
        OpponentCube::Over => None,
        OpponentCube::Rolls => Some(Said::new("cube-rolls")),
        OpponentCube::TooGood => Some(Said::new("cube-too-good")),
        OpponentCube::Taken => Some(Said::new("cube-taken")),
        OpponentCube::Passed => Some(Said::new("cube-passed")),
    };
    let [better, worse] = why.opponent_cube;
    match better == worse {
        true => match better {
            OpponentCube::Taken => Some(Said::new("cube-either-taken")),
            OpponentCube::TooGood => Some(Said::new("cube-either-too-good")),
            OpponentCube::Over | OpponentCube::Rolls | OpponentCube::Passed => None,
        },
        false => Some(
            Said::new("cube-differs")
                .with("play", &answer.worse.play)
                .with("does", clause(worse)?)
                .with("other", &answer.better.play)
                .with("also", clause(better)?),
        ),
    }
}

fn first(answer: &WhyAnswer) -> Said {
    let WhyAnswer { better, worse, plies, .. } = answer;
    let kind = match worse.loss {
        loss if loss < EQUAL => "equal",
        loss if loss < CLOSE => "close",
        _ => "better",
    };
    Said::new(kind)
        .with("better", &better.play)
        .with("worse", &worse.play)
        .with("loss", points(worse.loss))
        .with("plies", *plies)
}

/// What the two plays do.
#[derive(Default)]
struct TwoPlays {
    /// What speaks for the better play.
    reasons: Vec<Said>,
    /// What speaks for the worse play alone, or against the better one alone.
    against: Vec<Said>,
    /// The number of deeds that speak for the better play, and against it: a risk counts twice.
    for_better: usize,
    against_better: usize,
}

impl TwoPlays {
    /// Whether the deeds tell for how many throws a hit is the best reply.
    fn tells_replies(&self) -> bool {
        let mut lists =
            self.reasons.iter().chain(&self.against).flat_map(|said| said.values.values());
        let is_it = |clause: &SaidValue| matches!(clause, SaidValue::Part(part) if part.kind.ends_with("-best"));
        lists.any(|list| matches!(list, SaidValue::List(all) if all.iter().any(is_it)))
    }
}

fn deeds(answer: &WhyAnswer, why: &Explanation) -> TwoPlays {
    let told = |place: usize| Told {
        events: &why.events[place],
        facts: [&answer.facts_better, &answer.facts_worse][place],
        board: [&why.better, &why.worse][place].after(),
        moves: [&why.better, &why.worse][place].play(),
        hittable: &why.facts[place].hittable,
        hit_best: hit_best(why, place),
        win: answer.better.outcomes.win,
    };
    let say = |kind: &str, play: &str, does: &[Said], but: &[Said]| {
        let said = Said::new(kind).with("play", play);
        let said = if does.is_empty() { said } else { said.with("does", does.to_vec()) };
        if but.is_empty() { said } else { said.with("but", but.to_vec()) }
    };
    let [better, worse] = [answer.better.play.as_str(), answer.worse.play.as_str()];
    let mut own = Deeds::of(told(0), told(1), true);
    let mut others = Deeds::of(told(1), told(0), false);
    for (clauses, is_for) in [
        (&mut own.gains, true),
        (&mut own.prices, false),
        (&mut others.prices, true),
        (&mut others.gains, false),
    ] {
        clauses.retain(|clause| !contradicts(answer, clause, is_for));
    }
    let is_risk = |said: &&Said| said.kind.starts_with("blot") || said.kind == "shots";
    let mut two = TwoPlays {
        for_better: own.gains.len()
            + others.prices.len()
            + others.prices.iter().filter(is_risk).count(),
        against_better: own.prices.len()
            + others.gains.len()
            + own.prices.iter().filter(is_risk).count(),
        ..TwoPlays::default()
    };
    let TwoPlays { reasons, against, .. } = &mut two;
    // The blots of the better play say that the worse one leaves no shot.
    let is_known = own.prices.iter().any(|said| is_risk(&said));
    let no_shot = |said: &Said| said.kind == "no-shot";
    match (own.gains.is_empty(), own.prices.is_empty()) {
        (true, true) => {}
        (true, false) => against.push(say("against-it", better, &[], &own.prices)),
        (false, true) => reasons.push(say("does", better, &own.gains, &[])),
        (false, false) => reasons.push(say("does-although", better, &own.gains, &own.prices)),
    }
    match (others.gains.is_empty(), others.prices.is_empty()) {
        (true, true) => {}
        (true, false) => reasons.push(say("does", worse, &others.prices, &[])),
        (false, false) => reasons.push(say("does-but", worse, &others.prices, &others.gains)),
        (false, true) if is_known && others.gains.iter().all(no_shot) => {}
        (false, true) => against.push(say("for-it", worse, &others.gains, &[])),
    }
    two
}

fn repair(answer: &WhyAnswer, repair: &WhyRepair) -> Said {
    let is_better = repair.loss < 0.0005;
    let kind = match (repair.checkers, is_better) {
        (1, true) => "repair-better",
        (1, false) => "repair",
        (_, true) => "anchor-better",
        (_, false) => "anchor-moved",
    };
    let said = Said::new(kind)
        .with("from", repair.from)
        .with("to", repair.to)
        .with("play", &answer.worse.play)
        .with("plies", repair.plies);
    match is_better {
        // A part has no unit: verdicts of matches tell shares of the match.
        false => said.with("part", percent(repair.loss / repair.whole, 0)),
        true => said,
    }
}

/// What the score changes: what gammons are worth and which play would be better for money, then
/// the other scores. The first part is the reason where money turns the verdict.
struct ScorePart {
    is_reason: bool,
    prices: Vec<Said>,
    scores: Option<Said>,
}

impl ScorePart {
    fn of(answer: &WhyAnswer, scoring: Scoring) -> ScorePart {
        let scores = answer.scores.said(&answer.worse.play);
        if matches!(scoring, Scoring::Money { .. }) {
            return ScorePart { is_reason: false, prices: Vec::new(), scores };
        }
        let by = points(answer.elsewhere.abs());
        let said = |kind: &str| Said::new(kind).with("loss", by.clone());
        let (turns, is_equal) = (answer.elsewhere < 0.0, answer.elsewhere.abs() < EQUAL);
        let [own, theirs] = answer.gammon_prices;
        let price = |number: f32| SaidValue::Decimal { number, digits: 2 };
        let told = |price: &f32| (price - 0.5).abs() >= 0.1;
        let counts = [own, theirs].iter().any(|price| *price > TOLD_PRICE);
        let unusual = counts && [own, theirs].iter().any(told);
        let prices = match (counts, unusual) {
            // One game decides for both: that is known.
            (false, _) if scoring.away() == Some((1, 1)) => None,
            (false, _) => Some(Said::new("prices-none")),
            (true, false) => None,
            (true, true) => {
                Some(Said::new("prices").with("own", price(own)).with("theirs", price(theirs)))
            }
        };
        let money = match (is_equal, turns) {
            (true, _) => Said::new("money-equal"),
            (false, true) => said("money-other").with("worse", &answer.worse.play),
            (false, false) => said("money-same"),
        };
        let prices = prices.into_iter().chain([money]).collect();
        ScorePart { is_reason: turns || is_equal, prices, scores }
    }
}

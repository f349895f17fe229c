//! The sentences of [`WhyAnswer`]: each says numbers that the answer has.

use nonet_engine::backgammon::Scoring;
use nonet_engine::class::Class;
use nonet_engine::explain::Explanation;

use super::deeds::{Deeds, Told};
use super::words::{Said, SaidValue, percent, points};
use super::{RollEvent, WhyAnswer, WhyFacts, WhyRoll, WhyTheme};

/// Plays are equal if they differ by less than this, in points on a cube at 1.
const EQUAL: f32 = 0.0005;
/// Plays are close if they differ by less than this, in points on a cube at 1.
const CLOSE: f32 = 0.02;

/// The explanation, the largest reason first.
pub(super) fn sentences(answer: &WhyAnswer, why: &Explanation, scoring: Scoring) -> Vec<Said> {
    if answer.worse.loss < EQUAL {
        return vec![first(answer)];
    }
    let reasons = [
        deeds(answer, why),
        outcomes(answer).into_iter().collect(),
        rolls(answer, why),
        repair(answer).into_iter().collect(),
        plan(answer, why).into_iter().collect(),
        own_rolls(answer).into_iter().collect(),
        themes(answer).into_iter().collect(),
    ];
    let mut text = vec![first(answer)];
    text.extend(reasons.into_iter().flatten());
    if text.len() == 1 {
        text.push(Said::new("no-reason").with("plies", answer.plies));
    }
    text.extend(score(answer, scoring));
    text
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

/// What the plays do.
fn deeds(answer: &WhyAnswer, why: &Explanation) -> Vec<Said> {
    let told = |place: usize| Told {
        events: &why.events[place],
        facts: [&answer.facts_better, &answer.facts_worse][place],
        board: [&why.better, &why.worse][place].after(),
    };
    let say = |kind: &str, play: &str, does: &[Said], but: &[Said]| {
        let said = Said::new(kind).with("play", play).with("does", does.to_vec());
        if but.is_empty() { said } else { said.with("but", but.to_vec()) }
    };
    let mut text = Vec::new();
    let Deeds { gains, prices } = Deeds::of(told(0), told(1), true);
    let better = answer.better.play.as_str();
    match (gains.is_empty(), prices.is_empty()) {
        (true, true) => {}
        (false, true) => text.push(say("does", better, &gains, &[])),
        (false, false) => text.push(say("does-although", better, &gains, &prices)),
        (true, false) => text.push(say("although", better, &[], &prices)),
    }
    let Deeds { gains, prices } = Deeds::of(told(1), told(0), false);
    let worse = answer.worse.play.as_str();
    match (gains.is_empty(), prices.is_empty()) {
        (true, true) => {}
        (true, false) => text.push(say("does", worse, &prices, &[])),
        (false, false) => text.push(say("does-but", worse, &prices, &gains)),
        (false, true) => text.push(say("for-it", worse, &gains, &[])),
    }
    text
}

/// Chances that differ by this much are told.
const TOLD_CHANCE: f32 = 0.003;
/// A gammon that is worth less than this counts nothing.
const TOLD_PRICE: f32 = 0.01;

fn outcomes(answer: &WhyAnswer) -> Option<Said> {
    let [a, b] = [&answer.better.outcomes, &answer.worse.outcomes];
    let [won, lost] = answer.gammon_prices.map(|price| price > TOLD_PRICE);
    // Name, change, whether it counts, and whether more of it is good.
    let kinds = [
        ("wins", a.win - b.win, true, true),
        ("gammons-won", a.win_gammon - b.win_gammon, won, true),
        ("gammons-lost", a.lose_gammon - b.lose_gammon, lost, false),
    ];
    let (mut more, mut but) = (Vec::new(), Vec::new());
    for (name, change, counts, is_good) in kinds {
        if !counts || change.abs() < TOLD_CHANCE {
            continue;
        }
        let word = if change > 0.0 { "more" } else { "fewer" };
        let said = Said::new(&format!("{word}-{name}")).with("n", percent(change.abs(), 1));
        if (change > 0.0) == is_good { more.push(said) } else { but.push(said) }
    }
    let said = |kind: &str| Said::new(kind).with("play", &answer.better.play);
    match (more.is_empty(), but.is_empty()) {
        (true, true) => None,
        (false, true) => Some(said("outcomes").with("more", more)),
        (false, false) => Some(said("outcomes-although").with("more", more).with("but", but)),
        (true, false) => Some(said("outcomes-cube").with("but", but)),
    }
}

/// More rolls than these are counted, not listed.
const LISTED: usize = 8;
/// Where other rolls take much back, rolls are told if they make this many points together.
const TOLD_SUM: f32 = 0.02;

fn rolls(answer: &WhyAnswer, why: &Explanation) -> Vec<Said> {
    let whole = answer.rolls_loss;
    let named: Vec<&WhyRoll> = answer.rolls.iter().filter(|roll| roll.named).collect();
    if named.is_empty() {
        return Vec::new();
    }
    // Rolls that do the same stand together, in the order of the largest of them.
    let mut kinds: Vec<(Option<&RollEvent>, Vec<&str>)> = Vec::new();
    for roll in &named {
        let does = roll.does.as_ref();
        match kinds.iter_mut().find(|(kind, _)| *kind == does) {
            Some((_, rolls)) => rolls.push(&roll.dice),
            None => kinds.push((does, vec![&roll.dice])),
        }
    }
    let clauses = |after_better: bool| -> Vec<Said> {
        let here =
            |does: &Option<&RollEvent>| does.is_some_and(|does| does.after_better) == after_better;
        let here = kinds.iter().filter(|(does, _)| here(does));
        here.map(|(does, rolls)| rolls_do(rolls, does.map(|does| &does.said))).collect()
    };
    let plays = [&answer.better.play, &answer.worse.play];
    let (after_worse, after_better) = (clauses(false), clauses(true));
    let throws: u32 = named.iter().map(|roll| u32::from(roll.throws)).sum();
    let sum: f32 = named.iter().map(|roll| roll.share).sum();
    // Where rolls speak for both plays, a part of the difference says little.
    let back = -answer.rolls.iter().map(|roll| roll.share.min(0.0)).sum::<f32>();
    let is_part = back <= 0.3 * whole && sum <= whole;
    if !is_part && sum < TOLD_SUM {
        return Vec::new();
    }
    let kind = match (is_part, after_worse.is_empty() || after_better.is_empty()) {
        (true, true) => "rolls",
        (true, false) => "rolls-both",
        (false, true) => "rolls-points",
        (false, false) => "rolls-points-both",
    };
    let mut said = Said::new(kind).with("throws", throws);
    said = match is_part {
        true => said.with("part", percent(sum / whole, 0)),
        false => said.with("sum", points(sum)).with("back", points(back)),
    };
    said = match (after_worse.is_empty(), after_better.is_empty()) {
        (true, _) => said.with("play", plays[0]).with("does", after_better),
        (false, true) => said.with("play", plays[1]).with("does", after_worse),
        (false, false) => said
            .with("play", plays[1])
            .with("does", after_worse)
            .with("other", plays[0])
            .with("also", after_better),
    };
    can_hit(answer, why, &named).into_iter().chain([said]).collect()
}

/// The throws that can hit and those whose best reply hits, where the named rolls hit.
fn can_hit(answer: &WhyAnswer, why: &Explanation, named: &[&WhyRoll]) -> Option<Said> {
    let hits = |roll: &&&WhyRoll| roll.does.as_ref().is_some_and(|does| does.is_hit());
    let after_better = named.iter().find(hits)?.does.as_ref()?.after_better;
    let (place, play, facts) = match after_better {
        true => (0, &answer.better, &answer.facts_better),
        false => (1, &answer.worse, &answer.facts_worse),
    };
    let replies = why
        .rolls
        .iter()
        .filter(|roll| roll.replies[place].as_ref().is_some_and(|reply| reply.hits() > 0));
    let best: u32 = replies.map(|roll| u32::from(roll.dice.weight())).sum();
    (best != u32::from(facts.shots)).then(|| {
        Said::new("can-hit").with("play", &play.play).with("shots", facts.shots).with("n", best)
    })
}

/// `64, 62 and 44 hit`.
fn rolls_do(rolls: &[&str], does: Option<&Said>) -> Said {
    let said = does.cloned().unwrap_or_else(|| Said::new("roll-better"));
    let count = u32::try_from(rolls.len()).unwrap_or(u32::MAX);
    let list: SaidValue = match rolls {
        [first, second, ..] if rolls.len() > LISTED => {
            let others = Said::new("rolls-others").with("n", count - 2);
            SaidValue::List(vec![(*first).into(), (*second).into(), others.into()])
        }
        rolls => rolls.to_vec().into(),
    };
    said.with("rolls", list).with("n", count)
}

fn repair(answer: &WhyAnswer) -> Option<Said> {
    let repair = answer.repair.as_ref()?;
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
    Some(match is_better {
        false => said.with("loss", points(repair.loss)).with("whole", points(repair.whole)),
        true => said,
    })
}

/// The kind of game that the plays lead to, if they differ in it.
fn plan(answer: &WhyAnswer, why: &Explanation) -> Option<Said> {
    let [before, better, worse] = why.plans;
    if better == worse {
        return None;
    }
    let plays = [&answer.better.play, &answer.worse.play];
    let of = |place: usize| {
        let facts = [&answer.facts_better, &answer.facts_worse][place];
        named_plan([better, worse][place], Some(facts))
    };
    // The play that leaves the kind of game that the other one keeps.
    for (place, class, other) in [(0, better, worse), (1, worse, better)] {
        if other == before && class != before {
            let (Some(plan), Some(from)) = (of(place), named_plan(before, None)) else { continue };
            let said = Said::new("plan-from").with("play", plays[place]);
            return Some(said.with("from", from).with("plan", plan));
        }
    }
    match (of(0), of(1)) {
        (plan, others) if plan == others => None,
        (Some(plan), Some(others)) => Some(
            Said::new("plan-both")
                .with("play", plays[0])
                .with("plan", plan)
                .with("other", plays[1])
                .with("others", others),
        ),
        (Some(plan), None) => Some(Said::new("plan").with("play", plays[0]).with("plan", plan)),
        (None, Some(plan)) => Some(Said::new("plan").with("play", plays[1]).with("plan", plan)),
        (None, None) => None,
    }
}

/// What players call such a game; a race with its pips.
fn named_plan(class: Option<Class>, facts: Option<&WhyFacts>) -> Option<Said> {
    let spec = class?.spec();
    spec.plan?;
    let Some(facts) = facts.filter(|facts| !facts.contact) else {
        return Some(Said::new(&format!("plan-{}", spec.slug)));
    };
    let [own, theirs] = facts.pips;
    let (kind, pips) = match own.cmp(&theirs) {
        std::cmp::Ordering::Less => ("race-ahead", theirs - own),
        std::cmp::Ordering::Equal => ("race-even", 0),
        std::cmp::Ordering::Greater => ("race-behind", own - theirs),
    };
    Some(Said::new(kind).with("n", u32::from(pips)))
}

/// Own rolls are told if so few of them make so much.
const OWN_ROLLS: usize = 4;
const OWN_PART: f32 = 0.5;

fn own_rolls(answer: &WhyAnswer) -> Option<Said> {
    let whole: f32 = answer.own_rolls.iter().map(|roll| roll.share).sum();
    let back = -answer.own_rolls.iter().map(|roll| roll.share.min(0.0)).sum::<f32>();
    if whole < 0.005 || back > 0.3 * whole {
        return None;
    }
    let (mut rolls, mut sum) = (Vec::new(), 0.0);
    for roll in answer.own_rolls.iter().take(OWN_ROLLS).filter(|roll| roll.share > 0.0) {
        rolls.push(roll.dice.as_str());
        sum += roll.share;
        if sum >= OWN_PART * whole {
            let part = percent(sum / whole, 0);
            return Some(Said::new("own-rolls").with("rolls", rolls).with("part", part));
        }
    }
    None
}

/// Which themes the net itself sees, and which speak against the play.
fn themes(answer: &WhyAnswer) -> Option<Said> {
    let whole = answer.static_difference?;
    if whole <= 0.0 {
        let told = answer.worse.loss >= CLOSE;
        return told.then(|| Said::new("search-sees").with("worse", &answer.worse.play));
    }
    let named = |theme: &WhyTheme| {
        let name = Said::new(&format!("theme-{}", theme.theme));
        Said::new("theme").with("name", name).with("share", points(theme.share))
    };
    let decisive: Vec<Said> =
        answer.themes.iter().filter(|theme| theme.decisive).map(named).collect();
    if decisive.is_empty() {
        return None;
    }
    let said = |kind: &str| Said::new(kind).with("themes", decisive.clone());
    let counts = |theme: &&WhyTheme| -theme.share > (0.3 * whole).max(0.01) && !theme.decisive;
    let against: Vec<Said> = answer.themes.iter().filter(counts).map(named).collect();
    Some(match against.is_empty() {
        true => said("themes"),
        false => said("themes-although").with("against", against),
    })
}

/// What the score changes.
fn score(answer: &WhyAnswer, scoring: Scoring) -> Vec<Said> {
    let by = points(answer.elsewhere.abs());
    let said = |kind: &str| Said::new(kind).with("loss", by.clone());
    let other = |kind: &str| said(kind).with("worse", &answer.worse.play);
    let turns = answer.elsewhere < 0.0;
    let scores = answer.scores.said(&answer.worse.play);
    match scoring {
        Scoring::Money { .. } => vec![scores],
        Scoring::Match(_) => {
            let [own, theirs] = answer.gammon_prices;
            let price = |number: f32| SaidValue::Decimal { number, digits: 2 };
            let told = |price: &f32| (price - 0.5).abs() >= 0.1;
            let counts = [own, theirs].iter().any(|price| *price > TOLD_PRICE);
            let unusual = counts && [own, theirs].iter().any(told);
            let prices = unusual
                .then(|| Said::new("prices").with("own", price(own)).with("theirs", price(theirs)));
            let money = if turns { other("money-other") } else { said("money-same") };
            prices.into_iter().chain([money, scores]).collect()
        }
    }
}

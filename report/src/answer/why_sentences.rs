//! The sentences of [`WhyAnswer`]: each says numbers that the answer has.

use nonet_engine::explain::{Explanation, Theme};

use super::why::{RollEvent, WhyAnswer, WhyFacts, WhyRoll, WhyTheme};

/// The explanation, the largest reason first. `gammons` says whether gammons won and lost count.
pub(super) fn sentences(answer: &WhyAnswer, why: &Explanation, gammons: [bool; 2]) -> Vec<String> {
    let mut text = vec![first(answer)];
    text.extend(outcomes(answer, gammons));
    let [rolls, board] = [rolls(answer), board(answer, why)];
    text.extend(rolls.into_iter().chain(board));
    text
}

fn first(answer: &WhyAnswer) -> String {
    let WhyAnswer { better, worse, plies, .. } = answer;
    match worse.loss < 0.0005 {
        true => format!("{} and {} are equal at {plies}-ply.", better.play, worse.play),
        false => format!(
            "{} is {:.3} points better than {} at {plies}-ply.",
            better.play, worse.loss, worse.play
        ),
    }
}

/// Chances that differ by this much are told.
const TOLD_CHANCE: f32 = 0.003;

fn outcomes(answer: &WhyAnswer, [won, lost]: [bool; 2]) -> Option<String> {
    let [a, b] = [&answer.better.outcomes, &answer.worse.outcomes];
    let kinds = [
        ("wins", a.win - b.win, true),
        ("gammons won", a.win_gammon - b.win_gammon, won),
        ("gammons lost", a.lose_gammon - b.lose_gammon, lost),
    ];
    let told: Vec<String> = (kinds.into_iter())
        .filter(|(_, change, counts)| *counts && change.abs() >= TOLD_CHANCE)
        .map(|(name, change, _)| {
            let more = if change > 0.0 { "more" } else { "fewer" };
            format!("{:.1} % {more} {name}", 100.0 * change.abs())
        })
        .collect();
    (!told.is_empty()).then(|| format!("It has {}.", joined(&told)))
}

/// More rolls than these are counted, not listed.
const LISTED: usize = 8;

fn rolls(answer: &WhyAnswer) -> Vec<String> {
    let whole = answer.rolls_loss;
    let named: Vec<&WhyRoll> = answer.rolls.iter().filter(|roll| roll.named).collect();
    let sum: f32 = named.iter().map(|roll| roll.share).sum();
    if whole <= 0.0005 {
        return Vec::new();
    }
    if sum < 0.3 * whole {
        return vec!["The difference is spread over the opponent's rolls.".to_owned()];
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
    let said = |after_better: bool| {
        let is_here =
            |does: &Option<&RollEvent>| does.is_some_and(|d| d.after_better) == after_better;
        let said: Vec<String> = (kinds.iter())
            .filter(|(does, _)| is_here(does))
            .map(|(does, rolls)| rolls_do(rolls, does.map(|does| does.what.as_str())))
            .collect();
        let play = if after_better { &answer.better.play } else { &answer.worse.play };
        let word = if after_better { "after" } else { "After" };
        (!said.is_empty()).then(|| format!("{word} {play} the opponent's {}", said.join("; ")))
    };
    let clauses: Vec<String> = [said(false), said(true)].into_iter().flatten().collect();
    let clauses = clauses.join("; ");
    let clauses = clauses.strip_prefix('a').map_or(clauses.clone(), |rest| format!("A{rest}"));
    let throws: u8 = named.iter().map(|roll| roll.throws).sum();
    // Where rolls speak for both plays, a part of the difference says little.
    let back: f32 = answer.rolls.iter().map(|roll| roll.share.min(0.0)).sum();
    let size = match -back > 0.3 * whole {
        true => format!("{sum:.3} points, of which other rolls take {:.3} back", -back),
        false => format!("{} % of the difference", (100.0 * sum / whole).round()),
    };
    vec![format!("{clauses}: {throws} of 36 throws, {size}.")]
}

/// `64, 62 and 44 hit`.
fn rolls_do(rolls: &[&str], does: Option<&str>) -> String {
    let one = rolls.len() == 1;
    let does = match does {
        None if one => "is better".to_owned(),
        None => "are better".to_owned(),
        Some(does) if one => does.to_owned(),
        Some(does) => plural(does),
    };
    match rolls {
        [first, second, ..] if rolls.len() > LISTED => {
            format!("{} rolls {does}, {first} and {second} above all", rolls.len())
        }
        rolls => format!("{} {does}", joined(rolls)),
    }
}

/// `hits` as several rolls do it.
fn plural(does: &str) -> String {
    let mut words = does.splitn(2, ' ');
    let verb = words.next().unwrap_or_default();
    let verb = verb.strip_suffix('s').unwrap_or(verb);
    words.next().map_or_else(|| verb.to_owned(), |rest| format!("{verb} {rest}"))
}

/// What the boards differ in, the decisive themes first.
fn board(answer: &WhyAnswer, why: &Explanation) -> Vec<String> {
    let (a, b) = (&answer.facts_better, &answer.facts_worse);
    let mut told = Vec::new();
    let [plan, other] = why.classes.map(|class| class.spec().plan);
    if plan != other {
        told.extend(plan.map(|plan| format!("It leads to {plan}.")));
        told.extend(other.map(|plan| format!("{} leads to {plan}.", answer.worse.play)));
    }
    let decisive = answer.themes.iter().filter(|theme| theme.decisive);
    let themes = why.themes.as_ref();
    for (theme, _) in themes.iter().flat_map(|all| &all.shares) {
        if themes.is_some_and(|all| all.decisive.contains(theme)) {
            told.extend(facts(*theme, a, b));
        }
    }
    if let Some(whole) = answer.static_difference.filter(|whole| *whole > 0.0) {
        let name =
            |theme: &WhyTheme| format!("{} ({:+.3})", theme.theme.replace('-', " "), theme.share);
        let told_for: Vec<String> = decisive.map(name).collect();
        if !told_for.is_empty() {
            told.push(format!("The net sees it in: {}.", joined(&told_for)));
        }
        let against = |theme: &&WhyTheme| -theme.share > (0.3 * whole).max(0.01);
        let against: Vec<String> = answer.themes.iter().filter(against).map(name).collect();
        if !against.is_empty() {
            told.push(format!("Against it: {}.", joined(&against)));
        }
    } else if answer.static_difference.is_some() {
        told.push("The static evaluation does not see it: the search does.".to_owned());
    }
    told
}

/// The facts of a theme that differ, in sentences.
fn facts(theme: Theme, a: &WhyFacts, b: &WhyFacts) -> Vec<String> {
    let mut told = Vec::new();
    let mut say = |differs: bool, text: String| {
        if differs {
            told.push(text);
        }
    };
    match theme {
        Theme::Shots => {
            let no = |count: u8| if count == 0 { "no".to_owned() } else { count.to_string() };
            say(
                a.shots != b.shots,
                format!("It leaves {} throws that hit instead of {}.", no(a.shots), no(b.shots)),
            );
            let blots = format!("Its blots: {} instead of {}.", points(&a.blots), points(&b.blots));
            say(a.blots != b.blots, blots);
        }
        Theme::Race => say(
            a.pips != b.pips,
            format!(
                "The race stands at {} to {} instead of {} to {} pips.",
                a.pips[0], a.pips[1], b.pips[0], b.pips[1]
            ),
        ),
        Theme::HomeBoard => say(
            a.home_points[0] != b.home_points[0],
            format!("It has {} home points instead of {}.", a.home_points[0], b.home_points[0]),
        ),
        Theme::Block => say(
            a.longest_block[0] != b.longest_block[0],
            format!(
                "Its longest block has {} points instead of {}.",
                a.longest_block[0], b.longest_block[0]
            ),
        ),
        Theme::BackCheckers => {
            let anchors =
                format!("Its anchors: {} instead of {}.", points(&a.anchors), points(&b.anchors));
            say(a.anchors != b.anchors, anchors);
            say(
                a.back[0] != b.back[0],
                format!("It has {} back instead of {}.", checkers(a.back[0]), b.back[0]),
            );
        }
        Theme::Entering => say(
            a.on_bar[1] != b.on_bar[1],
            format!(
                "The opponent has {} on the bar instead of {}.",
                checkers(a.on_bar[1]),
                b.on_bar[1]
            ),
        ),
        Theme::BearingOff => say(
            a.off[0] != b.off[0],
            format!("It has {} off instead of {}.", checkers(a.off[0]), b.off[0]),
        ),
        Theme::Timing => say(
            a.highest_stack[0] != b.highest_stack[0],
            format!(
                "Its highest stack has {} instead of {}.",
                checkers(a.highest_stack[0]),
                b.highest_stack[0]
            ),
        ),
        Theme::Outfield => {}
    }
    told
}

/// `1 checker`, `2 checkers`, `no checker`.
fn checkers(count: u8) -> String {
    match count {
        0 => "no checker".to_owned(),
        1 => "1 checker".to_owned(),
        count => format!("{count} checkers"),
    }
}

/// `10 and 5`, or `none`.
fn points(points: &[u8]) -> String {
    match points {
        [] => "none".to_owned(),
        points => joined(&points.iter().map(u8::to_string).collect::<Vec<_>>()),
    }
}

/// `a, b and c`.
fn joined(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [start @ .., last] => format!("{} and {last}", start.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_verbs_read_well() {
        assert_eq!(joined(&["64"]), "64");
        assert_eq!(joined(&["64", "62", "44"]), "64, 62 and 44");
        assert_eq!(plural("hits twice"), "hit twice");
        assert_eq!(plural("makes the opponent's 5 point"), "make the opponent's 5 point");
        assert_eq!(points(&[]), "none");
    }
}

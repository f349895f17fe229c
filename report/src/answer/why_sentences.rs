//! The sentences of [`WhyAnswer`]: each says numbers that the answer has.

use super::why::{WhyAnswer, WhyFacts, WhyRoll, WhyTheme};

/// The explanation, the largest reason first.
pub(super) fn sentences(answer: &WhyAnswer) -> Vec<String> {
    let mut text = vec![first(answer)];
    text.extend(outcomes(answer));
    let [rolls, board] = [rolls(answer), board(answer)];
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

fn outcomes(answer: &WhyAnswer) -> Option<String> {
    let [a, b] = [&answer.better.outcomes, &answer.worse.outcomes];
    let kinds = [
        ("wins", a.win - b.win),
        ("gammons won", a.win_gammon - b.win_gammon),
        ("gammons lost", a.lose_gammon - b.lose_gammon),
    ];
    let told: Vec<String> = (kinds.into_iter())
        .filter(|(_, change)| change.abs() >= TOLD_CHANCE)
        .map(|(name, change)| {
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
    let mut kinds: Vec<(Option<&str>, Vec<&str>)> = Vec::new();
    for roll in &named {
        let does = roll.does.as_deref();
        match kinds.iter_mut().find(|(kind, _)| *kind == does) {
            Some((_, rolls)) => rolls.push(&roll.dice),
            None => kinds.push((does, vec![&roll.dice])),
        }
    }
    let said: Vec<String> = (kinds.iter())
        .map(|(does, rolls)| {
            let one = rolls.len() == 1;
            let does = match does {
                None if one => "is better".to_owned(),
                None => "are better".to_owned(),
                Some(does) if one => (*does).to_owned(),
                Some(does) => plural(does),
            };
            match rolls.as_slice() {
                [first, second, ..] if rolls.len() > LISTED => {
                    format!("{} rolls {does}, {first} and {second} above all", rolls.len())
                }
                rolls => format!("{} {does}", joined(rolls)),
            }
        })
        .collect();
    let throws: u8 = named.iter().map(|roll| roll.throws).sum();
    // Where rolls speak for both plays, a part of the difference says little.
    let back: f32 = answer.rolls.iter().map(|roll| roll.share.min(0.0)).sum();
    let size = match -back > 0.3 * whole {
        true => format!("{sum:.3} points, of which other rolls take {:.3} back", -back),
        false => format!("{} % of the difference", (100.0 * sum / whole).round()),
    };
    vec![format!(
        "After {} the opponent's {}: {throws} of 36 throws, {size}.",
        answer.worse.play,
        said.join("; ")
    )]
}

/// `hits` as several rolls do it.
fn plural(does: &str) -> String {
    let mut words = does.splitn(2, ' ');
    let verb = words.next().unwrap_or_default();
    let verb = verb.strip_suffix('s').unwrap_or(verb);
    words.next().map_or_else(|| verb.to_owned(), |rest| format!("{verb} {rest}"))
}

/// What the boards differ in, the decisive themes first.
fn board(answer: &WhyAnswer) -> Vec<String> {
    let (a, b) = (&answer.facts_better, &answer.facts_worse);
    let mut told = Vec::new();
    if a.class != b.class {
        told.push(format!("The board is of the class {} instead of {}.", a.class, b.class));
    }
    let decisive = answer.themes.iter().filter(|theme| theme.decisive);
    for theme in decisive.clone() {
        told.extend(facts(&theme.theme, a, b));
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
fn facts(theme: &str, a: &WhyFacts, b: &WhyFacts) -> Vec<String> {
    let mut told = Vec::new();
    let mut say = |differs: bool, text: String| {
        if differs {
            told.push(text);
        }
    };
    match theme {
        "shots" => {
            let no = |count: u8| if count == 0 { "No".to_owned() } else { count.to_string() };
            say(a.shots != b.shots, format!("{} throws hit instead of {}.", no(a.shots), b.shots));
            let blots = format!("Blots: {} instead of {}.", points(&a.blots), points(&b.blots));
            say(a.blots != b.blots, blots);
        }
        "race" => say(
            a.pips != b.pips,
            format!(
                "The race stands at {} to {} instead of {} to {} pips.",
                a.pips[0], a.pips[1], b.pips[0], b.pips[1]
            ),
        ),
        "home-board" => say(
            a.home_points[0] != b.home_points[0],
            format!("{} home points instead of {}.", a.home_points[0], b.home_points[0]),
        ),
        "block" => say(
            a.longest_block[0] != b.longest_block[0],
            format!(
                "The longest block has {} points instead of {}.",
                a.longest_block[0], b.longest_block[0]
            ),
        ),
        "back-checkers" => {
            let anchors =
                format!("Anchors: {} instead of {}.", points(&a.anchors), points(&b.anchors));
            say(a.anchors != b.anchors, anchors);
            say(
                a.back[0] != b.back[0],
                format!("{} checkers back instead of {}.", a.back[0], b.back[0]),
            );
        }
        "entering" => say(
            a.on_bar[1] != b.on_bar[1],
            format!(
                "The opponent has {} checkers on the bar instead of {}.",
                a.on_bar[1], b.on_bar[1]
            ),
        ),
        "bearing-off" => say(
            a.off[0] != b.off[0],
            format!("{} checkers are off instead of {}.", a.off[0], b.off[0]),
        ),
        "timing" => say(
            a.highest_stack[0] != b.highest_stack[0],
            format!(
                "The highest stack has {} checkers instead of {}.",
                a.highest_stack[0], b.highest_stack[0]
            ),
        ),
        _ => {}
    }
    told
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

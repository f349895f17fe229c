//! What each kind of mistake has cost, as tables.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use nonet::practice::{
    AnswerCourse, BeforeAndAfter, Deck, LossShare, MissedCard, PracticeOverview, TestProgress,
};

use crate::cli::output::counted::counted;
use crate::cli::output::terminal::Terminal;

/// Rows of the table of games and ideas together.
const CROSSED: usize = 8;
const DAY: i64 = 86_400;

/// The time until a card comes, in words.
pub(super) fn until(due: i64, now: i64) -> String {
    match (due.saturating_sub(now) + DAY / 2) / DAY {
        ..=0 => "today".to_owned(),
        1 => "in a day".to_owned(),
        days if days < 60 => format!("in {days} days"),
        days => format!("in {} months", (days + 15) / 30),
    }
}

/// The day of a time in Unix seconds, here.
pub(super) fn day(time: i64) -> String {
    let time = Timestamp::from_second(time).unwrap_or(Timestamp::UNIX_EPOCH);
    time.to_zoned(TimeZone::system()).date().to_string()
}

pub(super) fn in_text(overview: &PracticeOverview, now: i64, terminal: Terminal) -> String {
    let PracticeOverview { player, matches, decisions, pr, cards, due, .. } = overview;
    let es = if *matches == 1 { "" } else { "es" };
    let pr = pr.map(|[pr, half]| format!(", PR {pr:.1} ± {half:.1}")).unwrap_or_default();
    let mut text = format!("{player}: {matches} match{es}, {decisions} decisions{pr}\n");
    text += &format!("{}, {due} due now", counted(*cards, "card"));
    if let Some(next) = overview.next_due.filter(|_| *due == 0) {
        text += &format!("; the next comes {}", until(next, now));
    }
    text += &format!("; {}\n", counted(overview.answers, "answer"));
    let shares = &overview.shares;
    for (title, rows, most) in [
        ("kind of game", &shares.plans, usize::MAX),
        ("what was wrong", &shares.mistakes, usize::MAX),
        ("score", &shares.scores, usize::MAX),
        ("game and mistake", &shares.crossed, CROSSED),
    ] {
        text += &table(title, rows, most);
    }
    text += &halves("PR in matches", "", &overview.progress.matches, 1);
    text += &halves("mean loss of an answer", "", &overview.progress.answers, 3);
    text += &courses(&overview.course);
    text += &missed(&overview.missed);
    text += &tests(&overview.tests);
    if !shares.plans.is_empty() {
        text += "\nshare: of the loss of all decisions, with its 95 % interval\n";
    }
    terminal.fitted(&text)
}

fn table(title: &str, rows: &[LossShare], most: usize) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{title:<28}  share      95 %  times   loss\n");
    for row in rows.iter().take(most) {
        let [low, high] = row.interval.map(|part| 100.0 * part);
        text += &format!(
            "{:<28}  {:>3.0} %  {:>8}  {:>5}  {:>5.2}\n",
            row.name,
            100.0 * row.share,
            format!("{low:.0}-{high:.0} %"),
            row.mistakes,
            row.loss
        );
    }
    text
}

fn halves(title: &str, unit: &str, rows: &[BeforeAndAfter], decimals: usize) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let value = |value: Option<[f64; 2]>| match value {
        Some([mean, half]) => format!("{mean:.decimals$} ± {half:.decimals$}{unit}"),
        None => "-".to_owned(),
    };
    let mut text = format!("\n{title:<28}  {:>13}  {:>13}\n", "earlier half", "later half");
    for row in rows {
        text +=
            &format!("{:<28}  {:>13}  {:>13}\n", row.name, value(row.earlier), value(row.later));
    }
    text
}

/// The share of right answers at the begin and at the end.
fn courses(courses: &[AnswerCourse]) -> String {
    let mut text = String::new();
    for course in courses {
        let [Some(first), Some(last)] = [course.blocks.first(), course.blocks.last()] else {
            continue;
        };
        if text.is_empty() {
            text += &format!("\n{:<28}  {:>13}  {:>13}\n", "right answers", "first", "last");
        }
        let part = |right: usize, answers: usize| format!("{right} of {answers}");
        let [first, last] = [first, last].map(|block| part(block.right, block.answers));
        text += &format!("{:<28}  {first:>13}  {last:>13}\n", course.name);
    }
    text
}

/// Cards with several wrong answers.
fn missed(cards: &[MissedCard]) -> String {
    if cards.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{:<44}  {:>12}\n", "missed again and again", "wrong");
    for MissedCard { kind, wrong, answers, .. } in cards {
        text += &format!("{kind:<44}  {:>12}\n", format!("{wrong} of {answers}"));
    }
    text
}

/// The results of the tests of a deck.
pub(super) fn tests_in_text(deck: &Deck) -> String {
    tests(&TestProgress::of(deck))
}

fn tests(progress: &TestProgress) -> String {
    if progress.results.is_empty() {
        return String::new();
    }
    let mut text =
        format!("\n{:<28}  {:>5}  {:>15}  {:>12}\n", "test", "right", "mean loss", "seed");
    for one in &progress.results {
        let half = one.half.map(|half| format!(" ± {half:.3}")).unwrap_or_default();
        let (right, loss) = (format!("{}/{}", one.right, one.questions), one.loss);
        let loss = format!("{loss:.3}{half}");
        text += &format!("{:<28}  {right:>5}  {loss:>15}  {:>12}\n", day(one.time), one.seed);
    }
    if let (Some([mean, half]), Some(unsure)) = (progress.change, progress.is_within_the_error()) {
        let means = match (unsure, mean < 0.0) {
            (true, _) => "within the error: the tests do not tell a difference",
            (false, true) => "less is lost than in the first test",
            (false, false) => "more is lost than in the first test",
        };
        text += &format!("last less first: {mean:+.3} ± {half:.3}, {means}\n");
    }
    text
}

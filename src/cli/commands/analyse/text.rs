//! The analysis in words: the result, the worst mistakes first, and how to go on.

use std::fmt::Write as _;

use nonet::analysis::{
    AnalysedDecision, DecisionGroup, DecisionKind, PlayerRating, Severity, Summary, Tally,
    by_class, by_group, final_score, luck_adjusted, summaries,
};
use nonet::backgammon::Seat;
use nonet::engine::Engine;
use nonet::report::{
    AnalysedMatch, cost_of, decision_of, result_of, score_of, side_of, title_of, worst_first,
};
use nonet::stats::Z95;

/// How many mistakes are listed.
const WORST: usize = 20;

/// One match; with `all` every decision besides the mistakes.
pub(super) fn of_match(one: &AnalysedMatch, engine: &Engine, all: bool) -> String {
    let games = &one.games;
    let names = &games[0].game.header().names;
    let mut text = format!("{}: {}\n\n", title_of(games), result_of(games));
    text += &figures(one, names);
    let worst = worst_first(games);
    if all {
        text += &every_decision(one);
    }
    if worst.is_empty() {
        text += "\nNo decision lost 0.04 points or more.\n";
    } else {
        text += "\nThe worst mistakes:\n";
    }
    for (place, &(game, index)) in worst.iter().take(WORST).enumerate() {
        let analysed = &games[game].decisions[index];
        text += &mistake(place + 1, game + 1, analysed, names);
    }
    if worst.len() > WORST {
        _ = writeln!(text, "  and {} more: --all or --html shows them", worst.len() - WORST);
    }
    text += &kinds(one, names);
    text += &footer(engine);
    if let Some(&(game, index)) = worst.first() {
        text += &go_on(&games[game].decisions[index]);
    }
    text
}

/// Both players' figures, a line each.
fn figures(one: &AnalysedMatch, names: &[String; 2]) -> String {
    let games = &one.games;
    let wide = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let in_match = final_score(games).length.is_some();
    let unit = if in_match { "% MWC" } else { "points" };
    let mut text = format!(
        "{:wide$}     PR  {:14}  ??   ?  ?!  decisions  by plays, {unit:6}   by cube, {unit:6}    luck, {unit}\n",
        "", "rating"
    );
    for (name, summary) in names.iter().zip(summaries(games)) {
        let Summary {
            plays,
            calls,
            play_loss,
            call_loss,
            mistakes: [a, b, c],
            cost,
            luck,
            luck_utility,
        } = summary;
        let factor = if in_match { 100.0 } else { 1.0 };
        let pr = summary.pr();
        let word = pr.map_or("", |pr| PlayerRating::word(pr, plays + calls));
        let pr = pr.map_or_else(|| "–".to_owned(), |pr| format!("{pr:.2}"));
        _ = writeln!(
            text,
            "{name:wide$}  {pr:>5}  {word:14} {c:>3} {b:>3} {a:>3}  {:>9}  {play_loss:>8.3} {:>8.1}  {call_loss:>8.3} {:>8.1}  {luck:>+7.3} {:>+6.1}",
            plays + calls,
            cost[0] * factor,
            cost[1] * factor,
            luck_utility * factor,
        );
    }
    match luck_adjusted(games) {
        Some(x) if in_match => {
            let (own, other) = (100.0 * x, 100.0 * (1.0 - x));
            _ = writeln!(
                text,
                "without luck: {} {own:.0} %, {} {other:.0} % (an estimate whose noise can pass 0 or 100 %)",
                names[0], names[1]
            );
        }
        Some(x) => {
            _ = writeln!(text, "without luck: {} {x:+.2} points in the finished games", names[0]);
        }
        None => text += "without luck: not known, the end or a game of the match is missing\n",
    }
    text
}

/// A mistake in two lines: what it was, and its position.
fn mistake(place: usize, game: usize, analysed: &AnalysedDecision, names: &[String; 2]) -> String {
    let (said, better) = decision_of(analysed);
    let cost = cost_of(analysed).replace('\u{2212}', "-");
    let cost = if cost.is_empty() { cost } else { format!(" ({cost})") };
    let rolled = analysed.rollout.as_ref().map_or_else(String::new, |rolled| {
        format!(
            ", rolled out: ± {:.3}, the search said {:.3}",
            Z95 * rolled.lost.stderr,
            rolled.searched_loss
        )
    });
    format!(
        "{place:>3}. {:2} -{:.3}{cost}  {}, game {game} roll {}: {said}; better: {better}{rolled}\n     {}\n",
        analysed.severity().symbol(),
        analysed.loss(),
        names[analysed.player.index()],
        analysed.number,
        analysed.state().xgid()
    )
}

/// Losses by kind of decision and by class.
fn kinds(one: &AnalysedMatch, names: &[String; 2]) -> String {
    let games = &one.games;
    let groups = Seat::BOTH.map(|seat| by_group(games, seat));
    let classes = Seat::BOTH.map(|seat| by_class(games, seat));
    let [a, b] = names;
    let mut text = format!("\nPR (decisions) by kind and class: {a}, {b}\n");
    let cell = |tally: Option<&Tally>| {
        let found = tally.and_then(|tally| Some((tally.pr()?.mean, tally.decisions)));
        found.map_or_else(|| "–".to_owned(), |(pr, n)| format!("{pr:.1} ({n})"))
    };
    for (index, group) in DecisionGroup::ALL.iter().enumerate() {
        let [x, o] = [0, 1].map(|side: usize| cell(Some(&groups[side][index].1)));
        _ = writeln!(text, "  {:12} {x:>14} {o:>14}", group.name());
    }
    for class in nonet::class::Class::all() {
        let found = [0, 1].map(|side: usize| classes[side].iter().find(|row| row.0 == class));
        if found.iter().any(Option::is_some) {
            let [x, o] = found.map(|row| cell(row.map(|row| &row.1)));
            _ = writeln!(text, "  {:12} {x:>14} {o:>14}", class.slug());
        }
    }
    text
}

fn footer(engine: &Engine) -> String {
    format!(
        "\nanalysed at {}; losses in points on a cube at 1; ?! doubtful from {}, ? bad from {}, ?? very bad from {}\n\
         PR is 500 times the mean loss of a decision; words after eXtreme Gammon's scale: {}\n",
        engine.plies(),
        Severity::Doubtful.limit(),
        Severity::Bad.limit(),
        Severity::VeryBad.limit(),
        PlayerRating::scale()
    )
}

/// The commands that look at a position again.
fn go_on(analysed: &AnalysedDecision) -> String {
    let xgid = analysed.state().xgid();
    let question = match analysed.what {
        DecisionKind::Play(_) => "hint",
        DecisionKind::CubeCall(_) => "cube",
    };
    format!(
        "\ngo on, here with the worst mistake:\n  nonet {question} {xgid}\n  nonet rollout {xgid}\n  nonet analyse FILE --html FILE.html --rollout blunders\n"
    )
}

/// All decisions of all games.
fn every_decision(one: &AnalysedMatch) -> String {
    let names = &one.games[0].game.header().names;
    let wide = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (number, analysis) in (1..).zip(&one.games) {
        _ = writeln!(text, "\nGame {number}: {}", score_of(&analysis.game));
        for analysed in &analysis.decisions {
            text += &line(analysed, &names[analysed.player.index()], wide);
        }
    }
    text
}

fn line(analysed: &AnalysedDecision, name: &str, wide: usize) -> String {
    let (said, better) = decision_of(analysed);
    let luck = match &analysed.what {
        DecisionKind::CubeCall(call) if !analysed.counts() && call.loss == 0.0 => {
            return String::new();
        }
        DecisionKind::CubeCall(_) => String::new(),
        DecisionKind::Play(play) => format!("luck {:+.3}", play.luck),
    };
    let (mark, loss) = (analysed.severity().symbol(), analysed.loss());
    let loss_text = if loss >= 0.0005 { format!("-{loss:.3}") } else { String::new() };
    let better = if analysed.severity() > Severity::Fine {
        format!("  better: {better}")
    } else {
        String::new()
    };
    let row = format!(
        "{:>4}. {name:wide$}  {said:<32} {loss_text:>7} {mark:2} {luck:11}{better}",
        analysed.number
    );
    row.trim_end().to_owned() + "\n"
}

/// One player over many matches.
pub(super) fn of_player(player: &str, matches: &[AnalysedMatch], engine: &Engine) -> String {
    let own: Vec<(Seat, &AnalysedMatch)> =
        matches.iter().filter_map(|one| Some((side_of(one, player)?, one))).collect();
    let mut text = format!(
        "   #     PR  {:14}  ??   ?  ?!  {:16}  result              file\n",
        "rating", "opponent"
    );
    let mut whole = Tally::default();
    let mut groups = DecisionGroup::ALL.map(|group| (group, Tally::default()));
    for (place, (seat, one)) in own.iter().enumerate() {
        let all = one.games.iter().flat_map(|game| &game.decisions);
        let tally = Tally::of(all.filter(|analysed| analysed.player == *seat));
        whole = whole.plus(&tally);
        for (sum, (_, part)) in groups.iter_mut().zip(by_group(&one.games, *seat)) {
            sum.1 = sum.1.plus(&part);
        }
        let (pr, word) = rating(&tally);
        let [a, b, c] = tally.mistakes;
        let opponent = &one.games[0].game.header().names[seat.other().index()];
        let score = final_score(&one.games);
        let [mine, theirs] = [*seat, seat.other()].map(|seat| score.points[seat.index()]);
        let result = match (score.length, score.winner) {
            (Some(length), Some(winner)) if winner == *seat => {
                format!("won {mine}-{theirs} to {length}")
            }
            (Some(length), Some(_)) => format!("lost {mine}-{theirs} to {length}"),
            (Some(length), None) => format!("open {mine}-{theirs} to {length}"),
            (None, _) => format!("money {mine}-{theirs}"),
        };
        _ = writeln!(
            text,
            "{:>4}  {pr:>5}  {word:14} {c:>3} {b:>3} {a:>3}  {opponent:16}  {result:18}  {}",
            place + 1,
            one.file
        );
    }
    let (pr, word) = rating(&whole);
    let interval = whole.pr().map_or_else(String::new, |pr| {
        let (low, high) = pr.interval95();
        format!(", 95 % interval {:.2} to {high:.2}", low.max(0.0))
    });
    let [a, b, c] = whole.mistakes;
    let s = if own.len() == 1 { "" } else { "es" };
    _ = writeln!(
        text,
        "\n{player}: PR {pr} ({word}){interval} in {} match{s}, {} decisions: {c} ??, {b} ?, {a} ?!",
        own.len(),
        whole.decisions
    );
    for (group, tally) in groups {
        if let Some(pr) = tally.pr() {
            _ = writeln!(
                text,
                "  {:12} PR {:>6.2} in {} decisions",
                group.name(),
                pr.mean,
                tally.decisions
            );
        }
    }
    let worst = own.iter().flat_map(|(seat, one)| {
        let of = move |&(game, index): &(usize, usize)| {
            let analysed = &one.games[game].decisions[index];
            (analysed.player == *seat).then_some((analysed, *one, game))
        };
        worst_first(&one.games).iter().filter_map(of).collect::<Vec<_>>()
    });
    let mut worst: Vec<(&AnalysedDecision, &AnalysedMatch, usize)> = worst.collect();
    worst.sort_by(|a, b| b.0.loss().total_cmp(&a.0.loss()));
    if !worst.is_empty() {
        text += "\nThe worst mistakes:\n";
    }
    for (place, (analysed, one, game)) in worst.iter().take(WORST / 2).enumerate() {
        text += &mistake(place + 1, game + 1, analysed, &one.games[0].game.header().names);
        _ = writeln!(text, "     {}", one.file);
    }
    text += &footer(engine);
    if let Some((analysed, ..)) = worst.first() {
        text += &go_on(analysed);
    }
    text
}

fn rating(tally: &Tally) -> (String, &'static str) {
    let pr = tally.pr().map(|pr| pr.mean as f32);
    let word = match pr {
        None => "",
        Some(pr) => PlayerRating::word(pr, tally.decisions),
    };
    (pr.map_or_else(|| "–".to_owned(), |pr| format!("{pr:.2}")), word)
}

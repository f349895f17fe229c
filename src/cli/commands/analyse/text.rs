//! The analysis in words: the result, the worst mistakes first, and how to go on.

use std::fmt::Write as _;
use std::path::Path;

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

use crate::cli::output::shell_word::shell_word;
use crate::cli::output::terminal::Terminal;

/// How many mistakes are listed.
const WORST: usize = 20;

/// One match; with `all` every decision besides the mistakes. `options` are those of the engine on
/// the command line.
pub(super) fn of_match(
    one: &AnalysedMatch,
    engine: &Engine,
    options: &str,
    all: bool,
    terminal: Terminal,
) -> String {
    let games = &one.games;
    let names = &games[0].game.header().names;
    let mut text = format!("{}: {}\n\n", title_of(games), result_of(games));
    text += &figures(one, names, terminal);
    let worst = worst_first(games);
    if all {
        text += &every_decision(one, terminal);
    }
    if worst.is_empty() {
        let limit = Severity::Doubtful.limit();
        text += &format!("\nNo decision lost {limit} points or more.\n");
    } else {
        text += "\nThe worst mistakes:\n";
    }
    for (place, &(game, index)) in worst.iter().take(WORST).enumerate() {
        let analysed = &games[game].decisions[index];
        text += &mistake(place + 1, game + 1, analysed, names, terminal);
    }
    if worst.len() > WORST {
        _ = writeln!(text, "  and {} more: --all or --html shows them", worst.len() - WORST);
    }
    text += &kinds(one, names);
    text += &footer(engine);
    if let Some(&(game, index)) = worst.first() {
        text += &go_on(&games[game].decisions[index], options);
    }
    terminal.folded(&text)
}

/// Both players' figures, as on the page.
fn figures(one: &AnalysedMatch, names: &[String; 2], terminal: Terminal) -> String {
    let games = &one.games;
    let in_match = final_score(games).length.is_some();
    let (factor, decimals, unit) = if in_match { (100.0, 1, "% MWC") } else { (1.0, 2, "points") };
    let sides = summaries(games);
    let tallies = Seat::BOTH.map(|seat| Tally::of_player(games, seat));
    let lost = |loss: f32, cost: f32| format!("{loss:.3} ({:.decimals$} {unit})", cost * factor);
    let luck = |side: &Summary| {
        format!("{:+.3} ({:+.decimals$} {unit})", side.luck, side.luck_utility * factor)
    };
    let mut rows = vec![
        ("", names.clone()),
        ("PR", tallies.each_ref().map(pr_of)),
        ("rating", tallies.each_ref().map(|tally| word_of(tally).to_owned())),
        ("mistakes", tallies.each_ref().map(|tally| mistakes(tally.mistakes))),
        ("decisions", sides.each_ref().map(|side| (side.plays + side.calls).to_string())),
        ("lost by plays", sides.each_ref().map(|side| lost(side.play_loss, side.cost[0]))),
        ("lost by the cube", sides.each_ref().map(|side| lost(side.call_loss, side.cost[1]))),
        ("luck", sides.each_ref().map(luck)),
    ];
    let adjusted = luck_adjusted(games);
    if let Some(x) = adjusted {
        let both = match in_match {
            true => [x, 1.0 - x].map(|x| format!("{:.0} %", 100.0 * x)),
            false => [x, -x].map(|x| format!("{x:+.2} points")),
        };
        rows.push(("without luck", both));
    }
    let widths = [0, 1].map(|side: usize| {
        rows.iter().map(|(_, cells)| cells[side].chars().count()).max().unwrap_or(0)
    });
    let mut text = String::new();
    for (what, [x, o]) in &rows {
        let row = format!("{what:16}  {x:0$}  {o:1$}", widths[0], widths[1]);
        _ = writeln!(text, "{}", row.trim_end());
    }
    let text = terminal.table(&text);
    text + match adjusted {
        Some(_) if in_match => "the noise of the result without luck can pass 0 or 100 %\n",
        Some(_) => "",
        None => "without luck: not known, the end or a game of the match is missing\n",
    }
}

/// The PR with half the width of its 95 % interval, which a single decision does not have.
fn pr_of(tally: &Tally) -> String {
    match tally.pr() {
        None => "–".to_owned(),
        Some(pr) if pr.stderr.is_finite() => format!("{:.2} ± {:.2}", pr.mean, pr.half95()),
        Some(pr) => format!("{:.2}", pr.mean),
    }
}

fn word_of(tally: &Tally) -> &'static str {
    tally.pr().map_or("", |pr| PlayerRating::word(pr.mean as f32, tally.decisions))
}

/// The numbers of marked decisions.
fn mistakes([doubtful, bad, very_bad]: [u32; 3]) -> String {
    format!("{very_bad} ??, {bad} ?, {doubtful} ?!")
}

/// A mistake in two lines: what it was, and its position.
pub(super) fn mistake(
    place: usize,
    game: usize,
    analysed: &AnalysedDecision,
    names: &[String; 2],
    terminal: Terminal,
) -> String {
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
    let loss = format!("{:2} -{:.3}", analysed.severity().symbol(), analysed.loss());
    format!(
        "{place:>3}. {}{cost}  {}, game {game} roll {}: {said}; better: {better}{rolled}\n     {}\n",
        terminal.severity(analysed.severity(), &loss),
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
         PR is 500 times the mean loss of a decision, ± half its 95 % interval; words after eXtreme Gammon's scale: {}\n",
        engine.depth().in_words(),
        Severity::Doubtful.limit(),
        Severity::Bad.limit(),
        Severity::VeryBad.limit(),
        PlayerRating::scale()
    )
}

/// The commands that look at a position again, with the options of the engine.
fn go_on(analysed: &AnalysedDecision, options: &str) -> String {
    let xgid = shell_word(Path::new(&analysed.state().xgid()));
    let question = match analysed.what {
        DecisionKind::Play(_) => "hint",
        DecisionKind::CubeCall(_) => "cube",
    };
    format!(
        "\ngo on, here with the worst mistake:\n  nonet {question} {xgid}{options}\n  \
         nonet rollout {xgid}{options}\n  \
         nonet analyse FILE --html FILE.html --rollout blunders{options}\n"
    )
}

/// All decisions of all games.
fn every_decision(one: &AnalysedMatch, terminal: Terminal) -> String {
    let names = &one.games[0].game.header().names;
    let wide = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (number, analysis) in (1..).zip(&one.games) {
        _ = writeln!(text, "\nGame {number}: {}", score_of(&analysis.game));
        for analysed in &analysis.decisions {
            text += &line(analysed, &names[analysed.player.index()], wide, terminal);
        }
    }
    text
}

fn line(analysed: &AnalysedDecision, name: &str, wide: usize, terminal: Terminal) -> String {
    let (said, better) = decision_of(analysed);
    let luck = match &analysed.what {
        DecisionKind::CubeCall(call) if !analysed.counts() && call.loss == 0.0 => {
            return String::new();
        }
        DecisionKind::CubeCall(_) => None,
        DecisionKind::Play(play) => Some(play.luck),
    };
    let (severity, loss) = (analysed.severity(), analysed.loss());
    let loss = if loss >= 0.0005 { format!("-{loss:.3}") } else { String::new() };
    let loss = terminal.severity(severity, &format!("{loss:>7} {:2}", severity.symbol()));
    let luck = luck.map_or_else(String::new, |luck| {
        terminal.luck(luck, &format!("{:11}", format!("luck {luck:+.3}")))
    });
    let better =
        if severity > Severity::Fine { format!("  better: {better}") } else { String::new() };
    let row = format!("{:>4}. {name:wide$}  {said:<32} {loss} {luck:11}{better}", analysed.number);
    row.trim_end().to_owned() + "\n"
}

/// One player over many matches. `options` are those of the engine on the command line.
pub(super) fn of_player(
    player: &str,
    matches: &[AnalysedMatch],
    engine: &Engine,
    options: &str,
    terminal: Terminal,
) -> String {
    let own: Vec<(Seat, &AnalysedMatch)> =
        matches.iter().filter_map(|one| Some((side_of(one, player)?, one))).collect();
    let mut text =
        format!("   #  {:14}  ??   ?  ?!  {:18}  {:16}  file\n", "PR ± 95 %", "result", "opponent");
    let mut whole = Tally::default();
    let mut groups = DecisionGroup::ALL.map(|group| (group, Tally::default()));
    for (place, (seat, one)) in own.iter().enumerate() {
        let tally = Tally::of_player(&one.games, *seat);
        whole = whole.plus(&tally);
        for (sum, (_, part)) in groups.iter_mut().zip(by_group(&one.games, *seat)) {
            sum.1 = sum.1.plus(&part);
        }
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
            "{:>4}  {:14} {c:>3} {b:>3} {a:>3}  {result:18}  {opponent:16}  {}",
            place + 1,
            pr_of(&tally),
            one.file
        );
    }
    let mut text = terminal.table(&text);
    let s = if own.len() == 1 { "" } else { "es" };
    _ = writeln!(
        text,
        "\n{player}: PR {} ({}) in {} match{s}, {} decisions: {}",
        pr_of(&whole),
        word_of(&whole),
        own.len(),
        whole.decisions,
        mistakes(whole.mistakes)
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
        let names = &one.games[0].game.header().names;
        text += &mistake(place + 1, game + 1, analysed, names, terminal);
        _ = writeln!(text, "     {}", one.file);
    }
    text += &footer(engine);
    if let Some((analysed, ..)) = worst.first() {
        text += &go_on(analysed, options);
    }
    terminal.folded(&text)
}

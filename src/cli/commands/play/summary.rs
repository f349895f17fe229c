//! The end of a match: its result, and the errors and luck of both players.

use std::io::Write;

use nonet::analysis::{Summary, analyse, decisions_in};
use nonet::backgammon::Seat;
use nonet::engine::Engine;
use nonet::game::MatchSession;

use crate::cli::interrupt::interruptible;
use crate::cli::output::progress_bar::show_progress;

/// The result in words, the winner's points first.
pub(super) fn result(session: &MatchSession, winner: Seat) -> String {
    let score = session.score();
    let (won, lost) = (score[winner.index()], score[winner.other().index()]);
    let name = &session.names()[winner.index()];
    match name.as_str() {
        "you" => format!("You win the match, {won} to {lost}."),
        name => format!("{name} wins the match, {won} to {lost}."),
    }
}

/// PR, mistakes and luck of both players, the person first; nothing if no decision counts.
pub(super) fn summary(
    session: &MatchSession,
    engine: &Engine,
    person: Seat,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let games = session.games();
    if games.iter().all(|game| game.turns().next().is_none()) {
        return Ok(());
    }
    let progress = interruptible();
    let analysed = show_progress("decisions", decisions_in(&games), &progress, |progress| {
        engine.install(|| analyse(&games, engine, progress))
    });
    let Some(analysed) = analysed? else {
        writeln!(out, "Interrupted: this match has no figures.\n")?;
        return Ok(());
    };
    let of = |seat: Seat| {
        analysed.iter().fold(Summary::default(), |sum, game| sum.plus(&game.summary(seat)))
    };
    let names = &session.names();
    let wide = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).clamp(6, 20);
    writeln!(out, "{:wide$}  decisions     PR    ?!     ?    ??     luck", "")?;
    for seat in [person, person.other()] {
        let summary = of(seat);
        let pr = summary.pr().map_or("-".to_owned(), |pr| format!("{pr:.2}"));
        let [doubtful, bad, very_bad] = summary.mistakes;
        let decisions = summary.plays + summary.calls;
        let name: String = names[seat.index()].chars().take(wide).collect();
        writeln!(
            out,
            "{name:wide$}  {decisions:>9} {pr:>6} {doubtful:>5} {bad:>5} {very_bad:>5} {:>+8.3}",
            summary.luck
        )?;
    }
    writeln!(
        out,
        "judged by the net at {}; PR is 500 times the mean loss of a\ndecision, luck in points per game\n",
        engine.plies()
    )?;
    Ok(())
}

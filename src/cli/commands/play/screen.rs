//! What a person sees: the board, hints, and colours where the terminal has them. Everything fits
//! into 60 columns.

use std::io::IsTerminal;

use nonet::backgammon::{CubeOwner, Scoring, Seat};
use nonet::cube::CubeDecision;
use nonet::engine::ScoredMove;
use nonet::game::MatchSession;

/// Colours, if the output is a terminal and `NO_COLOR` (<https://no-color.org>) is not set.
#[derive(Clone, Copy)]
pub(super) struct Paint(bool);

impl Paint {
    pub(super) fn of_environment() -> Paint {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Paint(std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// A question.
    pub(super) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// What is wrong, in lines of at most 78 characters where the words allow it.
    pub(super) fn error(self, text: &str) -> String {
        self.paint("31", &text.lines().map(folded).collect::<Vec<_>>().join("\n"))
    }

    /// The checkers of a drawn board.
    fn checkers(self, drawn: &str) -> String {
        if !self.0 {
            return drawn.to_owned();
        }
        let mut painted = String::new();
        for line in drawn.split_inclusive('\n') {
            let board = line.starts_with('|');
            for c in line.chars() {
                match c {
                    'X' if board => painted += "\x1b[1;36mX\x1b[0m",
                    'O' if board => painted += "\x1b[1;33mO\x1b[0m",
                    c => painted.push(c),
                }
            }
        }
        painted
    }
}

/// The board with the person's checkers as X, the score and the cube.
pub(super) fn board(session: &MatchSession, person: Seat, paint: Paint) -> String {
    let drawn = session.state().seen_by(person).to_string();
    let drawn = drawn.trim_end_matches("  X to play");
    let score = session.score();
    let (own, net) = (score[person.index()], score[person.other().index()]);
    let cube = session.cube(person);
    let owner = match cube.owner() {
        CubeOwner::Centred => "centred",
        CubeOwner::Own => "yours",
        CubeOwner::Opponent => "nonet's",
    };
    let scoring = scoring_in_words(session.scoring(person));
    format!(
        "\n{}\nYou {own}, nonet {net}, {scoring}; cube {} {owner}\n",
        paint.checkers(drawn),
        cube.value()
    )
}

/// Money and its rules, or the length of the match.
pub(super) fn scoring_in_words(scoring: Scoring) -> String {
    match scoring {
        Scoring::Money { jacoby, beavers } => {
            let rule = |on: bool, name| if on { name } else { "" };
            format!("money{}{}", rule(jacoby, ", Jacoby"), rule(beavers, ", beavers"))
        }
        Scoring::Match(score) => {
            let game = if score.is_crawford() { ", Crawford game" } else { "" };
            format!("match to {}{game}", score.length())
        }
    }
}

/// A play in words.
pub(super) fn in_words(scored: &ScoredMove) -> String {
    let play = scored.play().to_string();
    if play.is_empty() { "cannot move".to_owned() } else { play }
}

/// The best plays, numbered.
pub(super) fn hints(plays: &[ScoredMove], shown: usize) -> String {
    let best = plays.first().map_or(0.0, |play| play.equity);
    let mut text = format!(
        "    {:22} {:>6} {:>8} {:>5} {:>5} {:>5}\n",
        "", "equity", "loss", "win", "won g", "lost g"
    );
    let Some(mut plies) = plays.first().map(|play| play.plies) else { return text };
    for (n, play) in (1..).zip(plays.iter().take(shown)) {
        let [win, gammons, _, lost, _] = play.value.cumulative().map(|chance| 100.0 * chance);
        if plies != play.plies {
            plies = play.plies;
            text += &format!("    ---- at {plies} only ----\n");
        }
        let loss = if n == 1 { String::new() } else { format!("({:+.3})", play.equity - best) };
        text += &format!(
            "{n:>2}. {:22} {:+.3} {loss:>8} {win:5.1} {gammons:5.1} {lost:5.1}\n",
            in_words(play),
            play.equity
        );
    }
    text
}

/// A cube decision with its equities.
pub(super) fn cube_hint(decision: &CubeDecision) -> String {
    let word = if decision.redouble { "redouble" } else { "double" };
    format!(
        "  {decision}\n  no {word:<15} {:+.3}\n  {:<18} {:+.3}\n  {:<18} {:+.3}\n",
        decision.no_double,
        format!("{word}, take"),
        decision.double_take,
        format!("{word}, pass"),
        decision.double_pass
    )
}

/// A line folded at spaces.
fn folded(line: &str) -> String {
    const WIDTH: usize = 78;
    let (mut text, mut column) = (String::new(), 0);
    for word in line.split_inclusive(' ') {
        let length = word.trim_end().chars().count();
        if column > 0 && column + length > WIDTH {
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
            column = 0;
        }
        text += word;
        column += word.chars().count();
    }
    text
}

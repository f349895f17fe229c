//! A session: asks cards, judges answers, and keeps them.

use std::io::{self, IsTerminal, Write};

use nonet::analysis::Severity;
use nonet::backgammon::{GameState, Seat, Turn, candidates};
use nonet::engine::Engine;
use nonet::practice::{
    Card, CardOrigin, Deck, DeckFile, Draw, Grade, Judged, PracticeSession, judge_card,
    question_in_words, score_in_words, why_best,
};
use nonet::progress::Progress;

use super::Args;
use super::list::until;
use crate::cli::interrupt::interruptible;
use crate::cli::output::counted::counted;
use crate::cli::output::progress_bar::ProgressDisplay;
use crate::cli::output::terminal::Terminal;
use crate::cli::typing::{Lines, Typed};

/// The file of the lines that were typed.
pub(super) const HISTORY: &str = "practise-history.txt";
/// The longest line of an explanation.
pub(super) const LINE: usize = 78;

const HELP: &str = "\
Answers and commands:
  8/5 6/5       play; bar/20, 6/off, 13/7*, 6/4(2)
  double, roll  whether to double (d, r)
  take, pass    answer a double (t, p)
  skip          the next card (s)
  board, id     show the board (b); show its XGID
  quit          stop; every answer is kept (q, Ctrl-D, Ctrl-C)\n";

/// A session and where it is kept.
struct Practice<'a> {
    args: &'a Args,
    engine: &'a Engine,
    file: DeckFile,
    deck: Deck,
    session: PracticeSession,
    terminal: Terminal,
}

/// Asks the cards that are due, and new positions.
pub(super) fn run(
    args: &Args,
    engine: &Engine,
    file: DeckFile,
    mut deck: Deck,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let terminal = Terminal::of_stdout();
    if !io::stdin().is_terminal() {
        writeln!(io::stderr(), "standard input is no terminal: answers are read from it by line")?;
    }
    let due = deck.due(args.now()).len();
    let mut cards: Vec<Card> = deck.due(args.now()).into_iter().take(args.cards).cloned().collect();
    let asked = cards.len();
    cards.extend(new_positions(args, engine, &file, &mut deck)?);
    let new = cards.len() - asked;
    writeln!(
        out,
        "{}: {}, {due} due; this session has {asked} of them and {}. ? explains.",
        deck.player,
        counted(deck.cards.len(), "card"),
        counted(new, "new position")
    )?;
    let session = PracticeSession::new(cards);
    let mut practice = Practice { args, engine, file, deck, session, terminal };
    practice.ask_all(out)?;
    practice.goodbye(out)
}

/// New positions, openings or of the kinds that have cost most: first those that wait for an
/// answer.
fn new_positions(
    args: &Args,
    engine: &Engine,
    file: &DeckFile,
    deck: &mut Deck,
) -> anyhow::Result<Vec<Card>> {
    // Others that wait do not take the place of openings.
    let waiting = if args.openings { 0 } else { deck.drawn.len() };
    let missing = args.new.saturating_sub(waiting).min(deck.can_wait());
    let mut openings = Vec::new();
    if missing > 0 {
        let seed = args.seed.unwrap_or_else(|| args.now().unsigned_abs());
        let mut draw = match args.openings {
            true => Draw::of_openings(deck, seed),
            false => Draw::of_costliest(deck, seed),
        };
        let cards = drawn(&mut draw, missing, engine, &interruptible());
        if args.openings {
            openings.clone_from(&cards);
        }
        deck.keep_drawn(cards);
        file.save(deck)?;
    }
    Ok(match args.openings {
        true => openings,
        false => deck.drawn.iter().take(args.new).cloned().collect(),
    })
}

/// Draws up to `count` positions, with progress; fewer if no more are found, or after Ctrl-C.
pub(super) fn drawn(
    draw: &mut Draw,
    count: usize,
    engine: &Engine,
    progress: &Progress,
) -> Vec<Card> {
    let mut display = ProgressDisplay::new("positions", 0, count as u64);
    let cards = engine.install(|| {
        let mut found = 0;
        draw.draw(count, engine, progress, |_| {
            found += 1;
            display.at(found);
        })
    });
    display.end();
    cards
}

impl Practice<'_> {
    fn ask_all(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if self.session.card().is_none() {
            return Ok(());
        }
        let lines = Lines::of_standard_input(self.terminal, HISTORY);
        while let Some(card) = self.session.card().cloned() {
            let state = card.state()?;
            self.show(&state, out)?;
            loop {
                let question = format!("{} ", question_in_words(&state));
                let line = match lines.ask(&question, || choices(&state, &["skip"]), out)? {
                    Typed::Line(line) => line,
                    Typed::End | Typed::Interrupted => {
                        writeln!(out)?;
                        return Ok(());
                    }
                };
                lines.echo(&line, out)?;
                match line.to_lowercase().as_str() {
                    "" => {}
                    "q" | "quit" | "exit" => return Ok(()),
                    "?" | "help" | "h" => out.write_all(HELP.as_bytes())?,
                    "b" | "board" => self.show(&state, out)?,
                    "id" | "xgid" => writeln!(out, "{}", card.xgid)?,
                    "s" | "skip" => {
                        self.session.skip();
                        break;
                    }
                    _ => match judge_card(self.engine, &card, &line) {
                        Ok(judged) => {
                            self.keep(&card, &state, &judged, out)?;
                            break;
                        }
                        Err(error) => {
                            let told = self.terminal.at_most(LINE).folded(&error.to_string());
                            writeln!(out, "{}", self.terminal.error(&told))?;
                        }
                    },
                }
            }
        }
        Ok(())
    }

    fn show(&self, state: &GameState, out: &mut impl Write) -> io::Result<()> {
        let left = format!("{} to go", counted(self.session.left(), "card"));
        asked(self.terminal, state, &left, out)
    }

    /// Keeps an answer, and tells what it was worth.
    fn keep(
        &mut self,
        card: &Card,
        state: &GameState,
        judged: &Judged,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let memory = self.deck.answered(card, judged, self.args.now());
        self.file.save(&self.deck)?;
        self.session.answered(judged);
        let severity = Severity::of(judged.loss);
        let verdict = match judged.grade {
            Grade::Again => {
                format!("{} {} loses {:.3}.", severity.symbol(), judged.answer, judged.loss)
            }
            _ if judged.loss > 0.0 => {
                format!("Right: {} loses {:.3}.", judged.answer, judged.loss)
            }
            _ => format!("Right: {}.", judged.answer),
        };
        writeln!(out, "{}", self.terminal.severity(severity, &verdict))?;
        let wide =
            judged.equities.iter().map(|figure| figure.decision.chars().count()).max().unwrap_or(0);
        for figure in &judged.equities {
            let (name, equity, plies) = (&figure.decision, figure.equity, figure.plies);
            writeln!(out, "  {name:wide$}  {equity:+.3}  {plies}")?;
        }
        if state.dice().is_none() {
            writeln!(out, "  best: {}", judged.best)?;
        }
        for sentence in why_best(self.engine, card, judged).iter().flat_map(|why| &why.sentences) {
            write!(out, "{}", self.terminal.at_most(LINE).folded(&format!("{sentence}\n")))?;
        }
        let origin = match &card.origin {
            CardOrigin::Match { opponent, game, roll, .. } => format!(
                "{}. Against {opponent}, game {game}, roll {roll}: {} lost {:.3}.",
                card.kind.words(),
                card.made,
                card.loss
            ),
            CardOrigin::SelfPlay => format!("{}. A new position.", card.kind.words()),
        };
        write!(out, "{}", self.terminal.at_most(LINE).folded(&format!("{origin}\n")))?;
        match (memory, judged.grade) {
            (_, Grade::Again) => writeln!(out, "It comes again in this session."),
            (Some(memory), _) => {
                writeln!(out, "It comes again {}.", until(memory.due, self.args.now()))
            }
            (None, _) => Ok(()),
        }?;
        Ok(())
    }

    fn goodbye(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let PracticeSession { answers, right, loss, .. } = &self.session;
        if *answers > 0 {
            let mean = loss / f64::from(*answers);
            writeln!(
                out,
                "\n{}, {right} right, mean loss {mean:.3}. Every answer is kept.",
                counted(*answers as usize, "answer")
            )?;
        }
        let now = self.args.now();
        match (self.deck.due(now).len(), self.deck.next_due()) {
            (0, Some(next)) => {
                writeln!(out, "No card is due; the next comes {}.", until(next, now))?
            }
            (0, None) if !self.deck.drawn.is_empty() => {
                let waiting = counted(self.deck.drawn.len(), "new position");
                writeln!(out, "Waiting: {waiting}. Go on with: {}", self.args.go_on(""))?;
            }
            (0, None) => writeln!(out, "There are no cards.")?,
            (due, _) => {
                let are = if due == 1 { "is" } else { "are" };
                let go_on = self.args.go_on("");
                writeln!(out, "{} {are} due. Go on with: {go_on}", counted(due, "card"))?;
            }
        }
        Ok(())
    }
}

/// Shows the board of a question, and where the session stands.
pub(super) fn asked(
    terminal: Terminal,
    state: &GameState,
    at: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    let drawn = state.board(Seat::X).to_string();
    let drawn = drawn.trim_end_matches("  X to play").trim_end_matches("  O to play");
    writeln!(out, "\n{}\n{}; {at}", terminal.checkers(drawn), score_in_words(state))
}

/// What completes an answer, with more words that are commands.
pub(super) fn choices(state: &GameState, more: &[&str]) -> Vec<String> {
    let own: Vec<String> = match state.state.turn {
        Turn::Rolled(dice) => {
            let plays = candidates(&state.position, dice);
            plays.iter().map(|candidate| candidate.play.to_string()).collect()
        }
        Turn::ToRoll => ["double", "roll"].map(str::to_owned).to_vec(),
        Turn::Offered(_) => ["take", "pass"].map(str::to_owned).to_vec(),
    };
    let commands = more.iter().chain(&["board", "id", "help", "quit"]);
    own.into_iter().chain(commands.map(|word| (*word).to_owned())).collect()
}

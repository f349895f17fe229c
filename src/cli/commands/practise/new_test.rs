//! A test: new positions, each asked once, without a word about the answers until the end.

use std::io::{self, IsTerminal, Write};

use nonet::engine::Engine;
use nonet::practice::{Deck, DeckFile, Draw, PracticeTest, judge_card, question_in_words};

use super::Args;
use super::list::{day, tests_in_text};
use super::session::{self, HISTORY, LINE, asked, choices};
use crate::cli::interrupt::interruptible;
use crate::cli::output::counted::counted;
use crate::cli::output::terminal::Terminal;
use crate::cli::typing::{Lines, Typed};

const HELP: &str = "\
A test tells nothing before its end. Every answer is kept; the test goes on with --test.
  8/5 6/5       play; bar/20, 6/off, 13/7*, 6/4(2)
  double, roll  whether to double (d, r)
  take, pass    answer a double (t, p)
  board, id     show the board (b); show its XGID
  quit          stop for now (q, Ctrl-D, Ctrl-C)\n";

/// Goes on with the open test, or draws a new one.
pub(super) fn run(
    args: &Args,
    engine: &Engine,
    file: &DeckFile,
    mut deck: Deck,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let terminal = Terminal::of_stdout();
    match deck.open_test() {
        Some(test) => {
            writeln!(out, "The test of {} goes on, with seed {}.", day(test.time), test.seed)?;
        }
        None => {
            let Some(test) = drawn(args, engine, &deck)? else {
                writeln!(out, "Stopped: no test was drawn.")?;
                return Ok(());
            };
            let count = counted(test.questions.len(), "new position");
            writeln!(out, "{}: a test of {count}, with seed {}.", deck.player, test.seed)?;
            deck.tests.push(test);
            file.save(&deck)?;
        }
    }
    writeln!(out, "Each is asked once, and the answers are told at the end. ? explains.")?;
    if !io::stdin().is_terminal() {
        writeln!(io::stderr(), "standard input is no terminal: answers are read from it by line")?;
    }
    let lines = Lines::of_standard_input(terminal, HISTORY);
    while let Some(test) = deck.open_test() {
        let Some(card) = test.card().cloned() else { break };
        let state = card.state()?;
        let at = format!("question {} of {}", test.answered() + 1, test.questions.len());
        let board = |out: &mut _| asked(terminal, &state, &at, out);
        board(out)?;
        loop {
            let question = format!("{} ", question_in_words(&state));
            let line = match lines.ask(&question, || choices(&state, &[]), out)? {
                Typed::Line(line) => line,
                Typed::End | Typed::Interrupted => return stopped(args, &deck, out),
            };
            lines.echo(&line, out)?;
            match line.to_lowercase().as_str() {
                "" => {}
                "q" | "quit" | "exit" => return stopped(args, &deck, out),
                "?" | "help" | "h" => out.write_all(HELP.as_bytes())?,
                "b" | "board" => board(out)?,
                "id" | "xgid" => writeln!(out, "{}", card.xgid)?,
                _ => match judge_card(engine, &card, &line) {
                    Ok(judged) => {
                        deck.test_answered(&judged, args.now());
                        file.save(&deck)?;
                        break;
                    }
                    Err(error) => {
                        let told = terminal.at_most(LINE).folded(&error.to_string());
                        writeln!(out, "{}", terminal.error(&told))?;
                    }
                },
            }
        }
    }
    if let Some(test) = deck.tests.last() {
        out.write_all(told(test, &deck, terminal).as_bytes())?;
    }
    Ok(())
}

/// A test that is drawn; `None` if Ctrl-C stopped it.
fn drawn(args: &Args, engine: &Engine, deck: &Deck) -> anyhow::Result<Option<PracticeTest>> {
    let seed = args.seed.unwrap_or_else(|| args.now().unsigned_abs());
    let progress = interruptible();
    let mut draw = Draw::for_test(deck, seed);
    let cards = session::drawn(&mut draw, args.questions, engine, &progress);
    if progress.is_stopped() {
        return Ok(None);
    }
    anyhow::ensure!(
        cards.len() == args.questions,
        "only {} for a test were found in self-play, and it needs {}: take up more matches, or \
         ask for fewer with --questions",
        counted(cards.len(), "position"),
        args.questions
    );
    Ok(Some(PracticeTest::new(cards, seed, args.now())))
}

fn stopped(args: &Args, deck: &Deck, out: &mut impl Write) -> anyhow::Result<()> {
    if let Some(test) = deck.open_test() {
        let left = counted(test.questions.len() - test.answered(), "question");
        writeln!(out, "\n{left} left. Go on with: {}", args.go_on(" --test"))?;
    }
    Ok(())
}

/// The answers with their losses, and the results of all tests.
fn told(test: &PracticeTest, deck: &Deck, terminal: Terminal) -> String {
    let mut text = format!("\n{:>2}  {:<24}  {:<24}  {:>6}\n", "", "your answer", "best", "loss");
    for (number, question) in (1..).zip(&test.questions) {
        let Some(answer) = &question.answer else { continue };
        let best = &question.card.best;
        text += &format!("{number:>2}  {:<24}  {best:<24}  {:>6.3}\n", answer.answer, answer.loss);
    }
    text += &tests_in_text(deck);
    terminal.fitted(&text)
}

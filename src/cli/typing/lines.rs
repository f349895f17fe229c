//! Lines that a person types, or that come from a pipe. Ctrl-C interrupts both.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use super::editor::LineEditor;
use crate::cli::interrupt::on_interrupt;
use crate::cli::output::terminal::Terminal;

/// How often Ctrl-C is looked for while nothing is typed.
const PAUSE: Duration = Duration::from_millis(30);

/// A typed line, or why there is none.
#[derive(Debug, PartialEq)]
pub(crate) enum Typed {
    Line(String),
    /// The end of the input: Ctrl-D, or the end of a pipe.
    End,
    /// Ctrl-C, or SIGTERM.
    Interrupted,
}

/// Standard input.
pub(crate) struct Lines {
    source: Source,
    stop: Arc<AtomicBool>,
    terminal: Terminal,
}

enum Source {
    Plain(Receiver<io::Result<String>>),
    Editor(LineEditor),
}

impl Lines {
    /// `history` names the file of the lines that were typed before, in the user's data folder.
    pub(crate) fn of_standard_input(terminal: Terminal, history: &str) -> Lines {
        let stop = on_interrupt();
        let editable = io::stdin().is_terminal() && io::stdout().is_terminal();
        let editor = if editable { LineEditor::open(history) } else { None };
        let source = editor.map_or_else(|| Source::Plain(plain_lines()), Source::Editor);
        Lines { source, stop, terminal }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Writes a line that was read from a pipe behind its prompt, where a terminal shows the typed
    /// line.
    pub(crate) fn echo(&self, line: &str, out: &mut impl Write) -> io::Result<()> {
        if io::stdin().is_terminal() { Ok(()) } else { writeln!(out, "{line}") }
    }

    /// Asks, and waits for the next line. The choices are what completes it.
    pub(crate) fn ask(
        &self,
        prompt: &str,
        choices: impl FnOnce() -> Vec<String>,
        out: &mut impl Write,
    ) -> io::Result<Typed> {
        let styled = self.terminal.bold(prompt);
        if let Source::Plain(_) = &self.source {
            write!(out, "{styled}")?;
        }
        // What came before the prompt is shown before the editor writes.
        out.flush()?;
        if let Source::Editor(editor) = &self.source {
            editor.ask(prompt, styled, choices());
        }
        loop {
            if self.is_interrupted() {
                if let Source::Editor(editor) = &self.source {
                    editor.give_up();
                }
                return Ok(Typed::Interrupted);
            }
            let typed = match &self.source {
                Source::Editor(editor) => editor.answer(PAUSE)?,
                Source::Plain(lines) => match lines.recv_timeout(PAUSE) {
                    Ok(line) => Some(line.map(Typed::Line)?),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => Some(Typed::End),
                },
            };
            if let Some(typed) = typed {
                return Ok(typed);
            }
        }
    }
}

/// Reads in a thread of its own, because a read from a terminal cannot be interrupted otherwise.
fn plain_lines() -> Receiver<io::Result<String>> {
    let (sender, lines) = sync_channel(1);
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let mut bytes = Vec::new();
            let read = input.read_until(b'\n', &mut bytes).map(|read| {
                let line = String::from_utf8_lossy(&bytes).trim().to_owned();
                (read > 0).then_some(line)
            });
            // There is no receiver once the match has ended.
            let Some(line) = read.transpose() else { break };
            let failed = line.is_err();
            if sender.send(line).is_err() || failed {
                break;
            }
        }
    });
    lines
}

//! The line editor of a terminal: editing, history and completion.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use rustyline::completion::Completer;
use rustyline::config::Config;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Context, Editor, Helper};

use super::lines::Typed;
use crate::cli::data_folder::users_data_folder;

/// Lines that the history keeps.
const HISTORY: usize = 500;

/// What may be typed next: whole lines.
#[derive(Default)]
struct Choices(Vec<String>);

impl Completer for Choices {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((0, completions(&self.0, &line[..cursor])))
    }
}

impl Helper for Choices {}
impl Highlighter for Choices {}
impl Hinter for Choices {
    type Hint = String;
}
impl Validator for Choices {}

/// The choices that begin like this, whatever the case and the number of spaces.
fn completions(choices: &[String], typed: &str) -> Vec<String> {
    let mut plain = typed.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    if typed.ends_with(' ') && !plain.is_empty() {
        plain.push(' ');
    }
    choices.iter().filter(|choice| choice.to_lowercase().starts_with(&plain)).cloned().collect()
}

/// What is asked: the prompt, and what may be typed.
struct Question {
    /// Without and with its style.
    prompt: (String, String),
    choices: Vec<String>,
}

/// Edits lines in a thread of its own, because reading from a terminal cannot be interrupted
/// otherwise.
pub(super) struct LineEditor {
    questions: Sender<Question>,
    answers: Receiver<io::Result<Typed>>,
    mode: TerminalMode,
}

impl LineEditor {
    /// `None` if standard input and output are no terminals that can be edited.
    pub(super) fn open(history: &str) -> Option<LineEditor> {
        let config = Config::builder()
            .max_history_size(HISTORY)
            .ok()?
            .auto_add_history(true)
            .completion_type(CompletionType::List)
            .bracketed_paste(false)
            .build();
        let mode = TerminalMode::of_stdin();
        let mut editor: Editor<Choices, DefaultHistory> = Editor::with_config(config).ok()?;
        editor.set_helper(Some(Choices::default()));
        let file = history_file(history);
        if let Some(file) = &file {
            // There is none yet, or it cannot be read: the history begins anew.
            let _ = editor.load_history(file);
        }
        let (questions, asked) = channel::<Question>();
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for Question { prompt, choices } in asked {
                if let Some(helper) = editor.helper_mut() {
                    helper.0 = choices;
                }
                let line = editor.readline(&prompt);
                if let (Ok(_), Some(file)) = (&line, &file) {
                    // A history that cannot be kept is no reason to stop.
                    let _ = editor.append_history(file);
                }
                if sender.send(typed(line)).is_err() {
                    break;
                }
            }
        });
        Some(LineEditor { questions, answers, mode })
    }

    /// Begins to ask; [`LineEditor::answer`] then waits.
    pub(super) fn ask(&self, prompt: &str, styled: String, choices: Vec<String>) {
        // The thread ends with this editor, or after a panic, which ends the program.
        let _ = self.questions.send(Question { prompt: (prompt.to_owned(), styled), choices });
    }

    /// The answer, if it comes in this time.
    pub(super) fn answer(&self, wait: Duration) -> io::Result<Option<Typed>> {
        match self.answers.recv_timeout(wait) {
            Ok(answer) => answer.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Ok(Some(Typed::End)),
        }
    }

    /// Leaves a question without an answer: the terminal is as it was before.
    pub(super) fn give_up(&self) {
        self.mode.restore();
    }
}

fn typed(line: rustyline::Result<String>) -> io::Result<Typed> {
    match line {
        Ok(line) => Ok(Typed::Line(line.trim().to_owned())),
        Err(ReadlineError::Eof) => Ok(Typed::End),
        Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => Ok(Typed::Interrupted),
        Err(ReadlineError::Io(error)) => Err(error),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// A file in the user's data folder, which is made; `None` where there is none.
fn history_file(name: &str) -> Option<PathBuf> {
    let folder = users_data_folder()?;
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join(name))
}

/// How the terminal treats what is typed, before anything is edited.
struct TerminalMode {
    #[cfg(unix)]
    mode: Option<rustix::termios::Termios>,
}

impl TerminalMode {
    #[cfg(unix)]
    fn of_stdin() -> TerminalMode {
        TerminalMode { mode: rustix::termios::tcgetattr(io::stdin()).ok() }
    }

    #[cfg(unix)]
    fn restore(&self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(mode) = &self.mode {
            // A terminal that is gone needs no mode.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, mode);
        }
    }

    #[cfg(not(unix))]
    const fn of_stdin() -> TerminalMode {
        TerminalMode {}
    }

    #[cfg(not(unix))]
    const fn restore(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_like_the_line_completes_it() {
        let choices = ["24/23 13/10", "24/20", "Bar/20", "roll", "resign gammon"];
        let choices = choices.map(str::to_owned);
        assert_eq!(completions(&choices, "24/2"), ["24/23 13/10", "24/20"]);
        assert_eq!(completions(&choices, "24/23  1"), ["24/23 13/10"]);
        assert_eq!(completions(&choices, "BAR"), ["Bar/20"]);
        assert_eq!(completions(&choices, "resign "), ["resign gammon"]);
        assert_eq!(completions(&choices, "roll "), [""; 0]);
        assert_eq!(completions(&choices, "").len(), choices.len());
    }
}

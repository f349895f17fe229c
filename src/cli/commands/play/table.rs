//! The match at the table: takes turns, lets the net act, and saves the match.

mod open;

use std::io::Write;
use std::path::PathBuf;

use nonet::backgammon::{Scoring, Stake};
use nonet::cube::Answer;
use nonet::engine::{Level, LevelAction};
use nonet::game::NextAction;
use nonet::person_match::{Forced, PersonMatch};

use super::save::SavedMatch;
use super::screen;
use super::summary::{result, summary};
use super::tutor::Tutor;
use crate::cli::output::shell_word::shell_word;
use crate::cli::output::terminal::Terminal;
use crate::cli::typing::{Lines, Typed};

/// The match and the state of the terminal.
pub(super) struct MatchTable {
    pub(super) game: PersonMatch,
    pub(super) advice: bool,
    pub(super) tutor: Option<Tutor>,
    pub(super) saved: SavedMatch,
    /// Whether the board on the screen is that of the next decision.
    pub(super) drawn: bool,
    /// Whether a person types, who is asked before a resignation that costs something.
    pub(super) typed: bool,
    /// The resignation that waits for its confirmation.
    pub(super) resigning: Option<Stake>,
    pub(super) terminal: Terminal,
    opening: String,
    /// The options with which the match goes on.
    options: String,
}

/// The file of the lines that were typed.
const HISTORY: &str = "play-history.txt";

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Next {
    On,
    /// The person stops.
    Quit,
    /// The input has ended, or Ctrl-C.
    Stop,
}

impl MatchTable {
    /// Plays until the match ends or the person stops. The match is saved after every decision.
    pub(super) fn play(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let level = self.game.settings().level;
        let words = match level {
            Level::CHAMPION => "champion, the net without noise".to_owned(),
            level => level.to_string(),
        };
        let saved = self.saved.path().display().to_string();
        let going = std::mem::take(&mut self.opening);
        write!(
            out,
            "{going}You are X and move from 24 down to 1. ? explains.\n\
             Level: {words}; {} at {}.\nSaved after every decision in {saved}.\n\n",
            screen::scoring_in_words(self.game.session().scoring(self.game.person())),
            self.game.engine().plies(),
        )?;
        let lines = Lines::of_standard_input(self.terminal, HISTORY);
        let next = self.take_turns(&lines, out)?;
        if next != Next::Stop {
            let over = matches!(self.game.session().next_action(), NextAction::Over(_));
            let money =
                matches!(self.game.session().scoring(self.game.person()), Scoring::Money { .. });
            if money && self.game.session().score() != [0; 2] {
                let [own, net] = self.game.points();
                writeln!(out, "You {own}, nonet {net}.")?;
            }
            summary(self.game.session(), self.game.engine(), self.game.person(), out)?;
            if over {
                let path = shell_word(self.saved.path());
                writeln!(out, "Saved in {path}. Every decision: nonet analyse {path}")?;
                return Ok(());
            }
        } else {
            writeln!(out)?;
        }
        self.goodbye(out)
    }

    /// How to go on.
    fn goodbye(&self, out: &mut impl Write) -> anyhow::Result<()> {
        if !self.saved.exists() {
            writeln!(out, "Nothing was decided, so nothing was saved.")?;
            return Ok(());
        }
        let path = shell_word(self.saved.path());
        let options = &self.options;
        writeln!(out, "Saved in {path}. Go on with: nonet play --resume {path}{options}")?;
        Ok(())
    }

    fn take_turns(&mut self, lines: &Lines, out: &mut impl Write) -> anyhow::Result<Next> {
        loop {
            if lines.is_interrupted() {
                return Ok(Next::Stop);
            }
            match self.game.session().next_action() {
                NextAction::Over(winner) => {
                    writeln!(out, "\n{}\n", result(self.game.session(), winner))?;
                    return Ok(Next::Quit);
                }
                NextAction::NextGame => {
                    self.game.next_game();
                    let [own, net] = self.game.points();
                    writeln!(out, "\nYou {own}, nonet {net}. The next game.\n")?;
                }
                NextAction::Roll(player)
                | NextAction::Play(player, _)
                | NextAction::Answer(player)
                    if player != self.game.person() =>
                {
                    self.net_acts(out)?;
                }
                _ => {
                    if !self.act_without_choice(out)? {
                        let question = self.question(out)?;
                        let line = match lines.ask(&question, || self.choices(), out)? {
                            Typed::Line(line) => line,
                            Typed::End | Typed::Interrupted => return Ok(Next::Stop),
                        };
                        lines.echo(&line, out)?;
                        if self.command(&line, out)? == Next::Quit {
                            writeln!(out)?;
                            return Ok(Next::Quit);
                        }
                    }
                }
            }
            // A roll of the net is followed by its play, and a match without a decision needs no
            // file.
            let rolled = matches!(self.game.session().next_action(), NextAction::Play(player, _) if player != self.game.person());
            if rolled || !self.is_begun() {
                continue;
            }
            match self.save(lines, out)? {
                Next::On => {}
                stop => return Ok(stop),
            }
        }
    }

    /// Whether anything was decided.
    fn is_begun(&self) -> bool {
        self.saved.exists() || self.game.is_begun()
    }

    /// Saves the match. If that fails, the person decides how to go on; until then nothing more is
    /// decided.
    fn save(&mut self, lines: &Lines, out: &mut impl Write) -> anyhow::Result<Next> {
        loop {
            let announced = self.saved.path().to_owned();
            let Err(why) = self.saved.save(&self.game) else {
                let (before, now) = (announced.display(), self.saved.path());
                if now != announced {
                    let now = now.display();
                    writeln!(out, "Another program has made {before}.")?;
                    writeln!(out, "This match is saved in {now}.\n")?;
                }
                return Ok(Next::On);
            };
            writeln!(out, "\n{}", self.error(&format!("The match is not saved: {why}.")))?;
            let question =
                "Enter: try again. A file name: save there. q: print the record and stop. ";
            let typed = match lines.ask(question, Vec::new, out)? {
                Typed::Line(line) => line,
                Typed::End | Typed::Interrupted => "q".to_owned(),
            };
            match typed.as_str() {
                "" => {}
                "q" | "quit" => {
                    writeln!(out)?;
                    out.write_all(&self.game.record())?;
                    out.flush()?;
                    anyhow::bail!("the last decision is not saved in a file: {why}");
                }
                name => self.saved.move_to(PathBuf::from(name)),
            }
        }
    }

    fn net_acts(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let doubled = 2 * self.game.session().cube(self.game.person()).value();
        let offer = self.game.session().offered().map_or(doubled, |offer| offer.value);
        match self.game.net_acts()? {
            None | Some(LevelAction::Rolled) => {}
            Some(LevelAction::Doubled) => writeln!(out, "nonet doubles to {doubled}.")?,
            Some(LevelAction::Played(dice, play)) => {
                writeln!(out, "nonet rolls {dice}: {}", screen::in_words(&play))?;
            }
            Some(LevelAction::Answered(Answer::Take)) => writeln!(out, "nonet takes.")?,
            Some(LevelAction::Answered(Answer::Pass)) => writeln!(out, "nonet passes.")?,
            Some(LevelAction::Answered(Answer::Beaver)) => {
                writeln!(out, "nonet beavers: the cube goes to {}.", 2 * offer)?;
            }
        }
        Ok(())
    }

    /// Rolls if doubling is not allowed or useless, and plays forced plays; whether it did.
    fn act_without_choice(&mut self, out: &mut impl Write) -> anyhow::Result<bool> {
        let done = self.game.act_without_choice();
        if let Some(Forced::Played(dice, play)) = &done {
            let play = play.to_string();
            let words = if play.is_empty() { "you cannot move" } else { play.as_str() };
            writeln!(out, "You roll {dice}: {words} (no choice)")?;
        }
        Ok(done.is_some())
    }

    /// Prints the board, if it is new; the question.
    fn question(&mut self, out: &mut impl Write) -> anyhow::Result<String> {
        let new = !std::mem::replace(&mut self.drawn, true);
        if new {
            out.write_all(
                screen::board(self.game.session(), self.game.person(), self.terminal).as_bytes(),
            )?;
        }
        if self.tutor.as_ref().is_some_and(Tutor::has_stopped) {
            return Ok("Let it stand (y), or decide anew: ".to_owned());
        }
        Ok(match self.game.session().next_action() {
            NextAction::Play(_, dice) => {
                if self.advice && new {
                    out.write_all(self.best()?.as_bytes())?;
                }
                format!("You roll {dice}. Your play: ")
            }
            NextAction::Answer(_) => {
                let offer = self.game.session().offered();
                let beavers = self.game.has_beavers();
                match offer {
                    Some(offer) if offer.beaver => {
                        format!("The cube at {}: take (t), pass (p) or beaver? ", offer.value)
                    }
                    _ if beavers => "Take (t), pass (p) or beaver? ".to_owned(),
                    _ => "Take (t) or pass (p)? ".to_owned(),
                }
            }
            _ => "Roll (Enter) or double (d)? ".to_owned(),
        })
    }
}

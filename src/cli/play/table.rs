//! The match at the table: whose turn it is, what the net does, and what is saved.

mod open;

use std::io::Write;
use std::path::PathBuf;

use nonet::backgammon::{Scoring, Seat, candidates};
use nonet::cube::Answer;
use nonet::engine::{CubeContext, Deed, Engine, Level, LevelPlayer};
use nonet::game::{MatchSession, NextAction};

use super::input::{Lines, Typed};
use super::save::{SavedMatch, shell_word};
use super::screen::{self, Paint};
use super::summary::{result, summary};

/// The session with the engine and the state of the terminal.
pub(super) struct MatchTable {
    pub(super) session: MatchSession,
    /// The engine without noise, which gives hints and judges.
    pub(super) engine: Engine,
    net: LevelPlayer,
    pub(super) person: Seat,
    pub(super) advice: bool,
    pub(super) saved: SavedMatch,
    /// The match before each decision of the person, to take it back.
    pub(super) undo: Vec<MatchSession>,
    /// Whether the board on the screen is that of the next decision.
    pub(super) drawn: bool,
    pub(super) paint: Paint,
    opening: String,
}

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
        let level = *self.net.level();
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
            screen::scoring_in_words(self.session.scoring(self.person)),
            self.engine.plies(),
        )?;
        let lines = Lines::of_standard_input();
        let next = self.take_turns(&lines, out)?;
        if next != Next::Stop {
            let over = matches!(self.session.next_action(), NextAction::Over(_));
            let money = matches!(self.session.scoring(self.person), Scoring::Money { .. });
            if money && self.session.score() != [0; 2] {
                let [own, net] = self.points();
                writeln!(out, "You {own}, nonet {net}.")?;
            }
            summary(&self.session, &self.engine, self.person, out)?;
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
        writeln!(out, "Saved in {path}. Go on with: nonet play --resume {path}")?;
        Ok(())
    }

    fn take_turns(&mut self, lines: &Lines, out: &mut impl Write) -> anyhow::Result<Next> {
        loop {
            if lines.is_interrupted() {
                return Ok(Next::Stop);
            }
            match self.session.next_action() {
                NextAction::Over(winner) => {
                    writeln!(out, "\n{}\n", result(&self.session, winner))?;
                    return Ok(Next::Quit);
                }
                NextAction::NextGame => {
                    self.session.next_game();
                    let [own, net] = self.points();
                    writeln!(out, "\nYou {own}, nonet {net}. The next game.\n")?;
                }
                NextAction::Roll(player)
                | NextAction::Play(player, _)
                | NextAction::Answer(player)
                    if player != self.person =>
                {
                    self.net_acts(out)?;
                }
                _ => {
                    if !self.act_without_choice(out)? {
                        self.prompt(out)?;
                        let line = match lines.next()? {
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
            // A roll of the net is followed by its play, and a match without a decision needs no file.
            let rolled = matches!(self.session.next_action(), NextAction::Play(player, _) if player != self.person);
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
        self.saved.exists() || !self.undo.is_empty() || {
            let games = self.session.games();
            games.iter().any(|game| !game.events().is_empty() || game.won().is_some())
        }
    }

    /// Saves the match. If that fails, the person decides how to go on; until then nothing more is decided.
    fn save(&mut self, lines: &Lines, out: &mut impl Write) -> anyhow::Result<Next> {
        while let Err(why) = self.saved.save(&self.session) {
            writeln!(out, "\n{}", self.paint.error(&format!("The match is not saved: {why}.")))?;
            write!(
                out,
                "Enter: try again. A file name: save there. q: print the record and stop. "
            )?;
            out.flush()?;
            let typed = match lines.next()? {
                Typed::Line(line) => line,
                Typed::End | Typed::Interrupted => "q".to_owned(),
            };
            match typed.as_str() {
                "" => {}
                "q" | "quit" => {
                    writeln!(out)?;
                    out.write_all(&self.saved.text(&self.session))?;
                    out.flush()?;
                    anyhow::bail!("the last decision is not saved in a file: {why}");
                }
                name => self.saved.move_to(PathBuf::from(name)),
            }
        }
        Ok(Next::On)
    }

    /// The points of the person and of the net.
    fn points(&self) -> [u32; 2] {
        let score = self.session.score();
        [score[self.person.index()], score[self.person.other().index()]]
    }

    pub(super) fn context(&self, player: Seat) -> anyhow::Result<CubeContext> {
        Ok(self.engine.context(self.session.scoring(player), self.session.cube(player))?)
    }

    fn net_acts(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let doubled = 2 * self.session.cube(self.person).value();
        let offer = self.session.offered().map_or(doubled, |offer| offer.value);
        match self.net.act(&mut self.session, self.person.other())? {
            None | Some(Deed::Rolled) => {}
            Some(Deed::Doubled) => writeln!(out, "nonet doubles to {doubled}.")?,
            Some(Deed::Played(dice, play)) => {
                writeln!(out, "nonet rolls {dice}: {}", screen::in_words(&play))?;
            }
            Some(Deed::Answered(Answer::Take)) => writeln!(out, "nonet takes.")?,
            Some(Deed::Answered(Answer::Pass)) => writeln!(out, "nonet passes.")?,
            Some(Deed::Answered(Answer::Beaver)) => {
                writeln!(out, "nonet beavers: the cube goes to {}.", 2 * offer)?;
            }
        }
        Ok(())
    }

    /// Whether the person has a decision to make in `session`.
    fn is_choice(&self, session: &MatchSession) -> bool {
        let person = self.person;
        match session.next_action() {
            NextAction::Roll(player) if player == person => {
                let context = self.engine.context(session.scoring(person), session.cube(person));
                context.is_ok_and(|context| context.may_double())
            }
            NextAction::Play(player, dice) if player == person => {
                candidates(session.position(), dice).len() > 1
            }
            NextAction::Answer(player) => player == person,
            _ => false,
        }
    }

    /// Rolls if doubling is not allowed or useless, and plays forced plays; whether it did.
    fn act_without_choice(&mut self, out: &mut impl Write) -> anyhow::Result<bool> {
        if self.is_choice(&self.session) {
            return Ok(false);
        }
        match self.session.next_action() {
            NextAction::Roll(_) => {
                self.session.roll();
            }
            NextAction::Play(_, dice) => {
                let plays = candidates(self.session.position(), dice);
                let play = plays[0].play.to_string();
                let words = if play.is_empty() { "you cannot move" } else { play.as_str() };
                writeln!(out, "You roll {dice}: {words} (no choice)")?;
                self.session.play(&plays[0].after)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Prints the board and the question.
    fn prompt(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let new = !std::mem::replace(&mut self.drawn, true);
        if new {
            out.write_all(screen::board(&self.session, self.person, self.paint).as_bytes())?;
        }
        let question = match self.session.next_action() {
            NextAction::Play(_, dice) => {
                if self.advice && new {
                    self.hint(out)?;
                }
                format!("You roll {dice}. Your play: ")
            }
            NextAction::Answer(_) => {
                let offer = self.session.offered();
                let beavers = matches!(
                    self.session.scoring(self.person),
                    Scoring::Money { beavers: true, .. }
                );
                match offer {
                    Some(offer) if offer.beaver => {
                        format!("The cube at {}: take (t), pass (p) or beaver? ", offer.value)
                    }
                    _ if beavers => "Take (t), pass (p) or beaver? ".to_owned(),
                    _ => "Take (t) or pass (p)? ".to_owned(),
                }
            }
            _ => "Roll (Enter) or double (d)? ".to_owned(),
        };
        write!(out, "{}", self.paint.bold(&question))?;
        out.flush()?;
        Ok(())
    }
}

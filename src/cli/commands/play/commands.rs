//! The commands of a person.

use std::io::Write;

use nonet::analysis::Severity;
use nonet::backgammon::record::RecordErrorKind;
use nonet::backgammon::{CubeOffer, Dice, PlayError, Stake, Turn, candidates};
use nonet::game::{MatchSession, NextAction};
use nonet::person_match::PersonMatch;

use super::screen;
use super::table::{MatchTable, Next};

/// The number of plays that a hint shows.
const HINTS: usize = 5;
/// The longest line of an error.
const LINE: usize = 78;
/// All legal plays are listed after an error if there are at most this number of them.
const FEW: usize = 6;

const HELP: &str = "\
  8/5 6/5       play; bar/20, 6/off, 13/7*, 6/4(2)
  1             play the first of the hints
  Enter, roll   roll the dice (r)
  double        offer the cube (d)
  take, pass    answer a double (t, p)
  beaver        double again at once, for money with --beavers
  hint          the best plays, or the cube decision (h);
                with --tutor in three steps
  undo          take your last decision back (u)
  board, id     show the board (b); show its XGID
  resign        give up the game: resign, resign gammon,
                resign backgammon
  quit          stop; the match is saved (q, Ctrl-D, Ctrl-C)\n";

impl MatchTable {
    /// A hint, or with a tutor its next step.
    fn hint(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let text = match self.step_of_hint()? {
            Some(step) => self.terminal.folded(&step),
            None => self.best()?,
        };
        Ok(out.write_all(text.as_bytes())?)
    }

    /// The best plays, or the cube decision.
    pub(super) fn best(&self) -> anyhow::Result<String> {
        Ok(match self.game.session().next_action() {
            NextAction::Play(_, dice) => {
                screen::hints(&self.game.ranked(dice)?, HINTS, self.terminal)
            }
            NextAction::Roll(_) | NextAction::Answer(_) => {
                let (engine, state) = (self.game.engine(), self.game.session().state());
                let context = self.game.context(state.state.on_roll)?;
                match state.state.turn {
                    Turn::Offered(CubeOffer::Beaver) => {
                        screen::beaver_hint(&engine.beaver_decision(&state.position, &context))
                    }
                    _ => screen::cube_hint(&engine.cube_decision(&state.position, &context)),
                }
            }
            NextAction::NextGame | NextAction::Over(_) => String::new(),
        })
    }

    /// Carries out a command; an invalid one prints an error and changes nothing.
    pub(super) fn command(&mut self, line: &str, out: &mut impl Write) -> anyhow::Result<Next> {
        let line = line.to_lowercase();
        let words: Vec<&str> = line.split_whitespace().collect();
        // Only the very next line confirms a resignation.
        let asked = self.resigning.take();
        let Some(line) = self.with_tutor(words.join(" "), out)? else { return Ok(Next::On) };
        let done = match (line.as_str(), self.game.session().next_action()) {
            ("q" | "quit" | "exit", _) => return Ok(Next::Quit),
            ("?" | "help", _) => {
                out.write_all(HELP.as_bytes())?;
                return Ok(Next::On);
            }
            ("h" | "hint", _) => {
                self.hint(out)?;
                return Ok(Next::On);
            }
            ("b" | "board", _) => {
                self.drawn = false;
                return Ok(Next::On);
            }
            ("id" | "xgid", _) => {
                writeln!(out, "{}", self.game.session().xgid())?;
                return Ok(Next::On);
            }
            ("u" | "undo", _) => {
                if self.game.undo() {
                    self.drawn = false;
                } else {
                    writeln!(out, "There is nothing to take back.")?;
                }
                return Ok(Next::On);
            }
            ("resign" | "resign single" | "resign 1", _) => {
                self.resign(Stake::Single, asked, out)?
            }
            ("resign gammon" | "resign 2", _) => self.resign(Stake::Gammon, asked, out)?,
            ("resign backgammon" | "resign 3", _) => self.resign(Stake::Backgammon, asked, out)?,
            ("" | "r" | "roll", NextAction::Roll(_)) => in_words(self.game.decide(|session| {
                session.roll();
                Ok(())
            })),
            ("d" | "double" | "redouble", NextAction::Answer(_)) => {
                Err("a double must be answered: expected take or pass".to_owned())
            }
            ("d" | "double" | "redouble", _) => in_words(self.game.decide(MatchSession::double)),
            ("t" | "take" | "accept", _) => {
                in_words(self.game.decide(|session| session.answer(true)))
            }
            ("p" | "pass" | "drop", _) => {
                in_words(self.game.decide(|session| session.answer(false)))
            }
            ("beaver", _) => in_words(self.game.decide(MatchSession::beaver)),
            (words, NextAction::Play(_, dice)) => self.person_plays(words, dice, out)?,
            (words, NextAction::Roll(_)) => {
                Err(format!("invalid command '{words}': expected Enter to roll, d to double, or ?"))
            }
            (words, _) => Err(format!("invalid command '{words}': expected t, p or ?")),
        };
        match done {
            Ok(()) => self.drawn = false,
            Err(why) => writeln!(out, "{}", self.error(&why))?,
        }
        Ok(Next::On)
    }

    /// What is wrong, in lines that are easy to read.
    pub(super) fn error(&self, why: &str) -> String {
        let terminal = self.terminal.at_most(LINE);
        terminal.error(&terminal.folded(why))
    }

    fn person_plays(
        &mut self,
        words: &str,
        dice: Dice,
        out: &mut impl Write,
    ) -> anyhow::Result<Result<(), String>> {
        let position = *self.game.session().position();
        let after = match words.parse::<usize>() {
            Ok(n) => {
                let plays = self.game.ranked(dice)?;
                let shown = plays.len().min(HINTS);
                let hint = n.checked_sub(1).filter(|&n| n < shown);
                hint.map(|n| *plays[n].after())
                    .ok_or_else(|| format!("invalid hint {n}: expected 1 to {shown}; h shows them"))
            }
            Err(_) => position
                .read_play(words, dice)
                .map(|candidate| candidate.after)
                .map_err(|error| self.explained(&error, dice)),
        };
        let after = match after {
            Ok(after) => after,
            Err(why) => return Ok(Err(why)),
        };
        if self.advice {
            let plays = self.game.ranked(dice)?;
            let own = plays.iter().find(|play| *play.after() == after);
            if let (Some(best), Some(own)) = (plays.first(), own) {
                let loss = (best.equity - own.equity).max(0.0);
                if Severity::of(loss) > Severity::Fine {
                    let severity = Severity::of(loss);
                    let (own, best) = (screen::in_words(own), screen::in_words(best));
                    let told = format!("{} {own} loses {loss:.3}", severity.symbol());
                    let told = self.terminal.severity(severity, &told);
                    writeln!(out, "  {told}; better {best}")?;
                }
            }
        }
        Ok(in_words(self.game.play(&after)))
    }

    /// The error of a play, with the legal plays if they are few.
    fn explained(&self, error: &PlayError, dice: Dice) -> String {
        let plays = candidates(self.game.session().position(), dice);
        if plays.len() > FEW || matches!(error, PlayError::Ambiguous { .. }) {
            return format!("{error}; h shows the best, ? explains");
        }
        let plays: String = plays.iter().map(|play| format!("\n  {}", play.play)).collect();
        format!("{error}; the legal plays are{plays}")
    }

    /// Resigns, if the net does not expect more by playing on without the cube. A person at a
    /// terminal who gives up more than needed is asked first, unless that was `asked` before.
    fn resign(
        &mut self,
        stake: Stake,
        asked: Option<Stake>,
        out: &mut impl Write,
    ) -> anyhow::Result<Result<(), String>> {
        if matches!(self.game.session().next_action(), NextAction::Answer(_)) {
            return Ok(Err("a double must be answered: expected take or pass".to_owned()));
        }
        if !self.game.accepts_resignation(stake)? {
            return Ok(Err("nonet plays on for more.".to_owned()));
        }
        if self.typed
            && asked != Some(stake)
            && let Some(chances) = self.given_up(stake)?
        {
            self.resigning = Some(stake);
            let words = match stake {
                Stake::Single => "resign",
                Stake::Gammon => "resign gammon",
                Stake::Backgammon => "resign backgammon",
            };
            return Ok(Err(format!("{chances}: type {words} again to give this game up.")));
        }
        writeln!(out, "nonet accepts.")?;
        let person = self.game.person();
        Ok(in_words(self.game.decide(|session| session.resign(person, stake))))
    }

    /// What the person gives up by resigning, in words; `None` if playing on without the cube is
    /// hardly worth more.
    fn given_up(&self, stake: Stake) -> anyhow::Result<Option<String>> {
        let loss = self.game.resignation_loss(stake)?;
        if !Severity::reaches(loss, PersonMatch::TUTOR_LIMIT) {
            return Ok(None);
        }
        let value = self.game.engine().evaluate(&[*self.game.session().position()])[0];
        let win = (100.0 * value.cumulative()[0]).round();
        Ok(Some(match win >= 1.0 {
            true => format!("You still win {win:.0} % of such games"),
            false => "Playing on loses less on average".to_owned(),
        }))
    }
}

/// The error of a decision as a sentence.
fn in_words(done: Result<(), RecordErrorKind>) -> Result<(), String> {
    done.map_err(|reason| reason.to_string())
}

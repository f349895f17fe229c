//! `nonet play`: a person against the net, in the terminal.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use nonet::analysis::Severity;
use nonet::backgammon::{Dice, Position, Seat, Stake};
use nonet::cube::Answer;
use nonet::engine::{CubeContext, Engine, ScoredMove};
use nonet::game::{MatchSession, NextAction};
use nonet::search::{Plies, SearchSettings};
use nonet::store::save_match;

use super::engine_args::{CubeDepthArgs, EngineArgs, percent};
use super::usage;

/// You are X and move from 24 down to 1; the net is O. Type a play as `8/5 6/5` (`bar/20`, `6/off`, `13/7*`, `6/4(2)`), or
/// `?` for everything else. The match is saved as .mat, which `nonet analyse` and other programs read.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Length of the match in points; 0 plays for money with the Jacoby rule until you quit.
    #[arg(long, value_name = "POINTS", default_value_t = 3)]
    length: u16,
    /// Search depth of the net in plies, 1 (static) to 4.
    #[arg(long, value_name = "N", default_value = "2")]
    ply: Plies,
    #[command(flatten)]
    cube: CubeDepthArgs,
    /// Show the best plays before each decision, and the loss of your play after it.
    #[arg(long)]
    advice: bool,
    /// Your name in the record.
    #[arg(long, default_value = "you")]
    name: String,
    /// Seed of the dice. [default: the time]
    #[arg(long)]
    seed: Option<u64>,
    /// Where to save the match. [default: nonet-SEED.mat]
    #[arg(long, value_name = "FILE.mat")]
    save: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
}

/// The seats of the person and of the net.
const PERSON: Seat = Seat::X;
const NET: Seat = Seat::O;
/// The number of plays that a hint shows.
const HINTS: usize = 5;

const HELP: &str = "\
  8/5 6/5     play (or the number of a hint)      Enter, r   roll
  h           hint                                d          double
  t, p        take a double, pass it              u          take your last decision back
  b           show the board                      resign     resign: resign, resign gammon, resign backgammon
  q           save and quit\n";

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let seed = args.seed.unwrap_or_else(clock);
    let names = [args.name.clone(), "nonet".to_owned()];
    let session = MatchSession::new(names, args.length, seed).map_err(usage)?;
    let engine =
        args.engine.open(args.ply, SearchSettings::WIDE)?.with_cube_plies(args.cube.cube_ply);
    // A match longer than the match equity table is an error in the arguments, found before the first roll.
    engine.context(session.scoring(PERSON), session.cube(PERSON)).map_err(usage)?;
    let path = args.save.clone().unwrap_or_else(|| PathBuf::from(format!("nonet-{seed}.mat")));
    let mut table =
        MatchTable { session, engine, advice: args.advice, path, undo: Vec::new(), drawn: false };
    table.play(io::stdin(), &mut io::stdout())
}

/// The session with the engine and the state of the terminal.
struct MatchTable {
    session: MatchSession,
    engine: Engine,
    advice: bool,
    path: PathBuf,
    /// The match before each decision of the person, for `u`.
    undo: Vec<MatchSession>,
    /// Whether the board on the screen is that of the next decision.
    drawn: bool,
}

/// Whether to continue.
#[derive(PartialEq)]
enum Next {
    On,
    Quit,
}

impl MatchTable {
    /// Plays until the match ends or the person quits; the match is saved in either case.
    fn play(&mut self, input: io::Stdin, out: &mut impl Write) -> anyhow::Result<()> {
        let played = self.take_turns(input, out);
        played.and(self.save(out))
    }

    fn take_turns(&mut self, input: io::Stdin, out: &mut impl Write) -> anyhow::Result<()> {
        write!(out, "You are X and move from 24 down to 1. ? explains.\n\n")?;
        let mut lines = input.lock().lines();
        loop {
            match self.session.next_action() {
                NextAction::Over(winner) => {
                    let [own, net] = self.session.score();
                    let who = if winner == PERSON { "You win" } else { "nonet wins" };
                    writeln!(out, "{who} the match, {own} to {net}.")?;
                    break;
                }
                NextAction::NextGame => {
                    let [own, net] = self.session.score();
                    self.save(out)?;
                    self.session.next_game()?;
                    writeln!(out, "\nYou {own}, nonet {net}. The next game.\n")?;
                }
                NextAction::Roll(NET) => self.net_rolls(out)?,
                NextAction::Play(NET, dice) => self.net_plays(dice, out)?,
                NextAction::Answer(NET) => self.net_answers(out)?,
                NextAction::Roll(player)
                | NextAction::Play(player, _)
                | NextAction::Answer(player) => {
                    debug_assert_eq!(player, PERSON);
                    if self.act_without_choice(out)? {
                        continue;
                    }
                    self.prompt(out)?;
                    let Some(line) = lines.next() else { break };
                    let line = line.context("cannot read standard input")?;
                    if self.command(line.trim(), out)? == Next::Quit {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Saves the match atomically.
    fn save(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let games = self.session.games();
        if games.is_empty() {
            return Ok(());
        }
        save_match(&self.path, &games)?;
        writeln!(out, "Saved in {}.", self.path.display())?;
        Ok(())
    }

    fn context(&self, player: Seat) -> anyhow::Result<CubeContext> {
        Ok(self.engine.context(self.session.scoring(player), self.session.cube(player))?)
    }

    fn net_rolls(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let decision = self.engine.cube_decision(self.session.position(), &self.context(NET)?);
        if decision.is_double() && self.session.double().is_ok() {
            writeln!(out, "nonet doubles to {}.", 2 * self.session.cube(NET).value())?;
        } else {
            self.session.roll();
        }
        Ok(())
    }

    fn net_plays(&mut self, dice: Dice, out: &mut impl Write) -> anyhow::Result<()> {
        let best = self.engine.best(self.session.position(), dice, &self.context(NET)?);
        self.session.play(&best.candidate.after)?;
        writeln!(out, "nonet rolls {dice}: {}", in_words(&best))?;
        Ok(())
    }

    fn net_answers(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        // The position is seen by the doubler, who is the person.
        let decision = self.engine.cube_decision(self.session.position(), &self.context(PERSON)?);
        let takes = decision.answer != Answer::Pass;
        self.session.answer(takes)?;
        writeln!(out, "nonet {}.", if takes { "takes" } else { "passes" })?;
        Ok(())
    }

    /// Rolls if doubling is not allowed, and plays forced plays; whether it did.
    fn act_without_choice(&mut self, out: &mut impl Write) -> anyhow::Result<bool> {
        match self.session.next_action() {
            NextAction::Roll(_) => {
                // Nor does a dead cube need a question.
                let context = self.context(PERSON)?;
                let may = context.may_double();
                if !may {
                    self.session.roll();
                }
                Ok(!may)
            }
            NextAction::Play(_, dice) => {
                let plays = nonet::backgammon::candidates(self.session.position(), dice);
                let [only] = plays.as_slice() else { return Ok(false) };
                let play = only.play.to_string();
                let words = if play.is_empty() { "you cannot move" } else { play.as_str() };
                writeln!(out, "You roll {dice}: {words} (no choice)")?;
                self.session.play(&only.after)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Prints the board and the question.
    fn prompt(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let new = !std::mem::replace(&mut self.drawn, true);
        if new {
            self.board(out)?;
        }
        match self.session.next_action() {
            NextAction::Play(_, dice) => {
                if self.advice && new {
                    self.hint(out)?;
                }
                write!(out, "You roll {dice}. Your play: ")?;
            }
            NextAction::Answer(_) => write!(out, "Take (t) or pass (p)? ")?,
            _ => write!(out, "Roll (Enter) or double (d)? ")?,
        }
        out.flush()?;
        Ok(())
    }

    fn board(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let doubled = matches!(self.session.next_action(), NextAction::Answer(_));
        let position = self.session.position();
        let position: Position = if doubled { position.flipped() } else { *position };
        let drawn = position.to_string();
        // The drawing ends with "X to play", which is wrong after a double.
        let drawn = if doubled { drawn.trim_end_matches("  X to play") } else { &drawn };
        let [own, net] = self.session.score();
        let cube = self.session.cube(PERSON);
        let owner = match cube.owner() {
            nonet::backgammon::CubeOwner::Centred => "in the middle",
            nonet::backgammon::CubeOwner::Own => "yours",
            nonet::backgammon::CubeOwner::Opponent => "nonet's",
        };
        let scoring = match self.session.scoring(PERSON) {
            nonet::backgammon::Scoring::Money { .. } => "money".to_owned(),
            nonet::backgammon::Scoring::Match(score) => {
                let game = if score.is_crawford() { ", Crawford game" } else { "" };
                format!("match to {}{game}", score.length())
            }
        };
        writeln!(out, "\n{drawn}")?;
        writeln!(out, "You {own}, nonet {net}, {scoring}; cube {} {owner}", cube.value())?;
        Ok(())
    }

    fn hint(&self, out: &mut impl Write) -> anyhow::Result<()> {
        match self.session.next_action() {
            NextAction::Play(player, dice) => {
                let plays = self.engine.rank(self.session.position(), dice, &self.context(player)?);
                let best = plays.first().map_or(0.0, |play| play.equity);
                writeln!(
                    out,
                    "      {:24}  equity           win   gam   bgm    lose   gam   bgm",
                    ""
                )?;
                for (n, play) in (1..).zip(plays.iter().take(HINTS)) {
                    let loss = play.equity - best;
                    let chances = percent(&play.value);
                    let words = in_words(play);
                    writeln!(
                        out,
                        "  {n:>2}. {words:24}  {:+.3} ({loss:+.3})  {chances}",
                        play.equity
                    )?;
                }
            }
            NextAction::Roll(_) | NextAction::Answer(_) => {
                let doubler = if matches!(self.session.next_action(), NextAction::Answer(_)) {
                    NET
                } else {
                    PERSON
                };
                let decision =
                    self.engine.cube_decision(self.session.position(), &self.context(doubler)?);
                writeln!(
                    out,
                    "  {decision}: no double {:+.3}, double and take {:+.3}, double and pass {:+.3}",
                    decision.no_double, decision.double_take, decision.double_pass
                )?;
            }
            NextAction::NextGame | NextAction::Over(_) => {}
        }
        Ok(())
    }

    /// Carries out a command; an invalid one prints an error and changes nothing.
    fn command(&mut self, line: &str, out: &mut impl Write) -> anyhow::Result<Next> {
        let before = self.session.clone();
        let done = match (line, self.session.next_action()) {
            ("q" | "quit", _) => return Ok(Next::Quit),
            ("?" | "help", _) => {
                write!(out, "{HELP}")?;
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
            ("u" | "undo", _) => {
                match self.undo.pop() {
                    Some(earlier) => (self.session, self.drawn) = (earlier, false),
                    None => writeln!(out, "There is nothing to take back.")?,
                }
                return Ok(Next::On);
            }
            ("resign" | "resign single", _) => self.resign(Stake::Single, out)?,
            ("resign gammon", _) => self.resign(Stake::Gammon, out)?,
            ("resign backgammon", _) => self.resign(Stake::Backgammon, out)?,
            ("" | "r" | "roll", NextAction::Roll(_)) => {
                self.session.roll();
                Ok(())
            }
            ("d" | "double", _) => self.session.double().map_err(|reason| reason.to_string()),
            ("t" | "take", _) => self.session.answer(true).map_err(|reason| reason.to_string()),
            ("p" | "pass" | "drop", _) => {
                self.session.answer(false).map_err(|reason| reason.to_string())
            }
            (words, NextAction::Play(_, dice)) => self.person_plays(words, dice, out)?,
            _ => Err("invalid command: ? explains".to_owned()),
        };
        match done {
            Ok(()) => {
                self.undo.push(before);
                self.drawn = false;
            }
            Err(why) => writeln!(out, "{why}")?,
        }
        Ok(Next::On)
    }

    fn person_plays(
        &mut self,
        words: &str,
        dice: Dice,
        out: &mut impl Write,
    ) -> anyhow::Result<Result<(), String>> {
        let (position, context) = (*self.session.position(), self.context(PERSON)?);
        let number = words.parse::<usize>().ok().filter(|n| (1..=HINTS).contains(n));
        let after = match number {
            Some(n) => {
                let plays = self.engine.rank(&position, dice, &context);
                plays
                    .get(n - 1)
                    .map(|play| play.candidate.after)
                    .ok_or(format!("invalid hint {n}: h shows the hints"))
            }
            None => position
                .read_play(words, dice)
                .map(|candidate| candidate.after)
                .map_err(|error| format!("{error}; ? explains")),
        };
        let after = match after {
            Ok(after) => after,
            Err(why) => return Ok(Err(why)),
        };
        if self.advice {
            let plays = self.engine.rank(&position, dice, &context);
            let own = plays.iter().find(|play| play.candidate.after == after);
            if let (Some(best), Some(own)) = (plays.first(), own) {
                let loss = (best.equity - own.equity).max(0.0);
                if Severity::of(loss) > Severity::Fine {
                    let mark = Severity::of(loss).symbol();
                    writeln!(
                        out,
                        "  {mark} {} loses {loss:.3}; better {}",
                        in_words(own),
                        in_words(best)
                    )?;
                }
            }
        }
        Ok(self.session.play(&after).map_err(|reason| reason.to_string()))
    }

    /// Resigns, if the net accepts.
    fn resign(&mut self, stake: Stake, out: &mut impl Write) -> anyhow::Result<Result<(), String>> {
        if matches!(self.session.next_action(), NextAction::Answer(_)) {
            return Ok(Err("answer the double first: t or p".to_owned()));
        }
        let points = match stake {
            Stake::Single => 1.0,
            Stake::Gammon => 2.0,
            Stake::Backgammon => 3.0,
        };
        // The person is on roll.
        if -self.engine.evaluate(&[*self.session.position()])[0].equity()
            > points + RESIGNATION_MARGIN
        {
            return Ok(Err("nonet plays on for more.".to_owned()));
        }
        writeln!(out, "nonet accepts.")?;
        Ok(self.session.resign(PERSON, stake).map_err(|reason| reason.to_string()))
    }
}

/// The net accepts a resignation if it expects at most this much more by playing on, in points per game.
const RESIGNATION_MARGIN: f32 = 0.005;

fn in_words(scored: &ScoredMove) -> String {
    let play = scored.candidate.play.to_string();
    if play.is_empty() { "cannot move".to_owned() } else { play }
}

//! The tutor: it stops before a mistake, says why it is one, and gives hints in three steps.

use std::io::Write;

use nonet::analysis::Severity;
use nonet::answer::{WhyAnswer, WhyCubeAnswer, idea_of_cube, idea_of_play};
use nonet::backgammon::{CubeOffer, Turn};
use nonet::game::NextAction;
use nonet::practice::{Judged, judge};

use super::screen;
use super::table::MatchTable;

/// What the tutor remembers between two lines.
#[derive(Debug)]
pub(super) struct Tutor {
    /// It stops before a decision that loses this or more, in points on a cube at 1.
    limit: f32,
    /// The line that it has stopped.
    stopped: Option<String>,
    /// The position of the last hint, and how many steps of it were shown.
    hinted: (String, usize),
}

/// Plays among which the best one is, in the second step of a hint.
const CANDIDATES: usize = 4;
/// Sentences of an explanation.
const SENTENCES: usize = 6;

impl Tutor {
    pub(super) const fn new(limit: f32) -> Tutor {
        Tutor { limit, stopped: None, hinted: (String::new(), 0) }
    }

    /// Whether a decision waits for its confirmation.
    pub(super) const fn has_stopped(&self) -> bool {
        self.stopped.is_some()
    }
}

impl MatchTable {
    /// The line that is to be carried out; `None` if the tutor stops `line`.
    ///
    /// It is the line that was stopped before, if that is let stand. Otherwise it is `line`, if the
    /// tutor has nothing against it.
    pub(super) fn with_tutor(
        &mut self,
        line: String,
        out: &mut impl Write,
    ) -> anyhow::Result<Option<String>> {
        let Some(tutor) = &mut self.tutor else { return Ok(Some(line)) };
        match (tutor.stopped.take(), line.as_str()) {
            (Some(stopped), "y" | "yes") => return Ok(Some(stopped)),
            // Whoever looks at the board or asks for a hint still has the choice.
            (stopped, "h" | "hint" | "b" | "board" | "id" | "xgid" | "?" | "help") => {
                tutor.stopped = stopped;
                return Ok(Some(line));
            }
            _ => {}
        }
        let limit = tutor.limit;
        let stops = |judged: &Judged| Severity::reaches(judged.loss, limit);
        let Some(judged) = self.judged(&line)?.filter(stops) else {
            return Ok(Some(line));
        };
        let severity = Severity::of(judged.loss);
        let told = format!("{} {} loses {:.3}", severity.symbol(), judged.answer, judged.loss);
        writeln!(
            out,
            "  {}; better: {}",
            self.terminal.severity(severity, told.trim()),
            judged.best
        )?;
        for sentence in self.reasons(&judged) {
            out.write_all(self.terminal.folded(&format!("  {sentence}\n")).as_bytes())?;
        }
        if let Some(tutor) = &mut self.tutor {
            tutor.stopped = Some(line);
        }
        Ok(None)
    }

    /// What a decision loses; `None` if the line is none, or leaves no choice.
    fn judged(&self, line: &str) -> anyhow::Result<Option<Judged>> {
        if !self.game.is_choice() {
            return Ok(None);
        }
        let answer = match (line, self.game.session().next_action()) {
            (number, NextAction::Play(_, dice)) if number.parse::<usize>().is_ok() => {
                let plays = self.game.ranked(dice)?;
                let chosen =
                    number.parse::<usize>().ok().and_then(|n| plays.get(n.checked_sub(1)?));
                chosen.map(|play| play.play().to_string()).unwrap_or_default()
            }
            (play, NextAction::Play(..)) => play.to_owned(),
            ("" | "r" | "roll", NextAction::Roll(_)) => "roll".to_owned(),
            ("d" | "double" | "redouble", NextAction::Roll(_)) => "double".to_owned(),
            ("t" | "take" | "accept", NextAction::Answer(_)) => "take".to_owned(),
            ("beaver", NextAction::Answer(_)) if self.game.has_beavers() => "beaver".to_owned(),
            ("p" | "pass" | "drop", NextAction::Answer(_)) => "pass".to_owned(),
            _ => return Ok(None),
        };
        // A line that is no legal decision is refused where it is carried out.
        Ok(judge(self.game.engine(), &self.game.session().state(), &answer).ok())
    }

    /// Why a decision is a mistake.
    fn reasons(&self, judged: &Judged) -> Vec<String> {
        let (engine, state) = (self.game.engine(), self.game.session().state());
        let sentences = match state.dice() {
            Some(_) => WhyAnswer::of(engine, &state, Some(&judged.answer)).map(|why| why.sentences),
            None => WhyCubeAnswer::of(engine, &state).map(|why| why.sentences).map_err(Into::into),
        };
        // Without an explanation the loss alone is told.
        sentences.unwrap_or_default().into_iter().take(SENTENCES).collect()
    }

    /// The next step of a hint: the kind of idea, the candidates, and from the third on `None`, for
    /// the answer itself. Without a tutor it is the answer at once.
    pub(super) fn step_of_hint(&mut self) -> anyhow::Result<Option<String>> {
        let Some(tutor) = &mut self.tutor else { return Ok(None) };
        let now = self.game.session().xgid();
        if tutor.hinted.0 != now {
            tutor.hinted = (now, 0);
        }
        tutor.hinted.1 += 1;
        let step = tutor.hinted.1;
        let state = self.game.session().state();
        let more = "h again says more";
        Ok(match (step, self.game.session().next_action()) {
            (1, NextAction::Play(_, dice)) => {
                let idea = idea_of_play(&state, &self.game.ranked(dice)?);
                Some(format!("  {} ({more})\n", idea.in_english()))
            }
            (2, NextAction::Play(_, dice)) => {
                let mut plays: Vec<String> =
                    self.game.ranked(dice)?.iter().take(CANDIDATES).map(screen::in_words).collect();
                plays.sort();
                Some(format!("  one of: {} ({more})\n", plays.join("; ")))
            }
            // A beaver leaves two answers: the hint is the better one.
            (_, NextAction::Answer(_)) if state.state.turn == Turn::Offered(CubeOffer::Beaver) => {
                None
            }
            (1, NextAction::Roll(_) | NextAction::Answer(_)) => {
                let context = self.game.context(state.state.on_roll)?;
                let decision = self.game.engine().cube_decision(&state.position, &context);
                Some(format!("  {} ({more})\n", idea_of_cube(&state, &decision).in_english()))
            }
            _ => None,
        })
    }
}

//! A UBGI engine as an opponent: child processes, each asked over its standard input and output.
//!
//! Every question is complete in itself: `newgame`, the position, the roll and `go`. So it does not
//! matter which of several processes answers it. Without a cube the position is a Position ID. With
//! a cube it is an XGID, which holds score and cube too.
//!
//! UBGI 0.2 has no question for the answer to a double. So an engine that plays with the cube must
//! announce the extension `ext.take`, as nonet does.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use super::process::{Question, UbgiProcess};
use crate::backgammon::{
    CubeOffer, Dice, GamePhase, MatchState, PlayError, Position, Scoring, Seat, Turn, Xgid,
};
use crate::cube::{Answer, CubeContext};
use crate::eval::ExternalEngine;
use crate::game::{CubeChoice, ExternalPlayer, MoveChoice};
use crate::protocol::child_process::{Output, ProcessPool};

/// How a UBGI engine is started and asked.
#[derive(Clone, Debug)]
pub struct UbgiSettings {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Whether it plays with the cube.
    pub cube: bool,
    /// Until it has answered the greeting.
    pub start: Duration,
    /// Until it has answered one question.
    pub answer: Duration,
}

/// Why a UBGI engine gave no usable answer.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum UbgiFailure {
    #[error("missing command: expected ubgi:COMMAND, such as ubgi:\"nonet ubgi\"")]
    NoCommand,
    #[error("cannot start {program}: {cause}")]
    Start { program: String, cause: io::Error },
    #[error("it ended after '{asked}' ({}){output}", how_it_ended(*.status))]
    Ended { asked: String, status: Option<ExitStatus>, output: Output },
    #[error("no answer to '{asked}' within {} s{output}", waited.as_secs_f64())]
    Stalled { asked: String, waited: Duration, output: Output },
    #[error("it refused '{asked}': {answer}")]
    Refused { asked: String, answer: String },
    #[error("it answered '{answer}' to '{asked}': expected {expected}")]
    Unexpected { asked: String, answer: String, expected: &'static str },
    #[error("illegal play: it answered '{answer}' to {dice} at {id}: {cause}")]
    Play { answer: String, dice: Dice, id: String, cause: PlayError },
    #[error(
        "it cannot play with the cube: UBGI 0.2 has no question for the answer to a double, and it does not announce the extension ext.take"
    )]
    NoCube,
}

fn how_it_ended(status: Option<ExitStatus>) -> String {
    status.map_or_else(|| "its output is closed".to_owned(), |status| status.to_string())
}

/// A UBGI engine in child processes: as many as threads ask at the same time. As a player it is
/// wrapped in [`External`](crate::eval::External).
#[derive(Debug)]
pub struct UbgiEngine {
    settings: UbgiSettings,
    name: String,
    idle: ProcessPool<UbgiProcess>,
}

impl UbgiEngine {
    /// Starts a first process.
    ///
    /// # Errors
    /// [`UbgiFailure`] if it does not start, does not answer the greeting, or cannot play with the
    /// cube where it must.
    pub fn start(settings: UbgiSettings) -> Result<UbgiEngine, UbgiFailure> {
        let first = UbgiProcess::start(&settings)?;
        let name = format!("ubgi:{}", first.name());
        Ok(UbgiEngine { settings, name, idle: ProcessPool::new(first) })
    }

    /// Asks an idle process, or a new one. A process that gave no usable answer is ended.
    fn ask(&self, question: &Question) -> Result<String, UbgiFailure> {
        let mut process = match self.idle.take() {
            Some(process) => process,
            None => UbgiProcess::start(&self.settings)?,
        };
        let answer = process.ask(question)?;
        self.idle.give_back(process);
        Ok(answer)
    }

    /// What is asked about a double: the player on roll has it in hand, or has offered it.
    fn ask_about_cube(
        &self,
        decision: &CubeChoice,
        turn: Turn,
    ) -> Result<(String, String), UbgiFailure> {
        let xgid = xgid(decision.position, decision.context, turn);
        let asked = format!("{xgid} go cube");
        let lines = format!("newgame\nposition xgid {xgid}\ngo cube\n");
        let answer = self.ask(&Question { lines, asked: asked.clone(), answer: "bestcube" })?;
        Ok((asked, answer))
    }
}

impl ExternalEngine for UbgiEngine {
    type Error = UbgiFailure;

    fn name(&self) -> &str {
        &self.name
    }
}

impl ExternalPlayer for UbgiEngine {
    fn choose(&self, decision: &MoveChoice) -> Result<usize, UbgiFailure> {
        let MoveChoice { position, dice, results, context } = *decision;
        let place = match context {
            None => format!("gnubgid {}", position.id()),
            Some(context) => format!("xgid {}", xgid(position, context, Turn::Rolled(dice))),
        };
        let (high, low) = (dice.high(), dice.low());
        let lines = format!("newgame\nposition {place}\ndice {high} {low}\ngo\n");
        let asked = format!("{place} {dice} go");
        let answer = self.ask(&Question { lines, asked, answer: "bestmove" })?;
        let read = position.read_play(&answer, dice).map_err(|cause| UbgiFailure::Play {
            answer: answer.clone(),
            dice,
            id: position.id(),
            cause,
        })?;
        let choice = results.iter().position(|&board| board == read.after);
        Ok(choice.expect("a play that was read is legal, so its board is among the results"))
    }

    fn doubles(&self, decision: &CubeChoice) -> Result<bool, UbgiFailure> {
        let (asked, answer) = self.ask_about_cube(decision, Turn::ToRoll)?;
        match answer.as_str() {
            "double" => Ok(true),
            "nodouble" => Ok(false),
            _ => Err(UbgiFailure::Unexpected {
                asked,
                answer,
                expected: "bestcube double or bestcube nodouble",
            }),
        }
    }

    fn answer(&self, decision: &CubeChoice) -> Result<Answer, UbgiFailure> {
        let (asked, answer) = self.ask_about_cube(decision, Turn::Offered(CubeOffer::Double))?;
        let beavers =
            matches!(decision.context.scoring.session(), Scoring::Money { beavers: true, .. });
        match answer.as_str() {
            "take" => Ok(Answer::Take),
            "drop" => Ok(Answer::Pass),
            "beaver" if beavers => Ok(Answer::Beaver),
            _ => {
                let expected = if beavers {
                    "bestcube take, drop or beaver"
                } else {
                    "bestcube take or bestcube drop"
                };
                Err(UbgiFailure::Unexpected { asked, answer, expected })
            }
        }
    }
}

/// The game as the player on roll sees it, who is X.
fn xgid(position: &Position, context: &CubeContext, turn: Turn) -> Xgid {
    let state = MatchState {
        scoring: context.scoring.session(),
        cube: context.cube,
        game: GamePhase::Playing,
        on_roll: Seat::X,
        turn,
        resigned: None,
    };
    Xgid::new(*position, state)
}

/// The words of a command line: separated by blanks, in quotation marks (`"` or `'`) with the
/// blanks in them.
#[must_use]
pub fn command_words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match (c, quote) {
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(open)) if c == open => quote = None,
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::Cube;
    use crate::cube::{CubeScoring, MatchEquityTable};

    #[test]
    fn a_command_is_split_at_blanks_outside_quotation_marks() {
        let words = |text: &str| command_words(text).join("|");
        assert_eq!(words("nonet ubgi  --ply 2"), "nonet|ubgi|--ply|2");
        assert_eq!(
            words("'/my games/engine' --net \"a b\".net ''"),
            "/my games/engine|--net|a b.net|"
        );
        assert!(command_words("  ").is_empty());
    }

    #[test]
    fn the_xgid_of_a_question_reads_back_as_the_game() {
        let score = Scoring::of_match(7, 6, 2, true).expect("a score");
        let scoring = CubeScoring::new(score, MatchEquityTable::kazaross_xg2()).expect("in reach");
        let context = CubeContext { scoring, cube: Cube::CENTRED };
        let text = xgid(&Position::START, &context, Turn::Offered(CubeOffer::Double)).to_string();
        assert_eq!(text, "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:6:2:1:7:10");
        let read: Xgid = text.parse().expect("an XGID");
        assert_eq!((read.state.scoring, read.state.cube), (score, Cube::CENTRED));
    }
}

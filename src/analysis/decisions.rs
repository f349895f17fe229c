//! The decisions of a recorded game, each with all that its analysis needs.

use super::{AnalysedCubeCall, AnalysedDecision, AnalysedPlay, CubeCall, DecisionKind, KEPT};
use crate::backgammon::record::{RecordEvent, RecordTurn, RecordedGame};
use crate::backgammon::{Cube, CubeOwner, Position, Scoring, Seat};
use crate::cube::MetError;
use crate::engine::CubeContext;
use crate::engine::Engine;

/// One event of a game.
pub(super) struct Question {
    player: Seat,
    number: usize,
    position: Position,
    /// Seen by the player on roll, who is the doubler while a double waits.
    terms: CubeContext,
    cube: Cube,
    what: Asked,
}

enum Asked {
    /// A roll; whether it is the first of the game, and whether the cube might have been turned before it.
    RecordTurn { turn: RecordTurn, first: bool, might_double: bool },
    /// A word about the cube.
    CubeCall(CubeCall),
}

/// All questions of a game, in order.
pub(super) fn questions(game: &RecordedGame, engine: &Engine) -> Result<Vec<Question>, MetError> {
    let mut all = Vec::new();
    let mut table = CubeTrack { position: Position::START, cube: 1, owner: None, number: 0 };
    let mut doubled: Option<(Seat, u32)> = None;
    let mut spoken = false;
    for event in game.events() {
        match *event {
            RecordEvent::Turn(turn) => {
                let first = table.number == 0;
                table.number += 1;
                let terms = table.terms(game, turn.player, engine)?;
                let might_double = !first && !spoken && terms.may_double();
                let what = Asked::RecordTurn { turn, first, might_double };
                all.push(table.question(turn.player, turn.player, terms, what));
                table.position = turn.after;
                spoken = false;
            }
            RecordEvent::Double { player, value } => {
                let terms = table.terms(game, player, engine)?;
                all.push(table.question(player, player, terms, Asked::CubeCall(CubeCall::Double)));
                (doubled, spoken) = (Some((player, value)), true);
            }
            RecordEvent::Take { player }
            | RecordEvent::Drop { player }
            | RecordEvent::Beaver { player, .. } => {
                let Some((doubler, value)) = doubled else { continue };
                let (call, now) = match *event {
                    RecordEvent::Take { .. } => (CubeCall::Take, value),
                    RecordEvent::Beaver { value, .. } => (CubeCall::Beaver, value),
                    _ => (CubeCall::Drop, value),
                };
                // An answer to a beaver is not judged: the same cube decision once more.
                if player != doubler {
                    let terms = table.terms(game, doubler, engine)?;
                    all.push(table.question(player, doubler, terms, Asked::CubeCall(call)));
                }
                doubled = Some((doubler, now));
                if call == CubeCall::Take {
                    (table.cube, table.owner) = (now, Some(doubler.other()));
                    doubled = None;
                }
            }
        }
    }
    Ok(all)
}

/// The game between two events.
struct CubeTrack {
    position: Position,
    cube: u32,
    owner: Option<Seat>,
    number: usize,
}

impl CubeTrack {
    fn question(&self, player: Seat, on_roll: Seat, terms: CubeContext, what: Asked) -> Question {
        let rolled = usize::from(!matches!(what, Asked::RecordTurn { .. }));
        let (number, cube) = (self.number + rolled, self.cube(on_roll));
        Question { player, number, position: self.position, terms, cube, what }
    }

    /// What the game is played for, seen by the player on roll.
    fn terms(
        &self,
        game: &RecordedGame,
        on_roll: Seat,
        engine: &Engine,
    ) -> Result<CubeContext, MetError> {
        let session = game.header().session;
        let session: Scoring = if on_roll == Seat::X { session } else { session.flipped() };
        engine.context(session, self.cube(on_roll))
    }

    /// The cube, seen by the player on roll.
    fn cube(&self, on_roll: Seat) -> Cube {
        let owner = match self.owner {
            None => CubeOwner::Centred,
            Some(owner) if owner == on_roll => CubeOwner::Own,
            Some(_) => CubeOwner::Opponent,
        };
        // Records have been replayed: their cubes are powers of two.
        Cube::new(self.cube, owner).unwrap_or(Cube::CENTRED)
    }
}

impl Question {
    /// The decisions behind it: none or one about the cube, and a play.
    pub(super) fn judged(&self, engine: &Engine) -> Vec<AnalysedDecision> {
        let position = self.position;
        let (player, number) = (self.player, self.number);
        let judged = |what| AnalysedDecision { player, number, position, cube: self.cube, what };
        match self.what {
            Asked::CubeCall(call) => vec![judged(DecisionKind::CubeCall(self.call(call, engine)))],
            Asked::RecordTurn { turn, first, might_double } => {
                let call = might_double.then(|| self.call(CubeCall::NoDouble, engine));
                let play = play(&turn, first, &self.terms, engine);
                let call = call.map(|call| judged(DecisionKind::CubeCall(call)));
                call.into_iter().chain([judged(DecisionKind::Play(play))]).collect()
            }
        }
    }

    fn call(&self, call: CubeCall, engine: &Engine) -> AnalysedCubeCall {
        let decision = engine.cube_decision(&self.position, &self.terms);
        let (no_double, take, pass) =
            (decision.no_double, decision.double_take, decision.double_pass);
        let loss = match call {
            CubeCall::NoDouble => decision.equity() - no_double,
            CubeCall::Double => no_double - take.min(pass),
            // What the doubler gains, the other player loses.
            CubeCall::Take | CubeCall::Beaver => take - pass,
            CubeCall::Drop => pass - take,
        };
        AnalysedCubeCall { call, decision, loss: loss.max(0.0) }
    }
}

fn play(turn: &RecordTurn, first: bool, terms: &CubeContext, engine: &Engine) -> AnalysedPlay {
    let mut plays = engine.rank(&turn.before, turn.dice, terms);
    let legal = plays.len();
    let is_played = |after: &Position| *after == turn.after;
    let played = plays.iter().position(|play| is_played(&play.candidate.after)).unwrap_or(0);
    // Before somebody is blamed, the play and the best one are judged equally deep, which filters may have spared.
    let deep = |place: usize| plays[place].plies == engine.plies();
    if played != 0 && !(deep(0) && deep(played)) {
        let pair = [&plays[0].candidate, &plays[played].candidate];
        [plays[0], plays[played]] = engine.compare(pair, terms);
    }
    let loss = (plays[0].equity - plays[played].equity).max(0.0);
    let luck = engine.luck(&turn.before, turn.dice, first);
    let mut kept: Vec<_> = plays.iter().take(KEPT).cloned().collect();
    let at = if played < KEPT {
        played
    } else {
        kept.push(plays[played].clone());
        KEPT
    };
    AnalysedPlay { dice: turn.dice, plays: kept, played: at, legal, loss, luck }
}

//! What a recorded game asks: each decision with all that whoever judges it must know.

use super::{Call, Judged, JudgedCall, JudgedPlay, KEPT, What};
use crate::backgammon::record::{Event, RecordedGame, Turn, Who};
use crate::backgammon::{Cube, CubeOwner, Position, Session};
use crate::cube::MetError;
use crate::engine::Adviser;
use crate::engine::Terms;

/// One event of a game.
pub(super) struct Question {
    who: Who,
    number: usize,
    position: Position,
    /// Seen by the player on roll, who is the doubler while a double waits.
    terms: Terms,
    cube: Cube,
    what: Asked,
}

enum Asked {
    /// A roll; whether it is the first of the game, and whether the cube might have been turned before it.
    Turn { turn: Turn, first: bool, might_double: bool },
    /// A word about the cube.
    Call(Call),
}

/// All questions of a game, in order.
pub(super) fn questions(game: &RecordedGame, adviser: &Adviser) -> Result<Vec<Question>, MetError> {
    let mut all = Vec::new();
    let mut table = Table { position: Position::START, cube: 1, owner: None, number: 0 };
    let mut doubled: Option<(Who, u32)> = None;
    let mut spoken = false;
    for event in game.events() {
        match *event {
            Event::Turn(turn) => {
                let first = table.number == 0;
                table.number += 1;
                let terms = table.terms(game, turn.who, adviser)?;
                let might_double = !first && !spoken && terms.stakes.may_double(terms.cube);
                let what = Asked::Turn { turn, first, might_double };
                all.push(table.question(turn.who, turn.who, terms, what));
                table.position = turn.after;
                spoken = false;
            }
            Event::Double { who, value } => {
                let terms = table.terms(game, who, adviser)?;
                all.push(table.question(who, who, terms, Asked::Call(Call::Double)));
                (doubled, spoken) = (Some((who, value)), true);
            }
            Event::Take { who } | Event::Drop { who } | Event::Beaver { who, .. } => {
                let Some((doubler, value)) = doubled else { continue };
                let (call, now) = match *event {
                    Event::Take { .. } => (Call::Take, value),
                    Event::Beaver { value, .. } => (Call::Beaver, value),
                    _ => (Call::Drop, value),
                };
                // An answer to a beaver is not judged: the same cube decision once more.
                if who != doubler {
                    let terms = table.terms(game, doubler, adviser)?;
                    all.push(table.question(who, doubler, terms, Asked::Call(call)));
                }
                doubled = Some((doubler, now));
                if call == Call::Take {
                    (table.cube, table.owner) = (now, Some(doubler.other()));
                    doubled = None;
                }
            }
        }
    }
    Ok(all)
}

/// The game between two events.
struct Table {
    position: Position,
    cube: u32,
    owner: Option<Who>,
    number: usize,
}

impl Table {
    fn question(&self, who: Who, on_roll: Who, terms: Terms, what: Asked) -> Question {
        let rolled = usize::from(!matches!(what, Asked::Turn { .. }));
        let (number, cube) = (self.number + rolled, self.cube(on_roll));
        Question { who, number, position: self.position, terms, cube, what }
    }

    /// What the game is played for, seen by the player on roll.
    fn terms(
        &self,
        game: &RecordedGame,
        on_roll: Who,
        adviser: &Adviser,
    ) -> Result<Terms, MetError> {
        let session = game.header().session;
        let session: Session = if on_roll == Who::A { session } else { session.flipped() };
        adviser.terms(session, self.cube(on_roll))
    }

    /// The cube, seen by the player on roll.
    fn cube(&self, on_roll: Who) -> Cube {
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
    pub(super) fn judged(&self, adviser: &Adviser) -> Vec<Judged> {
        let position = self.position;
        let (who, number) = (self.who, self.number);
        let judged = |what| Judged { who, number, position, cube: self.cube, what };
        match self.what {
            Asked::Call(call) => vec![judged(What::Call(self.call(call, adviser)))],
            Asked::Turn { turn, first, might_double } => {
                let call = might_double.then(|| self.call(Call::NoDouble, adviser));
                let play = play(&turn, first, &self.terms, adviser);
                let call = call.map(|call| judged(What::Call(call)));
                call.into_iter().chain([judged(What::Play(play))]).collect()
            }
        }
    }

    fn call(&self, call: Call, adviser: &Adviser) -> JudgedCall {
        let decision = adviser.cube(&self.position, &self.terms);
        let (no_double, take, pass) =
            (decision.no_double, decision.double_take, decision.double_pass);
        let loss = match call {
            Call::NoDouble => decision.equity() - no_double,
            Call::Double => no_double - take.min(pass),
            // What is good for the doubler is lost by whoever answers.
            Call::Take | Call::Beaver => take - pass,
            Call::Drop => pass - take,
        };
        JudgedCall { call, decision, loss: loss.max(0.0) }
    }
}

fn play(turn: &Turn, first: bool, terms: &Terms, adviser: &Adviser) -> JudgedPlay {
    let mut plays = adviser.plays(&turn.before, turn.dice, terms);
    let legal = plays.len();
    let is_played = |after: &Position| *after == turn.after;
    let played = plays.iter().position(|play| is_played(&play.candidate.after)).unwrap_or(0);
    // Before somebody is blamed, the play and the best one are judged equally deep, which filters may have spared.
    let deep = |place: usize| plays[place].plies == adviser.plies();
    if played != 0 && !(deep(0) && deep(played)) {
        let pair = [&plays[0].candidate, &plays[played].candidate];
        [plays[0], plays[played]] = adviser.compare(pair, terms);
    }
    let loss = (plays[0].equity - plays[played].equity).max(0.0);
    let luck = adviser.luck(&turn.before, turn.dice, first);
    let mut kept: Vec<_> = plays.iter().take(KEPT).cloned().collect();
    let at = if played < KEPT {
        played
    } else {
        kept.push(plays[played].clone());
        KEPT
    };
    JudgedPlay { dice: turn.dice, plays: kept, played: at, legal, loss, luck }
}

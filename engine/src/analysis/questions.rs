//! The decisions of a recorded game, each with everything that its analysis needs.

use serde::{Deserialize, Serialize};

use super::decision::{AnalysedCubeCall, AnalysedDecision, AnalysedPlay, CubeCall, DecisionKind};
use crate::backgammon::record::{RecordEvent, RecordTurn, RecordedGame};
use crate::backgammon::{Cube, CubeOwner, Dice, Position, Scoring, Seat};
use crate::cube::MetError;
use crate::engine::CubeContext;
use crate::engine::Engine;
use crate::game::SeenRoll;

/// The number of best plays that are kept.
const KEPT: usize = 5;

/// A play or a cube action to analyse.
pub(super) struct Question {
    player: Seat,
    number: usize,
    /// The index of its event.
    event: usize,
    /// Before the roll.
    pub(super) position: Position,
    /// Seen by the player on roll, who is the doubler if a double is answered.
    pub(super) context: CubeContext,
    cube: Cube,
    pub(super) asked: Asked,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) enum Asked {
    /// A roll and the board after its play.
    ///
    /// `first` tells whether it is the first roll of the game. `might_double` tells whether the
    /// player was allowed to double before it.
    Roll { dice: Dice, after: Position, first: bool, might_double: bool },
    /// A cube action.
    CubeCall(CubeCall),
}

/// All questions of a game, in order.
pub(super) fn questions(game: &RecordedGame, engine: &Engine) -> Result<Vec<Question>, MetError> {
    let mut all = Vec::new();
    let start = *game.start();
    let (position, owner) = (start.position, start.cube_owner);
    let mut track = CubeTrack { position, cube: start.cube, owner, number: 0, event: 0 };
    let mut doubled: Option<(Seat, u32)> = None;
    let (mut cube_used, mut beavered) = (false, false);
    // Automatic doubles turn the cube before the opening roll.
    let opens = start.position == Position::START && start.on_roll.is_none();
    for (index, event) in game.events().iter().enumerate() {
        track.event = index;
        if let Some(gap) = game.gaps().iter().find(|gap| gap.event == index) {
            track.position = gap.start.position;
        }
        match *event {
            RecordEvent::Turn(turn) => {
                let first = track.number == 0 && opens;
                track.position = turn.before;
                track.number += 1;
                let context = track.context(game, turn.player, engine)?;
                let may_double = !game.is_cubeless() && context.may_double();
                let might_double = !first && !cube_used && may_double;
                let RecordTurn { dice, after, .. } = turn;
                let kind = Asked::Roll { dice, after, first, might_double };
                all.push(track.question(turn.player, turn.player, context, kind));
                track.position = turn.after;
                cube_used = false;
            }
            RecordEvent::Double { player, value } => {
                if track.number == 0 && start.on_roll.is_none() && player == Seat::O {
                    track.position = start.position.flipped();
                }
                let context = track.context(game, player, engine)?;
                all.push(track.question(
                    player,
                    player,
                    context,
                    Asked::CubeCall(CubeCall::Double),
                ));
                (doubled, cube_used, beavered) = (Some((player, value)), true, false);
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
                // An answer to a beaver, or to a raccoon, repeats the cube decision.
                if player != doubler && !beavered {
                    let context = track.context(game, doubler, engine)?;
                    all.push(track.question(player, doubler, context, Asked::CubeCall(call)));
                }
                doubled = Some((doubler, now));
                beavered |= call == CubeCall::Beaver;
                if call == CubeCall::Take {
                    (track.cube, track.owner) = (now, Some(doubler.other()));
                    doubled = None;
                }
            }
        }
    }
    Ok(all)
}

/// The state of the game between two events.
struct CubeTrack {
    position: Position,
    cube: u32,
    owner: Option<Seat>,
    number: usize,
    event: usize,
}

impl CubeTrack {
    fn question(
        &self,
        player: Seat,
        on_roll: Seat,
        context: CubeContext,
        asked: Asked,
    ) -> Question {
        let rolled = usize::from(!matches!(asked, Asked::Roll { .. }));
        let (number, cube) = (self.number + rolled, self.cube(on_roll));
        let (event, position) = (self.event, self.position);
        Question { player, number, event, position, context, cube, asked }
    }

    /// Scoring and cube, seen by the player on roll.
    fn context(
        &self,
        game: &RecordedGame,
        on_roll: Seat,
        engine: &Engine,
    ) -> Result<CubeContext, MetError> {
        let scoring = game.header().scoring;
        let scoring: Scoring = if on_roll == Seat::X { scoring } else { scoring.flipped() };
        engine.context(scoring, self.cube(on_roll))
    }

    /// The cube, seen by the player on roll.
    fn cube(&self, on_roll: Seat) -> Cube {
        let owner = match self.owner {
            None => CubeOwner::Centred,
            Some(owner) if owner == on_roll => CubeOwner::Own,
            Some(_) => CubeOwner::Opponent,
        };
        // Recorded games are legal, so the value of the cube is a power of two.
        Cube::new(self.cube, owner).unwrap_or(Cube::CENTRED)
    }
}

impl Question {
    /// Its decisions, once it is known what they are.
    pub(super) fn analysed(&self, decisions: Vec<DecisionKind>) -> Vec<AnalysedDecision> {
        let CubeContext { scoring, cube } = &self.context;
        let even = scoring.utility_of_equity(0.0, cube.value());
        let analysed = |what| AnalysedDecision {
            player: self.player,
            number: self.number,
            position: self.position,
            cube: self.cube,
            scoring: scoring.session(),
            unit: unit(&self.context),
            even,
            event: self.event,
            what,
            rollout: None,
        };
        decisions.into_iter().map(analysed).collect()
    }
}

/// The value of a point of equity on a cube at 1.
fn unit(CubeContext { scoring, cube }: &CubeContext) -> f32 {
    let even = scoring.utility_of_equity(0.0, cube.value());
    scoring.utility_of_equity(1.0, cube.value()) - even
}

impl Asked {
    /// The number of its decisions.
    pub(super) const fn count(&self) -> usize {
        match self {
            Asked::Roll { might_double: true, .. } => 2,
            Asked::Roll { .. } | Asked::CubeCall(_) => 1,
        }
    }

    /// The decisions: a cube action, or a play with the decision not to double before it.
    pub(super) fn decisions(
        &self,
        position: &Position,
        context: &CubeContext,
        engine: &Engine,
    ) -> Vec<DecisionKind> {
        let cube = |call: CubeCall| {
            let decision = engine.cube_decision(position, context);
            DecisionKind::CubeCall(AnalysedCubeCall { call, decision, loss: call.loss(&decision) })
        };
        match *self {
            Asked::CubeCall(call) => vec![cube(call)],
            Asked::Roll { dice, ref after, first, might_double } => {
                let seen = SeenRoll { position, dice, opening: first, context: Some(context) };
                let call = might_double.then(|| cube(CubeCall::NoDouble));
                let play = play(&seen, after, context, engine);
                call.into_iter().chain([DecisionKind::Play(play)]).collect()
            }
        }
    }

    /// Whether these can be its decisions.
    pub(super) fn fits(&self, decisions: &[DecisionKind]) -> bool {
        let is_call = |found: &DecisionKind, expected: CubeCall| match found {
            DecisionKind::CubeCall(AnalysedCubeCall { call, decision, loss }) => {
                let values = [decision.no_double, decision.double_take, decision.double_pass];
                *call == expected && *loss >= 0.0 && values.iter().all(|value| value.is_finite())
            }
            DecisionKind::Play(_) => false,
        };
        let is_play = |found: &DecisionKind, rolled: Dice| match found {
            DecisionKind::Play(play) => {
                let AnalysedPlay { dice, plays, played, legal, loss, luck } = play;
                *dice == rolled
                    && *played < plays.len()
                    && plays.len() <= *legal
                    && *loss >= 0.0
                    && luck.is_finite()
                    && plays.iter().all(|play| play.equity.is_finite())
            }
            DecisionKind::CubeCall(_) => false,
        };
        match (*self, decisions) {
            (Asked::CubeCall(call), [one]) => is_call(one, call),
            (Asked::Roll { dice, might_double: false, .. }, [one]) => is_play(one, dice),
            (Asked::Roll { dice, might_double: true, .. }, [one, two]) => {
                is_call(one, CubeCall::NoDouble) && is_play(two, dice)
            }
            _ => false,
        }
    }
}

fn play(seen: &SeenRoll, made: &Position, context: &CubeContext, engine: &Engine) -> AnalysedPlay {
    let mut plays = engine.rank(seen.position, seen.dice, context);
    let legal = plays.len();
    let played = plays.iter().position(|play| play.candidate.after == *made).unwrap_or(0);
    // The move filters may have left one of the two plays at a lower depth: compare both at full
    // depth.
    let deep = |place: usize| engine.is_at_depth(&plays[place]);
    if played != 0 && !(deep(0) && deep(played)) {
        let pair = [&plays[0].candidate, &plays[played].candidate];
        [plays[0], plays[played]] = engine.compare(pair, context);
    }
    let loss = (plays[0].equity - plays[played].equity).max(0.0);
    let luck = engine.luck(seen) as f32 / unit(context);
    let mut kept: Vec<_> = plays.iter().take(KEPT).cloned().collect();
    let at = if played < KEPT {
        played
    } else {
        kept.push(plays[played].clone());
        KEPT
    };
    AnalysedPlay { dice: seen.dice, plays: kept, played: at, legal, loss, luck }
}

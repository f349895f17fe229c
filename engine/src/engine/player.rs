//! The engine as a player of games with and without the cube.

use rand_pcg::Pcg64;

use super::{Depth, Engine};
use crate::cube::Answer;
use crate::eval::{Evaluation, Evaluator, ExternalFailure, best_result};
use crate::game::{CubeChoice, MoveChoice, Player, PlayerDescription};
use crate::progress::Attachments;
use crate::search::Plies;

/// An engine that plays on the threads of its caller.
pub(super) struct EnginePlayer(pub(super) Engine);

impl Player for EnginePlayer {
    fn choose(
        &self,
        decision: &MoveChoice,
        values: &mut Vec<Evaluation>,
        rng: &mut Pcg64,
    ) -> usize {
        let engine = &self.0;
        match (decision.context, engine.depth()) {
            (None, Depth::Search(Plies::ONE)) => {
                best_result(engine.static_evaluator(), decision.results, values)
            }
            (None, Depth::Search(_)) => engine.search.choose(decision, values, rng),
            (context, _) => {
                values.clear();
                engine.best_result(decision.results, context)
            }
        }
    }

    fn doubles(&self, decision: &CubeChoice) -> bool {
        self.0.doubles(decision.position, decision.context)
    }

    fn answer(&self, decision: &CubeChoice) -> Answer {
        self.0.cube_decision(decision.position, decision.context).answer
    }

    fn static_eval(&self, values: &[Evaluation], choice: usize) -> Option<Evaluation> {
        if self.0.plies() == Plies::ONE { values.get(choice).copied() } else { None }
    }

    fn failure(&self) -> Option<&ExternalFailure> {
        self.0.static_evaluator().failure()
    }

    fn describe(&self, attachments: &mut Attachments) -> Option<PlayerDescription> {
        let engine = &self.0;
        Some(PlayerDescription::Engine {
            evaluator: engine.static_evaluator().describe(attachments)?,
            plies: engine.plies().get(),
            roller: engine.depth().roller().map(|roller| roller.name().to_owned()),
            cube_plies: engine.cube_plies().get(),
            settings: engine.search_settings().to_text(),
        })
    }
}

//! Decides plays and cube actions: plays with the players of `nonet eval`, cube actions with the
//! search of `nonet cube`.

use std::sync::Arc;

use rand_pcg::Pcg64;

use nonet_engine::analysis::{Summary, analyse, summaries};
use nonet_engine::backgammon::record::RecordedGame;
use nonet_engine::backgammon::{Dice, Position, Results};
use nonet_engine::cube::CubeDecision;
use nonet_engine::engine::{CubeContext, Engine};
use nonet_engine::eval::{Evaluation, Evaluator};
use nonet_engine::game::{MoveChoice, Player, StreamPurpose, stream};
use nonet_engine::progress::Progress;
use nonet_engine::search::{FullWidth, Plies};

/// Decides plays and cube actions with an engine.
pub struct Decider {
    evaluator: Arc<dyn Evaluator>,
    player: Arc<dyn Player>,
    cube: Engine,
    results: Results,
    values: Vec<Evaluation>,
    choices: Pcg64,
}

impl Decider {
    /// The depth of plays unless it is set.
    ///
    /// It is less than [`Engine::PLAY_PLIES`], because a pace that suits people leaves the slower
    /// machines no time for more.
    pub const PLIES: Plies = Plies::TWO;

    /// Plays with `engine`. Cube decisions, of which a game has few, are made at the engine's depth
    /// for them.
    #[must_use]
    pub fn new(engine: &Engine) -> Decider {
        Decider {
            evaluator: Arc::clone(engine.static_evaluator()),
            player: engine.player(),
            cube: engine.clone(),
            results: Results::default(),
            values: Vec::new(),
            choices: stream(1, StreamPurpose::Choice, 0),
        }
    }

    /// The board after the best play, and its cubeless equity in points per game. `context` is the
    /// score and the cube, seen by the player on roll; without it, the play is for money without a
    /// cube.
    pub fn play(
        &mut self,
        position: &Position,
        dice: Dice,
        context: Option<&CubeContext>,
    ) -> (Position, f32) {
        // In the order of the fast move generator: plays of equal value are decided as `nonet eval`
        // decides them.
        let results = self.results.of(position, dice);
        let choice = if results.len() == 1 {
            0
        } else {
            let decision = MoveChoice { position, dice, results, context };
            self.player.choose(&decision, &mut self.values, &mut self.choices)
        };
        let after = results[choice];
        (after, -self.evaluator.evaluate(&after).equity())
    }

    /// Luck and errors of both players in recorded games, own first, by static evaluation (1-ply);
    /// `None` if a score is out of reach of the match equity table.
    #[must_use]
    pub fn analyse(&self, games: &[RecordedGame]) -> Option<[Summary; 2]> {
        let engine = self.cube.with_plies(Plies::ONE).with_cube_plies(Plies::ONE);
        let analysed = engine.install(|| analyse(games, &engine, &Progress::default()));
        Some(summaries(&analysed.ok()??))
    }

    /// The value of a position before the roll: the mean over all rolls (1-ply search), more
    /// accurate than a static evaluation.
    #[must_use]
    pub fn before_roll(&self, position: &Position) -> Evaluation {
        FullWidth(&self.evaluator).evaluate(position)
    }

    /// Whether the player on roll should double, and whether the opponent should take.
    #[must_use]
    pub fn cube(&self, position: &Position, context: &CubeContext) -> CubeDecision {
        self.cube.cube_decision(position, context)
    }
}

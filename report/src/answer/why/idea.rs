//! The kind of idea behind the best decision, as a hint that does not name it.

use super::words::{Said, percent};
use nonet_engine::backgammon::{BoardView, GameState, Turn, candidates};
use nonet_engine::cube::CubeDecision;
use nonet_engine::engine::ScoredMove;
use nonet_engine::explain::{PlayEvent, shots};

/// An idea that at least this part of the legal plays has says nothing.
const COMMON: f32 = 0.75;

/// The name of an idea, and whether an event belongs to it.
type Idea = (&'static str, fn(&PlayEvent) -> bool);

/// Ideas from the most to the least pressing, with what the best play then does.
const IDEAS: [Idea; 8] = [
    ("idea-hit", |event| matches!(event, PlayEvent::Hits(_))),
    ("idea-anchor", |event| matches!(event, PlayEvent::Makes(18..=24))),
    ("idea-point", |event| matches!(event, PlayEvent::Makes(3..=7) | PlayEvent::ClosesBoard)),
    ("idea-block", |event| matches!(event, PlayEvent::Block(_) | PlayEvent::Makes(_))),
    ("idea-escape", |event| matches!(event, PlayEvent::Escapes(_))),
    ("idea-slot", |event| matches!(event, PlayEvent::Slots(_))),
    ("idea-back", |event| matches!(event, PlayEvent::ComesOut(_) | PlayEvent::Breaks(19..=24))),
    ("idea-clear", |event| matches!(event, PlayEvent::Clears(_))),
];

/// The idea of the best of `plays`, which are ranked.
///
/// ```
/// use nonet_engine::{Engine, GameState, Plies};
/// use nonet_report::answer::idea_of_play;
///
/// let engine = Engine::champion().with_plies(Plies::ONE);
/// let state: GameState = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10".parse()?;
/// let idea = idea_of_play(&state, &engine.moves(&state)?);
/// assert_eq!(idea.in_english(), "Look for a point to make.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn idea_of_play(state: &GameState, plays: &[ScoredMove]) -> Said {
    let kind = |name: &str| Said::new(name);
    let (Some(best), Some(dice)) = (plays.first(), state.dice()) else { return kind("idea-none") };
    let before = &state.position;
    let all = candidates(before, dice);
    if all.len() < 2 {
        return kind("idea-none");
    }
    let own = PlayEvent::of(before, &best.candidate);
    if !BoardView::of(best.after()).contact() {
        return kind(if before.own_left() < 15 { "idea-off" } else { "idea-race" });
    }
    let events: Vec<Vec<PlayEvent>> = all.iter().map(|play| PlayEvent::of(before, play)).collect();
    let is_rare = |fits: fn(&PlayEvent) -> bool| {
        let doing = events.iter().filter(|events| events.iter().any(fits)).count();
        (doing as f32) < COMMON * all.len() as f32
    };
    let found = IDEAS.iter().find(|(_, fits)| own.iter().any(fits) && is_rare(*fits));
    if let Some((name, _)) = found {
        return kind(name);
    }
    let shots = |play: &ScoredMove| shots(play.after());
    let least = plays.iter().map(shots).min().unwrap_or(0);
    let risky = plays.iter().filter(|play| shots(play) > least).count();
    match shots(best) == least && 2 * risky >= plays.len() {
        true => kind("idea-safe"),
        false => kind("idea-build"),
    }
}

/// What to think of in a cube decision: the race, the threats, or what a take needs.
#[must_use]
pub fn idea_of_cube(state: &GameState, decision: &CubeDecision) -> Said {
    if matches!(state.state.turn, Turn::Offered(_)) {
        let [dead, live] = decision.cash_points.map(|chance| percent(1.0 - chance, 0));
        return Said::new("idea-take").with("least", live).with("most", dead);
    }
    let contact = BoardView::of(&state.position).contact();
    Said::new(if contact { "idea-threats" } else { "idea-lead" })
}

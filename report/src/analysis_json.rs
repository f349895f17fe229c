//! The analysis of a match as JSON.

use serde_json::{Value, json};

use super::{AnalysedMatch, play_of, right_call, score_of};
use crate::answer::{OutcomeChances, RolloutGames};
use nonet_engine::analysis::{
    AnalysedDecision, Analysis, DecisionGroup, DecisionKind, PlayerRating, RolledChoice, Summary,
    Tally, by_class, by_group, final_score, luck_adjusted, summaries,
};
use nonet_engine::backgammon::{Scoring, Seat};
use nonet_engine::engine::Depth;
use nonet_engine::rollout::Roller;
use nonet_engine::search::Plies;

/// What the objects contain; the number rises when a key changes its meaning or goes.
pub const ANALYSIS_SCHEMA: &str = include_str!("analysis_schema.md");
const SCHEMA_NUMBER: u32 = 1;

/// A match as [`ANALYSIS_SCHEMA`] explains it; `depth` is that of plays, `cube_plies` that of cube
/// decisions, `net` the name of the net.
///
/// # Panics
/// If the match has no game.
#[must_use]
pub fn analysis_json(
    one: &AnalysedMatch,
    warnings: &[String],
    depth: Depth,
    cube_plies: Plies,
    net: &str,
) -> Value {
    let games = &one.games;
    let score = final_score(games);
    json!({
        "schema": SCHEMA_NUMBER,
        "file": one.file, "warnings": warnings, "plies": depth.plies().get(),
        "roller": depth.roller().map(Roller::name), "cube_plies": cube_plies.get(), "net": net,
        "names": games[0].game.header().names, "length": score.length, "points": score.points,
        "winner": score.winner.map(Seat::index), "luck_adjusted": luck_adjusted(games),
        "summary": both_summaries(games, summaries(games)),
        "by_class": Seat::BOTH.map(|seat| by_class(games, seat).iter()
            .map(|(class, tally)| of_tally("class", class.slug(), tally)).collect::<Vec<_>>()),
        "by_kind": Seat::BOTH.map(|seat| by_group(games, seat)
            .map(|(group, tally)| of_tally("kind", group.name(), &tally))),
        "games": games.iter().map(of_game).collect::<Vec<_>>(),
    })
}

fn of_game(analysis: &Analysis) -> Value {
    let decisions: Vec<Value> = analysis.decisions.iter().map(decision_json).collect();
    json!({
        "score": score_of(&analysis.game), "names": analysis.game.header().names, "decisions": decisions,
        "won": analysis.game.won().map(|(player, points)| json!({"player": player.index(), "points": points})),
        "summary": both_summaries(
            std::slice::from_ref(analysis),
            Seat::BOTH.map(|player| analysis.summary(player)),
        ),
    })
}

/// The summaries of both players of games, with the intervals of their PR.
fn both_summaries(games: &[Analysis], summaries: [Summary; 2]) -> [Value; 2] {
    Seat::BOTH.map(|seat| {
        let mut value = of_summary(&summaries[seat.index()]);
        value["interval"] = interval_of(&Tally::of_player(games, seat));
        value
    })
}

/// The 95 % interval of a PR; null where it cannot be known.
fn interval_of(tally: &Tally) -> Value {
    let interval = tally.pr().map(|pr| pr.interval95());
    match interval.filter(|(low, high)| low.is_finite() && high.is_finite()) {
        Some((low, high)) => json!([low.max(0.0), high]),
        None => Value::Null,
    }
}

fn of_tally(what: &str, name: &str, tally: &Tally) -> Value {
    let [doubtful, bad, very_bad] = tally.mistakes;
    let mut value = json!({
        "decisions": tally.decisions, "loss": tally.loss, "pr": tally.pr().map(|pr| pr.mean),
        "doubtful": doubtful, "bad": bad, "very_bad": very_bad, "interval": interval_of(tally),
    });
    value[what] = name.into();
    value
}

fn of_summary(summary: &Summary) -> Value {
    let [doubtful, bad, very_bad] = summary.mistakes;
    json!({
        "plays": summary.plays, "play_loss": summary.play_loss, "play_cost": summary.cost[0],
        "calls": summary.calls, "call_loss": summary.call_loss, "call_cost": summary.cost[1],
        "pr": summary.pr(), "rating": summary.pr().map(|pr| PlayerRating::word(pr, summary.plays + summary.calls)),
        "error_rate": summary.error_rate(), "doubtful": doubtful, "bad": bad, "very_bad": very_bad,
        "luck": summary.luck, "luck_utility": summary.luck_utility,
    })
}

/// A decision as [`ANALYSIS_SCHEMA`] explains it.
#[must_use]
pub fn decision_json(analysed: &AnalysedDecision) -> Value {
    let what = match &analysed.what {
        DecisionKind::CubeCall(call) => json!({
            "call": call.call.name(), "right": right_call(call), "no_double": call.decision.no_double,
            "double_take": call.decision.double_take, "double_pass": call.decision.double_pass,
            "outcomes": OutcomeChances::from(&call.decision.cubeless),
        }),
        DecisionKind::Play(play) => json!({
            "dice": play.dice.to_string(), "played": play_of(play.made()), "legal": play.legal,
            "luck": play.luck,
            "plays": play.plays.iter().map(|scored| json!({
                "play": play_of(scored), "after": scored.after().id(), "equity": scored.equity, "plies": scored.plies.get(),
                "rollout": scored.rollout.map(RolloutGames::from),
                "outcomes": OutcomeChances::from(&scored.value),
                "steps": analysed.position.steps_to(play.dice, scored.after()).unwrap_or_default()
                    .iter().map(|step| [step.from, step.to]).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
        }),
    };
    let mwc = match analysed.scoring {
        Scoring::Match(_) => Some(analysed.value_after(Seat::X)),
        Scoring::Money { .. } => None,
    };
    let state = analysed.state();
    let rollout = analysed.rollout.as_ref().map(|rolled| {
        let rows = rolled.rows.iter().map(|row| {
            let name = match (row.choice, &analysed.what) {
                (RolledChoice::Play(index), DecisionKind::Play(play)) => play_of(&play.plays[index]),
                (RolledChoice::NoDouble, _) => "no double".to_owned(),
                _ => "double, take".to_owned(),
            };
            json!({
                "choice": name, "games": row.equity.n, "equity": row.equity.mean, "stderr": row.equity.stderr,
                "outcomes": OutcomeChances::from(&row.value),
            })
        });
        json!({"searched_loss": rolled.searched_loss, "stderr": rolled.lost.stderr, "rows": rows.collect::<Vec<_>>()})
    });
    json!({
        "player": analysed.player.index(), "roll": analysed.number, "id": analysed.position.id(),
        "xgid": state.xgid(), "gnu_id": state.gnu_id(), "class": analysed.class().slug(),
        "kind": DecisionGroup::of(analysed).name(), "loss": analysed.loss(), "cost": analysed.cost(),
        "mark": analysed.severity().symbol(), "counts": analysed.counts(), "mwc_after": mwc, "decision": what,
        "rollout": rollout, "unit": analysed.unit, "even": analysed.even,
    })
}

#[cfg(test)]
mod tests {
    use super::ANALYSIS_SCHEMA as SCHEMA;

    /// Every key of the objects above, by reading this file.
    #[test]
    fn the_schema_explains_every_key_and_has_the_number() {
        let source = include_str!("analysis_json.rs");
        let code = source.split("#[cfg(test)]").next().expect("the code");
        let keys = code.match_indices("\": ").filter_map(|(end, _)| {
            let begin = code[..end].rfind('"')? + 1;
            Some(&code[begin..end])
        });
        for key in keys {
            assert!(SCHEMA.contains(&format!("`{key}`")), "{key} is not explained");
        }
        assert!(SCHEMA.contains(&format!("schema {}", super::SCHEMA_NUMBER)));
    }
}

//! `nonet cube`: cube decisions with their equities.

use std::io::{self, Write};

use nonet::backgammon::{CubeOffer, GameState, MatchState, Position, Scoring, Turn};
use nonet::cube::Answer;
use nonet::engine::Engine;
use nonet::search::{Plies, SearchSettings};
use serde_json::json;

use super::engine_args::{QuestionArgs, in_words, outcomes_json, percent, read_id};
use super::usage;

#[derive(clap::Args)]
pub(super) struct Args {
    /// XGID, GNU ID (POSITION:MATCH) or Position ID (money, the cube in the middle); its player may double.
    id: String,
    /// Search depth in plies, 1 (static) to 4; gnubg's numbers are one less.
    #[arg(long, alias = "cube-ply", value_name = "N", default_value = "3")]
    ply: Plies,
    #[command(flatten)]
    question: QuestionArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let GameState { position, state } = read_id(&args.id).map_err(usage)?;
    let engine = args.question.open(args.ply, SearchSettings::NORMAL)?.with_cube_plies(args.ply);
    let text = answer(&engine, &position, &state, args.question.json);
    io::stdout().write_all(text.map_err(usage)?.as_bytes())?;
    Ok(())
}

/// The decision explained.
pub(super) fn answer(
    engine: &Engine,
    position: &Position,
    state: &MatchState,
    json: bool,
) -> Result<String, String> {
    if matches!(state.turn, Turn::Offered(CubeOffer::Beaver | CubeOffer::Raccoon)) {
        return Err("beavers and raccoons have turned the cube already; give the position before the double".to_owned());
    }
    let context = engine.context(state.scoring, state.cube).map_err(|error| error.to_string())?;
    let decision = engine.cube_decision(position, &context);
    let prices = context.scoring.gammon_prices(2 * context.cube.value());
    let plies = engine.cube_plies();
    let source = engine.source_of(position);
    let (class, net) = (source.class(), source.name());
    if json {
        let utility = matches!(state.scoring, Scoring::Match(_)).then_some(decision.utility);
        let answer = json!({
            "id": position.id(), "plies": plies.get(), "action": decision.action, "answer": decision.answer,
            "redouble": decision.redouble, "words": decision.to_string(), "equity": decision.equity(),
            "no_double": decision.no_double, "double_take": decision.double_take,
            "double_pass": decision.double_pass, "match_winning_chances": utility,
            "cash_points": {"dead": decision.cash_points[0], "live": decision.cash_points[1]},
            "gammon_prices_after_double": [prices.0, prices.1],
            "cubeless": decision.cubeless.equity(), "outcomes": outcomes_json(&decision.cubeless),
            "class": class, "net": net,
        });
        return Ok(format!("{answer}\n"));
    }
    let mut text = format!("{position}\nX to roll; {}\n\n", in_words(state));
    let best = decision.equity();
    let word = if decision.redouble { "redouble" } else { "double" };
    let taken = if decision.answer == Answer::Beaver { "beaver" } else { "take" };
    let rows = [
        (format!("no {word}"), decision.no_double, 0),
        (format!("{word}, {taken}"), decision.double_take, 1),
        (format!("{word}, pass"), decision.double_pass, 2),
    ];
    for (name, equity, i) in rows {
        let utility = match state.scoring {
            Scoring::Match(_) => format!("   {:6.2} % of the match", 100.0 * decision.utility[i]),
            Scoring::Money { .. } => String::new(),
        };
        text += &format!("{name:<16} {equity:+.3} ({:+.3}){utility}\n", equity - best);
    }
    text += &format!("\n{decision}\n\n");
    text += &format!(
        "without the cube {:+.3} at {plies}: win {} lose (gammons, backgammons included); {class} ({net})\n",
        decision.cubeless.equity(),
        percent(&decision.cubeless)
    );
    let [dead, live] = decision.cash_points.map(|point| 100.0 * point);
    text += &format!(
        "with this share of gammons O passes from {dead:.1} % on if the cube is dead then, from {live:.1} % if it is live\n"
    );
    text += &format!(
        "gammon prices after a double: X {:.2}, O {:.2} (0.50 for money)\n",
        prices.0, prices.1
    );
    Ok(text)
}

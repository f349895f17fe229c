//! `nonet cube`: cube decisions with their equities.

use std::io::{self, Write};

use nonet::answer::{CubeAnswer, read_id};
use nonet::backgammon::GameState;
use nonet::cube::Answer;
use nonet::engine::{Engine, EngineError};
use nonet::search::{Plies, SearchSettings};

use super::engine_args::{QuestionArgs, in_words, json_line, percent};
use super::usage;

#[derive(clap::Args)]
pub(super) struct Args {
    /// XGID, GNU ID (POSITION:MATCH) or Position ID (money, the cube in the middle); its player may double.
    id: String,
    /// Search depth in plies, 1 (static) to 4; gnubg's numbers are one less.
    #[arg(long, alias = "cube-ply", value_name = "N", default_value = Engine::CUBE_PLIES.digit())]
    ply: Plies,
    #[command(flatten)]
    question: QuestionArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let state = read_id(&args.id).map_err(usage)?;
    let engine = args.question.open(args.ply, SearchSettings::NORMAL)?.with_cube_plies(args.ply);
    let text = answer(&engine, &state, args.question.json);
    io::stdout().write_all(text.map_err(usage)?.as_bytes())?;
    Ok(())
}

/// The decision explained.
pub(super) fn answer(engine: &Engine, state: &GameState, json: bool) -> Result<String, String> {
    let answer = CubeAnswer::of(engine, state).map_err(|error| match error {
        EngineError::CubeTurned => {
            "beavers and raccoons have turned the cube already; give the position before the double"
                .to_owned()
        }
        error => error.to_string(),
    })?;
    if json {
        return Ok(json_line(&answer));
    }
    let GameState { position, state } = state;
    let mut text = format!("{position}\nX to roll; {}\n\n", in_words(state));
    let word = if answer.redouble { "redouble" } else { "double" };
    let taken = if answer.answer == Answer::Beaver { "beaver" } else { "take" };
    let rows = [
        (format!("no {word}"), answer.no_double),
        (format!("{word}, {taken}"), answer.double_take),
        (format!("{word}, pass"), answer.double_pass),
    ];
    for (i, (name, equity)) in rows.into_iter().enumerate() {
        let utility = match answer.match_winning_chances {
            Some(chances) => format!("   {:6.2} % of the match", 100.0 * chances[i]),
            None => String::new(),
        };
        text += &format!("{name:<16} {equity:+.3} ({:+.3}){utility}\n", equity - answer.equity);
    }
    let CubeAnswer { words, plies, class, net, .. } = &answer;
    text += &format!("\n{words}\n\n");
    text += &format!(
        "without the cube {:+.3} at {plies}-ply: win {} lose (gammons, backgammons included); {class} ({net})\n",
        answer.cubeless,
        percent(&answer.outcomes)
    );
    let [dead, live] =
        [answer.cash_points.dead, answer.cash_points.live].map(|point| 100.0 * point);
    text += &format!(
        "with this share of gammons O passes from {dead:.1} % on if the cube is dead then, from {live:.1} % if it is live\n"
    );
    let [own, theirs] = answer.gammon_prices_after_double;
    text += &format!("gammon prices after a double: X {own:.2}, O {theirs:.2} (0.50 for money)\n");
    Ok(text)
}

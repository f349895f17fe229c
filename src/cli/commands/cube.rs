//! `nonet cube`: cube decisions with their equities.

use std::io::{self, Write};

use nonet::answer::{CubeAnswer, MatrixOptions, RolloutGames, read_id};
use nonet::backgammon::GameState;
use nonet::cube::Answer;
use nonet::engine::{Depth, Engine, EngineError};
use nonet::search::SearchSettings;
use nonet::stats::Z95;

use crate::cli::args::engine::QuestionArgs;
use crate::cli::args::position::position_id;
use crate::cli::args::scores::ScoresArgs;
use crate::cli::error::usage;
use crate::cli::output::answer::{CUBE_TURNED, evaluated_by, in_words, json_line, percent};
use crate::cli::output::examples::examples;
use crate::cli::output::score_matrix;
use crate::cli::output::terminal::Terminal;

/// Decide whether to double and whether to take.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Decide for money, with the cube in the middle", "nonet cube 4HPwATDgc/ABMA"),
    (
        "Decide in a match, given as XGID",
        "nonet cube XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:3:0:7:10",
    ),
    ("Decide at all scores to 5 points away", "nonet cube 4HPwATDgc/ABMA --scores=5"),
]))]
pub(crate) struct Args {
    /// Position: an XGID, GNU ID, Position ID, file (.xgp), or start.
    ///
    /// The player of the ID may double. A GNU ID is POSITION:MATCH. A Position ID alone is a money
    /// game with the cube in the middle.
    #[arg(value_parser = position_id)]
    id: String,
    /// Depth: 1 (static) to 4 plies, or roller, a short rollout.
    ///
    /// GNU Backgammon counts from 0: its 2-ply is nonet's 3-ply. A rollout decides where a 3-ply
    /// search leaves the double or the answer close.
    #[arg(
        long,
        alias = "cube-ply",
        value_name = "DEPTH",
        default_value = Engine::CUBE_PLIES.digit(),
        help_heading = "Engine"
    )]
    ply: Depth,
    #[command(flatten)]
    scores: ScoresArgs,
    #[command(flatten)]
    question: QuestionArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let state = read_id(&args.id).map_err(usage)?;
    let engine =
        args.question.open(args.ply, SearchSettings::NORMAL)?.with_cube_plies(args.ply.plies());
    let (json, terminal) = (args.question.json, Terminal::of_stdout());
    let text = match args.scores.scores {
        None => answer(&engine, &state, json, terminal),
        away => {
            let options = MatrixOptions { away, play: None };
            let answer = score_matrix::answer(&engine, &state, options, json, terminal);
            answer.map_err(|error| score_matrix::why_not(&error))
        }
    };
    io::stdout().write_all(text.map_err(usage)?.as_bytes())?;
    Ok(())
}

/// The decision explained.
pub(super) fn answer(
    engine: &Engine,
    state: &GameState,
    json: bool,
    terminal: Terminal,
) -> Result<String, String> {
    let answer = CubeAnswer::of(engine, state).map_err(|error| match error {
        EngineError::CubeTurned => CUBE_TURNED.to_owned(),
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
            Some(chances) => format!("   {:5.1} % of the match", 100.0 * chances[i]),
            None => String::new(),
        };
        text += &format!("{name:<16} {equity:+.3} ({:+.3}){utility}\n", equity - answer.equity);
    }
    let CubeAnswer { words, plies, rollout, class, source, .. } = &answer;
    let evaluated = evaluated_by(class, source);
    text += &format!("\n{words}\n\n");
    let depth = match rollout {
        Some(RolloutGames { games, stderr }) => {
            text += &format!(
                "rolled out, {games} games each; the difference of double and no double is ± {:.3}\n",
                Z95 * f64::from(*stderr)
            );
            "in the games".to_owned()
        }
        None => format!("at {plies}-ply"),
    };
    text += &format!(
        "without the cube {:+.3} {depth}: win {} lose (gammons, backgammons included); {evaluated}\n",
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
    Ok(terminal.folded(&text))
}

//! A score matrix in lines: a letter or an action for each score, and by how much.

use nonet::answer::{CubeInCell, MatrixError, MatrixOptions, PlayInCell, ScoreMatrix, ScoreStage};
use nonet::backgammon::{CubeOwner, GameState};
use nonet::cube::{Answer, CubeAction};
use nonet::engine::{Engine, EngineError};

use super::answer::{in_words, json_line};
use super::progress_bar::show_progress;
use super::terminal::Terminal;
use crate::cli::interrupt::interruptible;

/// The matrix of a question, as text or as a line of JSON.
pub(crate) fn answer(
    engine: &Engine,
    state: &GameState,
    options: MatrixOptions<'_>,
    json: bool,
    terminal: Terminal,
) -> Result<String, MatrixError> {
    let decisions = ScoreMatrix::decisions(state, options.away.unwrap_or(ScoreMatrix::AWAY));
    let matrix = show_progress("scores", decisions, &interruptible(), |progress| {
        ScoreMatrix::of(engine, state, options, progress)
    })?;
    if json {
        return Ok(json_line(&matrix));
    }
    let GameState { position, state } = state;
    let asks = match &matrix.dice {
        Some(dice) => format!("plays {dice}"),
        None => "to roll".to_owned(),
    };
    let head = format!("{position}\nX {asks}; {}\n\n", in_words(state));
    Ok(head + &in_text(&matrix, terminal))
}

/// Why there is no matrix of a cube decision, as `nonet cube` says it.
pub(crate) fn why_not(error: &MatrixError) -> String {
    match error {
        MatrixError::Engine(EngineError::CubeTurned) => super::answer::CUBE_TURNED.to_owned(),
        error => error.to_string(),
    }
}

fn in_text(matrix: &ScoreMatrix, terminal: Terminal) -> String {
    if matrix.cells.is_empty() {
        return "stopped before the first score was done\n".to_owned();
    }
    let wide = grid(matrix, true);
    let table = if terminal.holds(&wide) { wide } else { grid(matrix, false) };
    let gap = if matrix.plays.is_empty() { "" } else { "\n" };
    let mut text = legend(matrix) + gap + &table + "\n" + &places(matrix);
    if !matrix.complete {
        text += "stopped: the scores with a dot are missing\n";
    }
    text + &terminal.folded(&explained(matrix))
}

/// The plays with their letters.
fn legend(matrix: &ScoreMatrix) -> String {
    let wide = matrix.plays.iter().map(|play| play.play.chars().count()).max().unwrap_or(0);
    let row = |play: &nonet::answer::MatrixPlay| {
        let times = if play.cells == 1 { "score" } else { "scores" };
        let asked = if Some(&play.letter) == matrix.asked.as_ref() { ", asked" } else { "" };
        format!("{:>2} {:wide$}   best at {} {times}{asked}\n", play.letter, play.play, play.cells)
    };
    matrix.plays.iter().map(row).collect()
}

/// A row or column: the points that a side needs, and whether it is the Crawford game.
type Line = (u16, bool);

/// The scores, a row for the points that X needs and a column for those that O needs. `figures`
/// adds by how much.
fn grid(matrix: &ScoreMatrix, figures: bool) -> String {
    let crawford = matrix.cells.iter().any(|cell| cell.score == ScoreStage::Crawford);
    let lines: Vec<Line> = crawford
        .then_some((1, true))
        .into_iter()
        .chain((1..=matrix.away).map(|n| (n, false)))
        .collect();
    let name = |(away, crawford): Line| format!("{away}{}", if crawford { "C" } else { "" });
    let width = if figures { 7 } else { 3 };
    let mut text = String::new();
    for cell in matrix.cells.iter().filter(|cell| {
        let far = [cell.own_away, cell.opponent_away].into_iter().flatten().max();
        far.is_none_or(|far| far > matrix.away)
    }) {
        let score = match (cell.own_away, cell.opponent_away) {
            (Some(own), Some(other)) => format!("{own}-away {other}-away"),
            _ => "money".to_owned(),
        };
        let mark = if cell.given { "*" } else { " " };
        text += &format!("{mark}{score}  {}\n", told(&cell.play, &cell.cube, true));
    }
    text += &format!(
        "\nX \\ O{}\n",
        lines.iter().map(|line| format!("{:>width$}", name(*line))).collect::<String>()
    );
    for row in &lines {
        text += &format!("{:>5}", name(*row));
        for column in &lines {
            let is_here = |cell: &&nonet::answer::ScoreCell| {
                let away = (cell.own_away, cell.opponent_away) == (Some(row.0), Some(column.0));
                away && (row.1 || column.1) == (cell.score == ScoreStage::Crawford)
            };
            // Both sides cannot be in the Crawford game, and one that needs more is not.
            let exists = row.1 != column.1 && row.0 != column.0 || !row.1 && !column.1;
            let shown = match matrix.cells.iter().find(is_here).filter(|_| exists) {
                Some(cell) => {
                    let mark = if cell.given { "*" } else { "" };
                    format!("{mark}{}", told(&cell.play, &cell.cube, figures))
                }
                None if exists => ".".to_owned(),
                None => String::new(),
            };
            text += &format!("{shown:>width$}");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// The cube in other places.
fn places(matrix: &ScoreMatrix) -> String {
    let row = |cell: &nonet::answer::CubeCell| {
        let owner = match cell.owner {
            CubeOwner::Centred => "in the middle",
            CubeOwner::Own => "X's",
            CubeOwner::Opponent => "O's",
        };
        let equity = match (&cell.play, &cell.cube) {
            (Some(play), _) => format!("{} {:+.3}", play.letter, play.equity),
            (_, Some(cube)) => format!(
                "{}, no double {:+.3}, double {:+.3}",
                cube.words,
                cube.no_double,
                cube.double_take.min(1.0)
            ),
            _ => String::new(),
        };
        let loss = cell.play.as_ref().filter(|play| play.loss > 0.0);
        let loss = loss
            .map_or_else(String::new, |play| format!(" (asked {:+.3})", play.equity - play.loss));
        let mark = if cell.given { "*" } else { " " };
        format!("{mark}cube at {} {owner:<13}  {equity}{loss}\n", cell.value)
    };
    matrix.cubes.iter().map(row).collect()
}

/// What a cell says, in at most six characters.
fn told(play: &Option<PlayInCell>, cube: &Option<CubeInCell>, figures: bool) -> String {
    let (word, number) = match (play, cube) {
        (Some(play), _) => (play.letter.clone(), (play.loss > 0.0).then_some(play.loss)),
        (_, Some(cube)) => (
            action(cube).to_owned(),
            cube.ahead.map(|ahead| match cube.action {
                // The nearer of the two decisions that could be wrong.
                CubeAction::Double => ahead.min(cube.answer_ahead.unwrap_or(ahead)),
                _ => ahead,
            }),
        ),
        _ => return String::new(),
    };
    match number.filter(|_| figures) {
        Some(number) if number < 0.9995 => word + &format!("{number:.3}")[1..],
        Some(number) => word + &format!("{:.1}", number.min(9.9)),
        None => word,
    }
}

/// The letters of a cube decision.
fn action(cube: &CubeInCell) -> &'static str {
    match (cube.action, cube.answer) {
        (CubeAction::NotAvailable, _) => "-",
        (CubeAction::NoDouble, _) => "N",
        (CubeAction::TooGood, _) => "G",
        (CubeAction::Double, Answer::Take) => "T",
        (CubeAction::Double, Answer::Beaver) => "B",
        (CubeAction::Double, Answer::Pass) => "P",
    }
}

fn explained(matrix: &ScoreMatrix) -> String {
    let plies = matrix.plies;
    let what = match &matrix.asked {
        Some(asked) => format!("the best play, and what {asked} loses there"),
        None => {
            "N no double, T double and take, P double and pass, G too good to double, B double \
                 and beaver, - no cube; what the nearest mistake loses"
                .to_owned()
        }
    };
    format!(
        "{what}, at {plies}-ply in points on a cube at 1\nrows: points X needs; columns: points O needs; 1C is the Crawford game, 1 after it\n* the score and the cube of the question\n"
    )
}

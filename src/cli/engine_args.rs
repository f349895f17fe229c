//! The options that describe an engine, and what commands print of its answers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use nonet::backgammon::{Dice, GameState, GameStateError, MatchState, Position};
use nonet::cube::MatchEquityTable;
use nonet::engine::{BUILT_IN_NET, Engine};
use nonet::eval::Evaluation;
pub(crate) use nonet::report::outcomes_json;
use nonet::search::{Plies, SearchSettings};

use super::bearoff::databases;
use super::player_args::{BUILT_IN, open_team};
use super::{pool, usage};

/// The parts of an engine that a command may choose.
#[derive(clap::Args)]
pub(crate) struct EngineArgs {
    /// Net file that evaluates positions; `built-in` is the copy of nets/champion.nonet in this program.
    #[arg(long, value_name = "FILE", default_value = BUILT_IN)]
    pub(crate) net: String,
    /// Match equity table in GNU Backgammon's XML format. [default: Kazaross XG2, compiled in]
    #[arg(long, value_name = "FILE.xml")]
    met: Option<PathBuf>,
    /// Do not use the bearoff databases.
    #[arg(long, alias = "no-endings")]
    no_bearoff: bool,
    /// Threads; answers do not depend on it. [default: one per processor]
    #[arg(long)]
    pub(crate) threads: Option<usize>,
}

/// The depth of cube decisions, of commands that play or analyse.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct CubeDepthArgs {
    /// Search depth of cube decisions in plies, 1 to 4, whatever the depth of play. At 3 a decision takes milliseconds; 1 is for
    /// thousands of matches.
    #[arg(long, value_name = "N", default_value = "3")]
    pub(crate) cube_ply: Plies,
}

/// The options of commands that answer questions about positions.
#[derive(clap::Args)]
pub(crate) struct QuestionArgs {
    #[command(flatten)]
    engine: EngineArgs,
    /// Print each answer as one line of JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

impl QuestionArgs {
    /// What an answer depends on, in one line.
    pub(crate) fn description(&self) -> String {
        let EngineArgs { net, met, no_bearoff, .. } = &self.engine;
        let table = met.as_ref().map_or("Kazaross XG2".into(), |path| path.to_string_lossy());
        let bearoff = if *no_bearoff { "no bearoff databases" } else { "bearoff databases" };
        // By the contents of the net file: another net may be written to the same path.
        let net = match net.as_str() {
            BUILT_IN => crc32fast::hash(BUILT_IN_NET),
            path => std::fs::read(path).map_or(0, |bytes| crc32fast::hash(&bytes)),
        };
        format!("net {net:08x}, {table}, {bearoff}")
    }

    pub(crate) fn open(&self, plies: Plies, settings: SearchSettings) -> anyhow::Result<Engine> {
        self.engine.open(plies, settings)
    }
}

impl EngineArgs {
    pub(crate) fn open(&self, plies: Plies, settings: SearchSettings) -> anyhow::Result<Engine> {
        let pool = Arc::new(pool(self.threads)?);
        let mut builder = Engine::builder()
            .net(open_team(&self.net)?.team)
            .plies(plies)
            .search_settings(settings)
            .thread_pool(Arc::clone(&pool));
        if let Some(path) = &self.met {
            builder = builder.match_equity_table(read_table(path)?);
        }
        if !self.no_bearoff {
            builder = builder.bearoff(pool.install(databases)?);
        }
        Ok(builder.build()?)
    }
}

fn read_table(path: &Path) -> anyhow::Result<Arc<MatchEquityTable>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read {}", path.display()))
        .map_err(|error| usage(format!("{error:#}")))?;
    let table = MatchEquityTable::parse(&text);
    table.map(Arc::new).map_err(|error| usage(format!("{}: {error}", path.display())))
}

/// A question of the command line: a position and the roll, if there is one.
#[derive(Debug)]
pub(crate) struct PositionQuery {
    pub(crate) position: Position,
    /// Cube, score and turn.
    pub(crate) state: MatchState,
    pub(crate) dice: Option<Dice>,
}

/// A position with everything around it, from a Position ID, a GNU ID (`POSITION:MATCH`) or an XGID. A Position ID alone is
/// a money game without Jacoby and beavers, the cube in the middle. The game must not be over.
///
/// In a longer text, such as a board with its IDs pasted from another program, the first ID that says what it is counts: `XGID=`,
/// or `Position ID` with the `Match ID` after it, or a word with both.
pub(crate) fn read_id(text: &str) -> Result<GameState, String> {
    let whole = text.parse().map_err(|error: GameStateError| error.to_string());
    let game: GameState = match whole {
        Err(_) if text.trim().contains(char::is_whitespace) => {
            let Some(id) = id_in(text) else {
                return Err(
                    "no ID in the text: expected XGID=, a GNU ID or a Position ID".to_owned()
                );
            };
            id.parse().map_err(|error: GameStateError| error.to_string())?
        }
        whole => whole?,
    };
    if game.position.outcome().is_some() {
        return Err(format!("the game of {} is over: a side has no checkers left", text.trim()));
    }
    Ok(game)
}

/// The first ID in a pasted text.
fn id_in(text: &str) -> Option<String> {
    let word_after = |mark: &str| {
        let at = text.find(mark)? + mark.len();
        let rest = text[at..].trim_start().strip_prefix([':', '=']).unwrap_or(&text[at..]);
        rest.split_whitespace().next()
    };
    if let Some(xgid) = word_after("XGID") {
        return Some(format!("XGID={xgid}"));
    }
    if let Some(position) = word_after("Position ID") {
        let both = |id: &str| format!("{position}:{id}");
        return Some(word_after("Match ID").map_or_else(|| position.to_owned(), both));
    }
    let is_id = |word: &&str| word.contains(':') && word.parse::<GameState>().is_ok();
    text.split_whitespace().find(is_id).map(str::to_owned)
}

/// The roll of one or two words, as `31` or `3 1`.
pub(crate) fn dice_of(words: &[String]) -> Option<String> {
    (!words.is_empty()).then(|| words.concat())
}

/// A question: a position and the roll, which is that of the ID unless `dice` names one.
pub(crate) fn read_question(id: &str, dice: Option<&str>) -> Result<PositionQuery, String> {
    let GameState { position, state } = read_id(id)?;
    let dice = match dice {
        Some(dice) => Some(dice.parse().map_err(|e: nonet::backgammon::DiceError| e.to_string())?),
        None => state.dice(),
    };
    Ok(PositionQuery { position, state, dice })
}

/// The five customary numbers, cumulative, in per cent: wins, gammons and backgammons won, gammons and backgammons lost.
pub(crate) fn percent(value: &Evaluation) -> String {
    let [w, wg, wb, lg, lb] = value.cumulative().map(|chance| 100.0 * chance);
    format!("{w:5.1} {wg:5.1} {wb:5.1} - {:5.1} {lg:5.1} {lb:5.1}", 100.0 - w)
}

/// Cube and score in a line.
pub(crate) fn in_words(state: &MatchState) -> String {
    state.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_found_in_a_pasted_text() {
        let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:2:1:0:7:10";
        let pasted = format!(
            "X:Player 1   O:Player 2\nScore is X:2 O:1 7 pt.(s) match.\n\n{xgid}\n\nX to play 52\n"
        );
        assert_eq!(read_id(&pasted), read_id(xgid));
        // What GNU Backgammon prints above its board.
        let board = " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : cAkAAAAAAAAA\n +13-14-15";
        assert_eq!(read_id(board), read_id("4HPwATDgc/ABMA:cAkAAAAAAAAA"));
        let line = "please look at 4HPwATDgc/ABMA:cAkAAAAAAAAA from last night";
        assert_eq!(read_id(line), read_id("4HPwATDgc/ABMA:cAkAAAAAAAAA"));
        assert!(read_id("dear friend,").is_err_and(|error| error.contains("no ID in the text")));
        assert!(read_id("hello").is_err());
    }
}

//! The engine that commands ask: a net, databases of endings, a match equity table, a depth.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use nonet::backgammon::{Dice, GnuId, MatchState, Position, Scoring, Xgid};
use nonet::bearoff::{BearoffDatabases, BearoffEvaluator};
use nonet::class::Class;
use nonet::cube::CubeScoring;
use nonet::cube::MatchEquityTable;
use nonet::engine::Engine;
use nonet::eval::Evaluation;
use nonet::eval::{Evaluator, Specialists};
use nonet::search::{Cache, Plies, Search, SearchSettings};
use serde_json::json;

use super::bearoff::databases;
use super::players::{BUILT_IN, BUILT_IN_NET, open_team};
use super::{pool, usage};

/// Who judges, by which tables, and on how many threads.
#[derive(clap::Args)]
pub(crate) struct JudgeArgs {
    /// The net file that judges; `built-in` is nets/champion.nonet as it was when this program was made.
    #[arg(long, value_name = "FILE", default_value = BUILT_IN)]
    pub(crate) net: String,
    /// Match equity table in GNU Backgammon's XML format. [default: Kazaross XG2, compiled in]
    #[arg(long, value_name = "FILE.xml")]
    met: Option<PathBuf>,
    /// Do without the bearoff databases.
    #[arg(long)]
    no_endings: bool,
    /// Threads; the answer does not depend on it. [default: as many as the machine has]
    #[arg(long)]
    pub(crate) threads: Option<usize>,
}

/// What every command that answers one question after the other is told.
#[derive(clap::Args)]
pub(crate) struct EngineArgs {
    #[command(flatten)]
    judge: JudgeArgs,
    /// The answer as JSON, one line for each question.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Judgements that a search at 3 plies or more remembers: some 6 MB.
const REMEMBERED: usize = 1 << 16;

/// The engine.
pub(crate) struct CliEngine {
    pub(crate) search: Search<Arc<dyn Evaluator>>,
    pub(crate) pool: rayon::ThreadPool,
    pub(crate) team: Arc<Specialists>,
    pub(crate) endings: Option<Arc<BearoffDatabases>>,
    pub(crate) table: Arc<MatchEquityTable>,
}

impl EngineArgs {
    /// What an answer depends on.
    pub(crate) fn words(&self) -> String {
        let table =
            self.judge.met.as_ref().map_or("Kazaross XG2".into(), |path| path.to_string_lossy());
        let endings = if self.judge.no_endings { "no endings" } else { "endings" };
        // By what the net is, not where it lies: another one may come to stand there.
        let net = match self.judge.net.as_str() {
            BUILT_IN => crc32fast::hash(BUILT_IN_NET),
            path => std::fs::read(path).map_or(0, |bytes| crc32fast::hash(&bytes)),
        };
        format!("net {net:08x}, {table}, {endings}")
    }

    pub(crate) fn open(&self, plies: Plies, effort: SearchSettings) -> anyhow::Result<CliEngine> {
        self.judge.open(plies, effort)
    }
}

impl JudgeArgs {
    pub(crate) fn open(&self, plies: Plies, effort: SearchSettings) -> anyhow::Result<CliEngine> {
        let pool = pool(self.threads)?;
        let team = open_judge(&self.net)?;
        let table =
            self.met.as_deref().map_or_else(|| Ok(MatchEquityTable::kazaross_xg2()), table)?;
        let endings = if self.no_endings { None } else { Some(pool.install(databases)?) };
        let search = Search::new(with_endings(&team, endings.as_ref()), plies, effort);
        let search = if plies > Plies::TWO {
            search.cached(Arc::new(Cache::new(REMEMBERED)))
        } else {
            search
        };
        Ok(CliEngine { search, pool, team, endings, table })
    }
}

/// The team that a word names.
pub(crate) fn open_judge(word: &str) -> anyhow::Result<Arc<Specialists>> {
    Ok(Arc::new(open_team(word)?.team.quantized()))
}

/// The team, asking databases where they know better.
pub(crate) fn with_endings(
    team: &Arc<Specialists>,
    endings: Option<&Arc<BearoffDatabases>>,
) -> Arc<dyn Evaluator> {
    match endings {
        Some(databases) => Arc::new(BearoffEvaluator::new(Arc::clone(team), Arc::clone(databases))),
        None => Arc::clone(team) as Arc<dyn Evaluator>,
    }
}

fn table(path: &Path) -> anyhow::Result<Arc<MatchEquityTable>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read {}", path.display()))
        .map_err(|error| usage(format!("{error:#}")))?;
    let table = MatchEquityTable::parse(&text);
    table.map(Arc::new).map_err(|error| usage(format!("{}: {error}", path.display())))
}

impl CliEngine {
    /// The same as an adviser of front ends.
    pub(crate) fn adviser(&self) -> Engine {
        Engine::new(self.search.clone(), Arc::clone(&self.table))
    }

    /// What the game is played for.
    pub(crate) fn stakes(&self, session: Scoring) -> Result<CubeScoring, String> {
        CubeScoring::new(session, Arc::clone(&self.table)).map_err(|error| error.to_string())
    }

    /// The class of a position, and who judges it.
    pub(crate) fn judge_of(&self, position: &Position) -> (&'static str, &str) {
        if position.outcome().is_some() {
            return ("over", "the rules");
        }
        let class = Class::of(position);
        let known = self.endings.as_ref().and_then(|databases| databases.evaluation(position));
        let net = || self.team.nets()[self.team.net_of(class)].name.as_str();
        (class.slug(), if known.is_some() { "bearoff" } else { net() })
    }
}

/// A position with everything around it, from a Position ID, a GNU ID (`POSITION:MATCH`) or an XGID. A Position ID alone is
/// a money game without Jacoby and beavers, the cube in the middle. The game must not be over.
pub(crate) fn read_id(text: &str) -> Result<(Position, MatchState), String> {
    let (position, state) = if text.matches(':').count() > 1 || text.starts_with("XGID") {
        let Xgid { position, state, .. } = text.parse().map_err(|e| format!("{e}"))?;
        (position, state)
    } else if text.contains(':') {
        let GnuId { position, state } = text.parse().map_err(|e| format!("{e}"))?;
        (position, state)
    } else {
        let money = Scoring::Money { jacoby: false, beavers: false };
        (Position::from_id(text).map_err(|e| e.to_string())?, MatchState::new(money))
    };
    if position.outcome().is_some() {
        return Err(format!("the game of {text} is over: a side has no checkers left"));
    }
    Ok((position, state))
}

/// A question: a position and the roll, if there is one.
pub(crate) fn read_question(
    id: &str,
    dice: Option<&str>,
) -> Result<(Position, MatchState, Option<Dice>), String> {
    let (position, state) = read_id(id)?;
    let dice = match dice {
        Some(dice) => Some(dice.parse().map_err(|e: nonet::backgammon::DiceError| e.to_string())?),
        None => state.dice(),
    };
    Ok((position, state, dice))
}

/// The five customary numbers, cumulative, in per cent: wins, gammons and backgammons won, gammons and backgammons lost.
pub(crate) fn percent(value: &Evaluation) -> String {
    let [w, wg, wb, lg, lb] = value.cumulative().map(|chance| 100.0 * chance);
    format!("{w:5.1} {wg:5.1} {wb:5.1} - {:5.1} {lg:5.1} {lb:5.1}", 100.0 - w)
}

/// The same as JSON, 0..1.
pub(crate) fn outcomes_json(value: &Evaluation) -> serde_json::Value {
    let [w, wg, wb, lg, lb] = value.cumulative();
    json!({"win": w, "win_gammon": wg, "win_backgammon": wb, "lose_gammon": lg, "lose_backgammon": lb})
}

/// Cube and score in a line.
pub(crate) fn in_words(state: &MatchState) -> String {
    use nonet::backgammon::CubeOwner;
    let session = match state.session {
        Scoring::Money { jacoby, beavers } => {
            let rule = |on: bool, name| if on { format!(", {name}") } else { String::new() };
            format!("money{}{}", rule(jacoby, "Jacoby rule"), rule(beavers, "beavers"))
        }
        Scoring::Match(score) => {
            let game = if score.is_crawford() { ", Crawford game" } else { "" };
            let (own, opponent) = (score.own(), score.opponent());
            format!("match to {}, X {own}, O {opponent}{game}", score.length())
        }
    };
    let owner = match state.cube.owner() {
        CubeOwner::Centred => "in the middle",
        CubeOwner::Own => "owned by X",
        CubeOwner::Opponent => "owned by O",
    };
    format!("{session}; cube {} {owner}", state.cube.value())
}

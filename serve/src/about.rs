//! What this server is: its version, what it may do, and which records it reads.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::App;
use crate::defaults;
use nonet_engine::analysis::PlayerRating;
use nonet_engine::backgammon::record::Format;
use nonet_engine::class::Class;
use nonet_engine::eval::Architecture;

/// What this server is.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ServerAnswer {
    version: &'static str,
    /// Depth of plays where a question leaves it out.
    ply: u8,
    /// Depth of cube decisions where a question leaves it out.
    cube_ply: u8,
    /// Whether it may train.
    trains: bool,
    /// Whether it watches a bot.
    bot: bool,
    /// The formats of records that it reads.
    formats: Vec<FormatAnswer>,
    /// Architectures of nets, by name.
    architectures: Vec<ArchitectureAnswer>,
    /// The titles of players by their PR, the best first.
    ratings: Vec<TitleAnswer>,
    /// The decisions that a PR must have to get a title.
    rating_decisions: u32,
}

/// A title by the PR.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TitleAnswer {
    #[schema(example = "expert")]
    word: &'static str,
    /// The PR at which the title ends; null for the last one.
    #[schema(example = 7.5)]
    below: Option<f32>,
}

impl TitleAnswer {
    fn of((rating, end): (PlayerRating, f32)) -> TitleAnswer {
        TitleAnswer { word: rating.name(), below: end.is_finite().then_some(end) }
    }
}

/// A format of records.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct FormatAnswer {
    /// A word for programs, which have names of their own.
    #[schema(example = "sgf")]
    code: &'static str,
    #[schema(example = "SGF of GNU Backgammon")]
    name: &'static str,
    /// How names of its files usually end.
    endings: &'static [&'static str],
}

impl FormatAnswer {
    const fn of(format: Format) -> FormatAnswer {
        let code = match format {
            Format::Mat => "mat",
            Format::Sgf => "sgf",
            Format::Sgg => "sgg",
            Format::Oldmoves => "oldmoves",
            Format::GnubgText => "gnubg-text",
            Format::Compact => "compact",
            Format::Xg => "xg",
            Format::Bgf => "bgf",
        };
        FormatAnswer { code, name: format.name(), endings: format.endings() }
    }
}

/// An architecture of nets.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ArchitectureAnswer {
    #[schema(example = "medium")]
    name: &'static str,
    #[schema(example = "nine nets, 24/24/64 hidden units, softmax outcomes")]
    meaning: &'static str,
    nets: Vec<NetAnswer>,
}

/// A net of an architecture.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct NetAnswer {
    /// Its name.
    name: &'static str,
    /// The classes of positions that it evaluates.
    classes: Vec<&'static str>,
    /// The inputs that it reads.
    inputs: usize,
    /// Units of its hidden layers; none for a linear net.
    hidden: Vec<usize>,
}

/// The architectures that the page of training offers.
const OFFERED: [&str; 8] =
    ["medium", "small", "large", "swift", "linear", "single", "single-linear", "single-raw"];

impl ArchitectureAnswer {
    fn of(architecture: &Architecture) -> ArchitectureAnswer {
        let mut nets: Vec<NetAnswer> = Vec::new();
        for class in Class::all() {
            let name = architecture.net_of(class);
            if let Some(net) = nets.iter_mut().find(|net| net.name == name) {
                net.classes.push(class.slug());
                continue;
            }
            let encoding = architecture.encoding_of(class);
            let reads = |input: &&_| architecture.inputs.reads(input);
            let inputs = encoding.layout().iter().filter(reads).count();
            let hidden = [architecture.hidden(encoding), architecture.second(encoding)];
            let hidden = hidden.into_iter().filter(|&units| units > 0).collect();
            nets.push(NetAnswer { name, classes: vec![class.slug()], inputs, hidden });
        }
        ArchitectureAnswer { name: architecture.name(), meaning: architecture.meaning(), nets }
    }
}

/// What this server is, what it may do, and which records it reads.
#[utoipa::path(get, operation_id = "show_server", path = "/api/v1/server", tag = "server", responses(
    (status = 200, description = "What this server is", body = ServerAnswer)))]
pub(super) async fn show(State(app): State<Arc<App>>) -> Json<ServerAnswer> {
    let offered = OFFERED.into_iter().filter_map(Architecture::named);
    Json(ServerAnswer {
        version: env!("CARGO_PKG_VERSION"),
        ply: defaults::ply(),
        cube_ply: defaults::cube_ply(),
        trains: app.runs.trains(),
        bot: app.config.bot.is_some(),
        formats: Format::READ.iter().copied().map(FormatAnswer::of).collect(),
        architectures: offered.map(|one| ArchitectureAnswer::of(&one)).collect(),
        ratings: PlayerRating::ALL.into_iter().map(TitleAnswer::of).collect(),
        rating_decisions: PlayerRating::LEAST_DECISIONS,
    })
}

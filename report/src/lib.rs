//! Reports: SVG charts and self-contained HTML pages.
//!
//! A chart renders to an SVG string and a page to HTML. Neither reads a clock or a disk, and the
//! same input gives the same bytes. plotters writes the SVG elements, in `canvas` alone. The layout
//! is computed here. Without a font library plotters does not know the width of a text, and its own
//! axes and legends overlap.
//!
//! ```
//! use nonet_report::{Axis, Chart, LineChart, Page, PlotSeries};
//!
//! let (games, equity) = (Axis::new("games learned", "games"), Axis::new("equity", "ppg"));
//! let line = PlotSeries::line("ours", [(0.0, -0.2), (100e3, 0.1), (200e3, 0.3)]);
//! let curve = LineChart::new("Learning curve", games, equity)
//!     .command("nonet train --games 200000")
//!     .series(line.band("± 1 s.e.", [0.01; 3]))
//!     .reference(0.0, "parity");
//! let html = Page::new("A run").paragraph("Nine nets, one seed.").chart(&curve)?.render();
//! assert!(html.contains("<svg"));
//! # Ok::<(), nonet_report::ReportError>(())
//! ```

pub mod answer;
pub mod person_match;

mod analysis_json;
mod analysis_page;
mod analysis_sgf;
mod bars;
mod board;
mod board_look;
mod calibration;
mod canvas;
mod chart;
mod chart_checks;
mod data_series;
mod knowledge_part;
mod layout;
mod legend;
mod net_inputs;
mod page;
mod palette;
mod panels;
mod run_comparison;
mod run_files;
mod run_session;
mod scale;
mod text;
mod training_run_charts;
mod training_run_page;

pub use analysis_json::{ANALYSIS_SCHEMA, analysis_json, decision_json};
pub use analysis_page::{
    AnalysedMatch, analysis_page, collection_page, cost_of, decision_of, most_frequent_player,
    play_of, result_of, right_call, score_of, severity_name, side_of, title_of, worst_first,
};
pub use analysis_sgf::analysis_sgf;
pub use bars::BarChart;
pub use board::BoardDiagram;
pub use board_look::BOARD_LOOK;
pub use calibration::{calibration_charts, calibration_text};
pub use chart::LineChart;
pub use data_series::{BarSeries, PlotSeries};
pub use net_inputs::{NetInputs, net_inputs_page};
pub use page::{HtmlTable, Page};
pub use panels::PanelChart;
pub use run_comparison::comparison_chart;
pub use run_files::{RunFiles, opponent_of_tests};
pub use run_session::RunSession;
pub use text::{time_estimate, time_taken};
pub use training_run_charts::smoothed;
pub use training_run_page::RunReport;

/// Why a chart was not drawn.
///
/// ```
/// use nonet_report::{Axis, Chart, LineChart, ReportError};
///
/// let empty = LineChart::new("Empty", Axis::new("x", "games"), Axis::new("y", "points"));
/// assert!(matches!(empty.render(), Err(ReportError::Empty { .. })));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// There is no series, or no category.
    #[error("the chart '{chart}' is empty: it needs at least one {what}")]
    Empty {
        /// The title of the chart.
        chart: String,
        /// What is missing.
        what: &'static str,
    },
    /// A title, a series, an axis or its unit has no name.
    #[error("the chart '{chart}' has no name for its {what}")]
    Unnamed {
        /// The title of the chart.
        chart: String,
        /// What has no name.
        what: &'static str,
    },
    /// A series or its error band has the wrong number of values.
    #[error(
        "the {part} of '{series}' in the chart '{chart}' has {found} entries, expected {wanted}"
    )]
    Count {
        /// The title of the chart.
        chart: String,
        /// The name of the series.
        series: String,
        /// Which of its lists.
        part: &'static str,
        /// The length of that list.
        found: usize,
        /// The length it should have.
        wanted: usize,
    },
    /// A number is NaN, infinite or beyond 1e300, or a half-width is negative.
    #[error("entry {index} of '{series}' in the chart '{chart}' is {value}, which cannot be drawn")]
    Number {
        /// The title of the chart.
        chart: String,
        /// The name of the series, or of the reference line.
        series: String,
        /// Which entry, from 0.
        index: usize,
        /// The number.
        value: f64,
    },
    /// There are more series than colours that a reader can tell apart.
    #[error(
        "the chart '{chart}' has {found} series; more than {most} cannot be told apart, so split it"
    )]
    Crowded {
        /// The title of the chart.
        chart: String,
        /// How many series it has.
        found: usize,
        /// How many it may have.
        most: usize,
    },
    /// The SVG could not be written.
    #[error("the SVG could not be written")]
    Draw(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// What an axis measures and in which unit: "equity against PubEval" in "points per game".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    what: String,
    unit: String,
}

impl Axis {
    /// An axis; a chart refuses one without a name or without a unit.
    #[must_use]
    pub fn new(what: impl Into<String>, unit: impl Into<String>) -> Axis {
        Axis { what: what.into(), unit: unit.into() }
    }

    /// The axis label, "equity (points per game)". A unit that is a word of the name, as in "games
    /// learned", is not repeated.
    fn label(&self) -> String {
        let said = self.what == self.unit || self.what.split(' ').any(|word| word == self.unit);
        if said { self.what.clone() } else { format!("{} ({})", self.what, self.unit) }
    }
}

/// Something that is drawn as one SVG picture.
pub trait Chart {
    /// The picture as an SVG document with a white background; the same chart gives the same bytes.
    ///
    /// # Errors
    /// When there is nothing to draw, a name is missing, or a number cannot be drawn.
    fn render(&self) -> Result<String, ReportError>;
}

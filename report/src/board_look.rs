//! What boards look like: the geometry and the colours of `board_look.json`, which pictures of
//! reports and the pages of the server draw with. `serve/src/assets/board/geometry.js` places
//! things by the same rules; a test compares both.

use std::fmt::Write as _;
use std::sync::LazyLock;

use serde::Deserialize;

/// The geometry and the colours of a board, as JSON.
pub const BOARD_LOOK: &str = include_str!("board_look.json");

/// Lengths in the units of the picture.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Geometry {
    pub(super) frame: f64,
    pub(super) point: f64,
    bar: f64,
    tray: f64,
    pub(super) height: f64,
    pub(super) edge: f64,
    pub(super) long: f64,
    pub(super) radius: f64,
    stack: u8,
    bar_gap: f64,
    bar_stack: u8,
    pub(super) piece: f64,
    /// The room for an owned cube between the edge and the checkers borne off.
    off_gap: f64,
    /// How far from the middle of the board the trays end.
    tray_end: f64,
    pub(super) cube: f64,
    cube_away: f64,
    pub(super) die: f64,
    die_gap: f64,
    pub(super) pip: f64,
    pub(super) pip_step: f64,
    pub(super) ring: f64,
}

/// The colours of a board. Those of checkers: lit, body, low, edge.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Theme {
    pub(super) frame: String,
    pub(super) rim: String,
    pub(super) felt: String,
    pub(super) odd: String,
    pub(super) even: String,
    pub(super) label: String,
    pub(super) light: [String; 4],
    pub(super) dark: [String; 4],
    pub(super) light_ink: String,
    pub(super) dark_ink: String,
}

#[derive(Debug, Deserialize)]
struct Themes {
    walnut: Theme,
}

/// The colours of arrows.
#[derive(Debug, Deserialize)]
pub(super) struct ArrowColours {
    pub(super) best: String,
    pub(super) played: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Look {
    pub(super) geometry: Geometry,
    /// The places of the pips of each face, 0 to 8 by rows.
    pub(super) pips: [Vec<u8>; 6],
    pub(super) arrows: ArrowColours,
    themes: Themes,
}

/// The look of all boards.
#[allow(clippy::expect_used, reason = "a file of this crate, which its tests read")]
pub(super) static LOOK: LazyLock<Look> =
    LazyLock::new(|| serde_json::from_str(BOARD_LOOK).expect("the look of boards"));

impl Look {
    /// The colours of reports.
    pub(super) const fn theme(&self) -> &Theme {
        &self.themes.walnut
    }
}

/// Off the board and the bar of the player who sees the board; the opponent's are swapped.
pub(super) const OFF: usize = 0;
pub(super) const BAR: usize = 25;

impl Geometry {
    pub(super) fn width(&self) -> f64 {
        self.frame + 12.0 * self.point + self.bar + self.tray
    }

    /// The left edge of a point's column, 1 to 24; bearing off is at the right.
    pub(super) fn left(&self, point: usize) -> f64 {
        let column = if point <= 12 { 12 - point } else { point - 13 };
        let bar = if column >= 6 { self.bar } else { 0.0 };
        self.frame + column as f64 * self.point + bar
    }

    pub(super) fn bar_x(&self) -> f64 {
        self.frame + 6.0 * self.point + self.bar / 2.0
    }

    pub(super) fn tray_x(&self) -> f64 {
        self.width() - self.tray / 2.0
    }

    /// The left edge and the width of the trays.
    pub(super) fn trays(&self) -> (f64, f64) {
        (self.width() - self.tray + 7.0, self.tray - 14.0)
    }

    /// The upper ends of both trays, and their height.
    pub(super) fn tray_ends(&self) -> ([f64; 2], f64) {
        let top = self.edge - 2.0;
        let middle = self.height / 2.0;
        ([top, middle + self.tray_end], middle - self.tray_end - top)
    }

    /// The left edges of the two halves.
    pub(super) fn halves(&self) -> [f64; 2] {
        [self.frame, self.frame + 6.0 * self.point + self.bar]
    }

    /// The most checkers that are drawn there; if there are more, the last one shows their number.
    pub(super) const fn most(&self, is_bar: bool) -> u8 {
        if is_bar { self.bar_stack } else { self.stack }
    }

    /// The centre of the n-th checker, 0 and above, from the edge inwards; `own` says whether it is
    /// one of the player who sees the board.
    pub(super) fn spot(&self, point: usize, n: u8, own: bool) -> (f64, f64) {
        let step = 2.0 * self.radius;
        let (bar, off) = if own { (BAR, OFF) } else { (OFF, BAR) };
        if point == bar {
            let away = self.bar_gap + f64::from(n.min(self.bar_stack - 1)) * step;
            let y = if own { self.height / 2.0 - away } else { self.height / 2.0 + away };
            return (self.bar_x(), y);
        }
        if point == off {
            let y = self.edge + self.off_gap + self.piece * (f64::from(n) + 0.5);
            return (self.tray_x(), if own { self.height - y } else { y });
        }
        let y = self.edge + self.radius + 1.0 + f64::from(n.min(self.stack - 1)) * step;
        (self.left(point) + self.point / 2.0, if point <= 12 { self.height - y } else { y })
    }

    /// The middle of the dice of the player who sees the board.
    pub(super) fn dice_x(&self) -> f64 {
        self.frame + 9.0 * self.point + self.bar
    }

    /// The centres of `count` dice.
    pub(super) fn dice(&self, count: usize) -> impl Iterator<Item = (f64, f64)> {
        let (middle, step) = (self.dice_x(), self.die + self.die_gap);
        let first = (count as f64 - 1.0) / 2.0;
        (0..count).map(move |i| (middle + (i as f64 - first) * step, self.height / 2.0))
    }

    /// The centre of a cube: at the end of its owner's tray, or in the middle between both trays.
    /// The owner is 1 for the player who sees the board, -1 for the other one, 0 without an owner.
    pub(super) fn cube_y(&self, owner: i8) -> f64 {
        self.height / 2.0 + f64::from(owner) * self.cube_away
    }
}

/// The definitions that boards draw from: the checkers of X and of O.
pub(super) fn definitions() -> String {
    let Look { geometry, .. } = &*LOOK;
    let theme = LOOK.theme();
    let mut svg = String::from("<defs>");
    for (name, [lit, body, low, edge], ring) in
        [("x", &theme.light, &theme.light[3]), ("o", &theme.dark, &theme.dark[0])]
    {
        let radius = geometry.radius;
        _ = write!(
            svg,
            "<radialGradient id=\"f{name}\" cx=\".36\" cy=\".28\" r=\".85\"><stop offset=\"0\" stop-color=\"{lit}\"/>\
             <stop offset=\".5\" stop-color=\"{body}\"/><stop offset=\"1\" stop-color=\"{low}\"/></radialGradient>\
             <g id=\"c{name}\"><circle cy=\"2\" r=\"{radius}\" opacity=\".28\"/>\
             <circle r=\"{}\" fill=\"url(#f{name})\" stroke=\"{edge}\" stroke-width=\"1.2\"/>\
             <circle r=\"{}\" fill=\"none\" stroke=\"{ring}\" opacity=\".4\"/></g>",
            radius - 0.6,
            radius * geometry.ring
        );
    }
    svg.push_str("</defs>");
    svg
}

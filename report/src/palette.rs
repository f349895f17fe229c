//! The colours of series in charts and on boards.

use super::canvas::Rgba;

/// Okabe and Ito's palette (jfly.uni-koeln.de/color, 2008) without its yellow, which is hard to see
/// on white. Colour-blind readers can tell the colours apart.
const SERIES: [[u8; 3]; 7] = [
    [0, 114, 178],
    [213, 94, 0],
    [0, 158, 115],
    [204, 121, 167],
    [230, 159, 0],
    [86, 180, 233],
    [34, 34, 34],
];

/// Number of series colours.
pub(super) const SERIES_COLORS: usize = SERIES.len();

/// The colour of the n-th series.
pub(super) fn series_color(n: usize) -> Rgba {
    let [red, green, blue] = SERIES[n % SERIES_COLORS];
    Rgba(red, green, blue, 1.0)
}

/// The colours of the player's own checkers and of the opponent's on a board with heat.
///
/// They are the first two colours of the series, as a page writes them.
pub(super) fn heat(own: bool) -> String {
    let [red, green, blue] = SERIES[usize::from(!own)];
    format!("#{red:02x}{green:02x}{blue:02x}")
}

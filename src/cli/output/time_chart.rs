//! What players achieve, over the time that they take for a play.

use nonet::report::{Axis, Chart, LineChart, PlotSeries};

/// A player, its mean time for a play and what it achieves.
pub(crate) struct TimedPoint {
    /// `NAME` or `NAME:PLIES`.
    pub(crate) name: String,
    pub(crate) milliseconds: f64,
    pub(crate) value: f64,
    /// Half the width of the 95 % interval.
    pub(crate) half: f64,
}

/// Values over milliseconds. Players that differ in their depth alone are joined by a line.
pub(crate) fn over_time(
    title: String,
    value: Axis,
    command: String,
    points: Vec<TimedPoint>,
) -> anyhow::Result<String> {
    let mut families: Vec<(String, Vec<TimedPoint>)> = Vec::new();
    for point in points {
        let family = family(&point.name);
        match families.iter_mut().find(|(name, _)| *name == family) {
            Some((_, members)) => members.push(point),
            None => families.push((family, vec![point])),
        }
    }
    let time = Axis::new("mean time for a play", "milliseconds");
    let mut chart = LineChart::new(title, time, value).command(command).logarithmic_x();
    for (name, mut members) in families {
        members.sort_by(|a, b| a.milliseconds.total_cmp(&b.milliseconds));
        let line = PlotSeries::line(name, members.iter().map(|of| (of.milliseconds, of.value)));
        let halves = members.iter().map(|of| of.half);
        chart = chart.series(line.markers().band("95 % interval", halves));
    }
    Ok(chart.render()?)
}

/// The player's name without its depth.
fn family(player: &str) -> String {
    match player.rsplit_once(':') {
        Some((name, plies)) if plies.parse::<u8>().is_ok() => name.to_owned(),
        _ => player.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_of_one_player_are_one_line_with_a_dot_for_each() {
        let point = |name: &str, milliseconds, value| {
            let name = name.to_owned();
            TimedPoint { name, milliseconds, value, half: 0.1 }
        };
        let points = vec![
            point("swift:2", 1.0, 2.0),
            point("swift", 0.1, 3.0),
            point("swift:3", 9.0, 1.0),
            point("gnubg:1", 1.0, 4.0),
        ];
        let axis = Axis::new("ER", "1000 x points lost a decision");
        let svg = over_time("Title".to_owned(), axis, "nonet".to_owned(), points).expect("a chart");
        assert_eq!(svg.matches("<circle").count(), 4 + 1, "four points, and one in the legend");
        assert!(svg.contains("swift") && !svg.contains("swift:"));
    }
}

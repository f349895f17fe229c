//! Text and charts of a calibration: how far predictions lie above what happened.

use super::{Axis, BarChart, BarSeries, Chart, LineChart, PlotSeries};
use nonet_engine::class::Class;
use nonet_engine::stats::Z95;
use nonet_training::calibration::{
    CHANCES, Calibration, Cell, ClassCalibration, KeptCalibration, LARGER_MISTAKES,
};

/// A bin with fewer games is not drawn: its interval would hide the others.
const FEWEST_GAMES: u64 = 100;

/// The chances that are drawn: win, gammon won, gammon lost. Backgammons are few, and their
/// intervals hide the others.
const DRAWN: [usize; 3] = [0, 1, 3];

/// The deviations by prediction (`by-prediction.svg`) and by class (`by-class.svg`), with the names
/// of their files.
#[must_use]
pub fn calibration_charts(kept: &KeptCalibration) -> Vec<(&'static str, Box<dyn Chart>)> {
    let (found, origin) = (&kept.calibration, origin(kept));
    vec![
        ("by-prediction.svg", Box::new(by_prediction(found, &origin))),
        ("by-class.svg", Box::new(by_class(found, &origin))),
    ]
}

/// The command, and how far it came if it was stopped.
fn origin(kept: &KeptCalibration) -> String {
    let KeptCalibration { command, config, calibration, interrupted } = kept;
    match interrupted {
        false => command.clone(),
        true => {
            format!("{command} (stopped after {} of {} games)", calibration.games, config.games)
        }
    }
}

fn by_prediction(found: &Calibration, command: &str) -> LineChart {
    let said = Axis::new("predicted probability", "%");
    let off = Axis::new("predicted minus happened", "percentage points");
    let mut chart = LineChart::new("Are chances as large as they are said to be?", said, off)
        .command(command)
        .reference(0.0, "as said");
    for chance in DRAWN {
        let bins = &found.all.chances[chance];
        let drawn = || {
            let many = bins.iter().filter(|cell| cell.games >= FEWEST_GAMES);
            many.filter_map(|cell| Some((cell.mean_predicted()?, cell.deviation()?)))
        };
        if drawn().count() > 0 {
            let points = drawn().map(|(said, off)| (100.0 * said, 100.0 * off.mean));
            let half = drawn().map(|(_, off)| 100.0 * Z95 * off.stderr);
            chart =
                chart.series(PlotSeries::line(CHANCES[chance], points).band("95 % interval", half));
        }
    }
    chart
}

fn by_class(found: &Calibration, command: &str) -> BarChart {
    let off = Axis::new("predicted minus happened", "percentage points");
    let title = "Are chances as large as they are said to be, by class?";
    let mut chart =
        BarChart::new(title, "class", Class::all().map(Class::slug), off).command(command);
    for chance in DRAWN {
        let deviations = || found.classes.values().map(|class| class.all[chance].deviation());
        let means = deviations().map(|off| off.map(|off| 100.0 * off.mean));
        let half = deviations().map(|off| off.map_or(0.0, |off| 100.0 * Z95 * off.stderr));
        let bars = BarSeries::new(CHANCES[chance], means);
        chart = chart.series(bars.error_bars("95 % interval", half));
    }
    chart
}

/// In hundredths, with the 95 % interval: "+0.31 ± 0.20".
fn deviation(cell: &Cell) -> String {
    match cell.deviation() {
        Some(found) => format!("{:+.2} ± {:.2}", 100.0 * found.mean, 100.0 * Z95 * found.stderr),
        None => "-".to_owned(),
    }
}

fn row(name: &str, class: &ClassCalibration) -> String {
    let mut row = format!("{name:<9} {:>9}", class.all[0].positions);
    for cell in class.all.iter().chain([&class.equity]) {
        row += &format!("  {:>14}", deviation(cell));
    }
    row.trim_end().to_owned() + "\n"
}

/// The deviations as a table, and what the outputs and the plays of the bearoff are like, for
/// people.
#[must_use]
pub fn calibration_text(kept: &KeptCalibration) -> String {
    let found = &kept.calibration;
    let mut text = format!("{}\n\n", origin(kept));
    text += "Said minus happened, in hundredths of a game (equity: of a point), with 95 % intervals over games:\n\n";
    text += &format!("{:<9} {:>9}", "class", "positions");
    for name in CHANCES.iter().chain([&"equity"]) {
        text += &format!("  {name:>14}");
    }
    text.push('\n');
    for (class, of_class) in found.classes.iter() {
        text += &row(class.slug(), of_class);
    }
    let all = &found.all;
    text += &row("all", all);
    let outputs = all.outputs;
    let n = outputs.positions.max(1) as f64;
    text += &format!(
        "\n{} games. The six outcomes add up to 0.95..1.05 in {:.1} % of the positions (mean distance from 1: {:.4});\n\
         average head and outcomes differ by at most 0.1 points in {:.1} % (mean: {:.4}).\n",
        found.games,
        100.0 * outputs.sum_near as f64 / n,
        outputs.sum_off / n,
        100.0 * outputs.values_near as f64 / n,
        outputs.values_off / n,
    );
    if let Some(below) = outputs.below_0.filter(|below| below.outputs > 0) {
        text += &format!(
            "{:.2} % of the outcomes are below 0, {:.3} % below -0.02; the least is {:.3}.\n",
            100.0 * below.outputs as f64 / (6.0 * n),
            100.0 * below.far as f64 / (6.0 * n),
            below.least
        );
    }
    let off = &found.bearing_off;
    if off.plays > 0 {
        text += &format!(
            "{} plays in the bearoff had a choice; {:.2} % took off fewer checkers than they could.\n",
            off.plays,
            100.0 * off.fewer as f64 / off.plays as f64
        );
    }
    if off.judged > 0 {
        let judged = off.judged as f64;
        let share = |mistakes: u64| 100.0 * mistakes as f64 / judged;
        let larger = off.larger_mistakes.map_or_else(String::new, |counts| {
            let of = |(count, more)| format!(", {:.2} % more than {more}", share(count));
            counts.into_iter().zip(LARGER_MISTAKES).map(of).collect()
        });
        let mistakes = off.mistakes.map_or_else(String::new, |mistakes| {
            format!(
                " ({:.2} % took off fewer and lost more than 0.001 by it{larger})",
                share(mistakes)
            )
        });
        text += &format!(
            "By the bearoff databases they lost {:.5} points each{mistakes}. Always taking off most would lose {:.5}, and is wrong in {:.2} % of them.\n",
            off.lost / judged,
            off.rule_lost / judged,
            100.0 * off.rule_wrong as f64 / judged
        );
    }
    if let Some(results) = found.branching.mean() {
        text += &format!("{} rolls had {results:.2} results on average.\n", found.branching.rolls);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::eval::PubEval;
    use nonet_engine::eval::{Architecture, Specialists};
    use nonet_engine::progress::Progress;
    use nonet_training::calibration::CalibrationConfig;
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    #[test]
    fn both_charts_are_drawn() {
        let team = Specialists::random(&Architecture::ALL[1], &mut Pcg64::seed_from_u64(5));
        let config = CalibrationConfig { games: 150, seed: 1 };
        let found = Calibration::of(&team, &PubEval, None, &config, &Progress::default());
        let calibration = found.expect("games");
        let command = "nonet calibrate".to_owned();
        let mut kept = KeptCalibration { command, config, calibration, interrupted: false };
        assert!(!calibration_text(&kept).contains("stopped"));
        let charts = calibration_charts(&kept);
        assert_eq!(charts.len(), 2);
        for (name, chart) in charts {
            let svg = chart.render().expect(name);
            assert!(svg.contains("percentage points") && svg.contains("nonet calibrate"));
        }
        kept.config.games = 2000;
        kept.interrupted = true;
        let mark = "nonet calibrate (stopped after 150 of 2000 games)";
        assert!(calibration_text(&kept).starts_with(mark));
        for (name, chart) in calibration_charts(&kept) {
            assert!(chart.render().expect(name).contains(mark), "{name}");
        }
    }
}

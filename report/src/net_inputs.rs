//! The most important inputs of a net as a picture: a typical position with coloured points, and
//! bars.

use nonet_engine::store::run_file;
use std::fmt::Write as _;

use super::board::{self, BoardDiagram, PointHeat};
use super::palette;
use super::text::{Typeface, escape, width, wrap};
use super::{Chart, Page, ReportError};
use nonet_engine::backgammon::Position;
use nonet_engine::class::Class;
use nonet_engine::eval::{FeatureImportance, FeatureUsage, Specialists, feature_importance};
use nonet_engine::game::self_play_positions;
use nonet_engine::progress::Progress;

/// Bars of a picture.
const BARS: usize = 8;
/// The height of a bar with its gap, in pixels.
const ROW: f64 = 30.0;
/// The size of text, in pixels.
const TEXT: f64 = 17.0;
/// Room for the names of the inputs, in pixels.
const NAMES: f64 = 305.0;
/// The margin around the picture, in pixels.
const MARGIN: f64 = 14.0;

/// What a net of a team reads, measured on positions of games of the team with itself.
#[derive(Clone, Debug, PartialEq)]
pub struct NetInputs {
    title: String,
    /// The position nearest to the mean of those that the net evaluates.
    typical: Option<Position>,
    /// Effects of the inputs that are not units of a point, the largest first.
    bars: Vec<(String, f64)>,
    /// Effects of the units of each point, of the own and the opponent's checkers, by the own
    /// numbers of the points.
    points: [[f64; 2]; 25],
    command: String,
}

impl NetInputs {
    /// The inputs of every net of `team`, measured on `positions` of games of the team with itself.
    /// `command` is the command that makes the same picture.
    #[must_use]
    pub fn of_team(team: &Specialists, positions: &[Position], command: &str) -> Vec<NetInputs> {
        let usage = FeatureUsage::of(team, positions);
        let mut of_net: Vec<Vec<&Position>> = vec![Vec::new(); team.nets().len()];
        for position in positions.iter().filter(|position| position.outcome().is_none()) {
            of_net[team.net_of(Class::of(position))].push(position);
        }
        let net = |(place, seen): (usize, &Vec<&Position>)| {
            let important = feature_importance(team, place, &usage);
            NetInputs::new(&team.nets()[place].name, seen, &important, command)
        };
        of_net.iter().enumerate().map(net).collect()
    }

    fn new(
        name: &str,
        seen: &[&Position],
        important: &[FeatureImportance],
        command: &str,
    ) -> NetInputs {
        let mut points = [[0.0; 2]; 25];
        let mut bars = Vec::new();
        for one in important {
            match point_of(&one.input.name) {
                Some((own, point)) => points[point][usize::from(!own)] += one.effect(),
                None => bars.push((one.input.name.clone(), one.effect())),
            }
        }
        bars.sort_by(|a, b| b.1.total_cmp(&a.1));
        bars.truncate(BARS);
        bars.retain(|(_, effect)| *effect > 0.0);
        let title = match seen.len() {
            0 => format!("{name}: no position in these games"),
            _ => format!("What the net '{name}' looks at"),
        };
        NetInputs { title, typical: typical(seen), bars, points, command: command.to_owned() }
    }

    /// Whether the net evaluated any position.
    #[must_use]
    pub fn is_used(&self) -> bool {
        self.typical.is_some()
    }

    fn heat(&self) -> Vec<PointHeat> {
        let largest = self.points.iter().flatten().copied().fold(0.0, f64::max);
        let mut heat = Vec::new();
        for (point, sides) in self.points.iter().enumerate() {
            for (side, effect) in sides.iter().enumerate() {
                let strength = (220.0 * effect / largest.max(1e-12)).round() as u8;
                if strength > 0 {
                    heat.push(PointHeat { point, own: side == 0, strength });
                }
            }
        }
        heat
    }
}

/// Side and point (by the own numbers) of an input that is a unit of a point.
fn point_of(name: &str) -> Option<(bool, usize)> {
    let (own, rest) = match name.strip_prefix("own ") {
        Some(rest) => (true, rest),
        None => (false, name.strip_prefix("opponent ")?),
    };
    // Encodings without contact name the points of the home board alone.
    let rest = rest.strip_prefix("home ").unwrap_or(rest).strip_prefix("point ")?;
    let point: usize = rest.split(':').next()?.trim().parse().ok()?;
    (1..=24).contains(&point).then_some((own, if own { point } else { 25 - point }))
}

/// The position with the numbers of checkers nearest to their means, the first of several.
fn typical(seen: &[&Position]) -> Option<Position> {
    let mut sums = [0i64; 26];
    for position in seen {
        for (sum, &checkers) in sums.iter_mut().zip(position.points()) {
            *sum += i64::from(checkers);
        }
    }
    let all = seen.len() as i64;
    let apart = |position: &&&Position| -> i64 {
        let points = position.points().iter().zip(&sums);
        points.map(|(&checkers, sum)| (all * i64::from(checkers) - sum).abs()).sum()
    };
    seen.iter().min_by_key(apart).map(|position| **position)
}

impl Chart for NetInputs {
    fn render(&self) -> Result<String, ReportError> {
        let (width, height) = board::size();
        let picture = width + 2.0 * MARGIN;
        let mut body = String::new();
        let mut y = MARGIN + 18.0;
        let line = |body: &mut String, x: f64, y: f64, style: &str, words: &str| {
            _ = writeln!(
                body,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-family=\"DejaVu Sans, sans-serif\" {style}>{}</text>",
                escape(words)
            );
        };
        let plain = format!("font-size=\"{TEXT}\" fill=\"#333\"");
        line(
            &mut body,
            MARGIN,
            y,
            "font-size=\"21\" font-weight=\"bold\" fill=\"#222\"",
            &self.title,
        );
        y += 14.0;
        if let Some(position) = self.typical {
            let board = BoardDiagram::new(position).heat(self.heat()).render()?;
            let at =
                format!("<svg x=\"{MARGIN}\" y=\"{y:.1}\" width=\"{width}\" height=\"{height}\"");
            body.push_str(&board.replacen("<svg", &at, 1));
            y += height + 24.0;
            let legend = [
                "own (light) checkers, left half of a point",
                "opponent's, right half: the stronger, the more they count",
            ];
            for (color, words) in [true, false].map(palette::heat).iter().zip(legend) {
                let x = MARGIN;
                _ = writeln!(
                    body,
                    "<rect x=\"{x}\" y=\"{:.1}\" width=\"16\" height=\"16\" fill=\"{color}\" opacity=\"0.8\"/>",
                    y - 14.0
                );
                line(&mut body, x + 24.0, y, &plain, words);
                y += 24.0;
            }
        }
        y += 6.0;
        let largest = self.bars.iter().map(|bar| bar.1).fold(0.0, f64::max).max(1e-12);
        let room = picture - 2.0 * MARGIN - NAMES - 70.0;
        if !self.bars.is_empty() {
            line(&mut body, MARGIN, y, &plain, "Other inputs, by effect; the largest is 100:");
            y += 14.0;
        }
        for (name, effect) in &self.bars {
            let long = room * effect / largest;
            let middle = y + ROW / 2.0;
            let right = format!("{plain} text-anchor=\"end\"");
            let name = shortened(name, NAMES - 12.0);
            line(&mut body, MARGIN + NAMES - 10.0, middle + 6.0, &right, &name);
            _ = writeln!(
                body,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{long:.1}\" height=\"{:.1}\" fill=\"#009e73\"/>",
                MARGIN + NAMES,
                y + 4.0,
                ROW - 8.0
            );
            let value = format!("{:.0}", 100.0 * effect / largest);
            line(&mut body, MARGIN + NAMES + long + 8.0, middle + 6.0, &plain, &value);
            y += ROW;
        }
        for words in wrap(&self.command, 13.0, Typeface::Mono, picture - 2.0 * MARGIN) {
            y += 18.0;
            line(&mut body, MARGIN, y, "font-size=\"13\" fill=\"#606060\"", &words);
        }
        let height = y + MARGIN;
        Ok(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {picture} {height:.0}\" role=\"img\">\n\
             <title>{}</title>\n<rect width=\"{picture}\" height=\"{height:.0}\" fill=\"#fff\"/>\n{body}</svg>\n",
            escape(&self.title)
        ))
    }
}

/// A name that is not wider than this many pixels.
fn shortened(name: &str, limit: f64) -> String {
    let fits = |text: &str| width(text, TEXT, Typeface::Plain) <= limit;
    if fits(name) {
        return name.to_owned();
    }
    let mut short = name.to_owned();
    while !short.is_empty() && !fits(&format!("{short}…")) {
        short.pop();
    }
    format!("{short}…")
}

/// Games of a team with itself from which the part of a run's page is measured.
const GAMES: u64 = 100;

/// Rules of style of the pictures of nets.
const STYLE: &str = "<style>.inputs{display:flex;flex-wrap:wrap;gap:1rem}.inputs figure{margin:0;flex:1 1 20rem;\
    max-width:34rem;border:1px solid var(--line);border-radius:.4rem;background:#fff}\
    .inputs svg{display:block;width:100%;height:auto}</style>\n";

/// Adds the pictures of the nets of a run's team to its page.
pub(super) fn net_inputs_part(page: Page, team: &Specialists) -> Result<Page, ReportError> {
    let positions = self_play_positions(team, GAMES, &Progress::default());
    let nets = NetInputs::of_team(team, &positions, "");
    pictures(page.heading("What each net looks at"), &nets, run_file::BEST, GAMES)
}

/// A page with a picture of each net of a file.
///
/// # Errors
/// [`ReportError`] when a picture cannot be drawn.
pub fn net_inputs_page(
    nets: &[NetInputs],
    file: &str,
    games: u64,
    command: &str,
) -> Result<String, ReportError> {
    let page = Page::new(format!("What the nets of {file} look at")).command(command);
    Ok(pictures(page, nets, file, games)?.render())
}

fn pictures(page: Page, nets: &[NetInputs], file: &str, games: u64) -> Result<Page, ReportError> {
    let mut html = format!("{STYLE}<div class=\"inputs\">\n");
    for net in nets.iter().filter(|net| net.is_used()) {
        _ = writeln!(html, "<figure>{}</figure>", net.render()?);
    }
    html.push_str("</div>\n");
    let unused: Vec<&str> =
        nets.iter().filter(|net| !net.is_used()).map(|net| net.title.as_str()).collect();
    let page = page
        .paragraph(format!(
            "For each net of {file}: the position that is nearest to the mean of those that it evaluates, and the effect of its \
             inputs, that is the largest change of the equity for one unit of the input, times the mean of the input, as a share of the largest. Positions \
             and means are those of {games} games of the team with itself. nonet inspect NET --page FILE.html makes these \
             pictures for any net file.",
        ))
        .raw(&html);
    Ok(if unused.is_empty() { page } else { page.paragraph(unused.join("; ")) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::features::Feature;

    fn important(name: &str, sensitivity: f32, mean: f64) -> FeatureImportance {
        let input = Feature { name: name.to_owned(), unit: "0 or 1", reason: "a test" };
        FeatureImportance { input, sensitivity, norm: 1.0, used: 1.0, mean }
    }

    #[test]
    fn units_of_a_point_colour_the_board_and_other_inputs_are_bars() {
        let important = [
            important("own point 6: 2 or more", 0.4, 0.5),
            important("own point 6: 3 or more", 0.2, 0.5),
            important("opponent point 6: 2 or more", 0.1, 0.5),
            important("opponent home point 24: 1 or more", 0.05, 0.5),
            important("own pips", 0.9, 1.0),
            important("own never", 0.9, 0.0),
        ];
        let inputs = NetInputs::new("default", &[&Position::START], &important, "nonet inspect");
        let heat = inputs.heat();
        assert_eq!((heat[1].point, heat[1].own, heat[1].strength), (6, true, 220));
        // The opponent's 6 point is the own 19 point.
        assert_eq!((heat[2].point, heat[2].own, heat[2].strength), (19, false, 37));
        assert_eq!((heat[0].point, heat[0].own), (1, false));
        assert_eq!(inputs.bars, [("own pips".to_owned(), f64::from(0.9f32))]);
        let svg = inputs.render().expect("drawn");
        assert_eq!(svg.matches("<use href=\"#c").count(), 30);
        assert!(svg.contains("own pips") && svg.contains(">100<") && !svg.contains("own never"));
    }

    #[test]
    fn the_typical_position_is_the_one_nearest_to_the_mean() {
        let other = Position::from_sides(&[(1, 1)], &[(1, 1)]).expect("legal");
        assert_eq!(typical(&[&other, &Position::START, &Position::START]), Some(Position::START));
        assert_eq!(typical(&[]), None);
    }
}

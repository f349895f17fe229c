//! Tables of losses by the class of the position and by the kind of decision.

use std::fmt::Write as _;

use super::scoreboard::chip;
use super::words::{class_name, group_name};
use crate::text::{decimal, escape};
use nonet_engine::analysis::{Analysis, DecisionGroup, Tally, by_class, by_group};
use nonet_engine::backgammon::Seat;
use nonet_engine::class::Class;

/// A row: its name, what belongs to it, and a tally a column.
type Row = (&'static str, &'static str, Vec<Tally>);

/// Both tables for both players of a match.
pub(super) fn of_match(games: &[Analysis], names: &[String; 2]) -> String {
    let classes = Seat::BOTH.map(|seat| by_class(games, seat));
    let groups = Seat::BOTH.map(|seat| by_group(games, seat));
    let heads: Vec<String> = Seat::BOTH
        .iter()
        .map(|seat| format!("{}{}", chip(*seat), escape(&names[seat.index()])))
        .collect();
    two_tables(&class_rows(&classes), &group_rows(&groups), &heads)
}

/// Both tables for one player over many matches.
pub(super) fn of_player(classes: &[(Class, Tally)], groups: [(DecisionGroup, Tally); 4]) -> String {
    let classes = [classes.to_vec()];
    two_tables(&class_rows(&classes), &group_rows(&[groups]), &[String::new()])
}

fn class_rows(sides: &[Vec<(Class, Tally)>]) -> Vec<Row> {
    let rows = Class::all().map(|class| {
        let of = |side: &Vec<(Class, Tally)>| {
            let found = side.iter().find(|(one, _)| *one == class);
            found.map_or_else(Tally::default, |(_, tally)| *tally)
        };
        (class_name(class), class.spec().meaning, sides.iter().map(of).collect::<Vec<_>>())
    });
    rows.filter(|(_, _, tallies)| tallies.iter().any(|tally| tally.decisions > 0)).collect()
}

fn group_rows(sides: &[[(DecisionGroup, Tally); 4]]) -> Vec<Row> {
    let row = |(index, group): (usize, &DecisionGroup)| {
        (group_name(*group), group.meaning(), sides.iter().map(|side| side[index].1).collect())
    };
    DecisionGroup::ALL.iter().enumerate().map(row).collect()
}

fn two_tables(classes: &[Row], groups: &[Row], heads: &[String]) -> String {
    let group = table(
        "By kind of decision. Lost: points on a cube at 1, all decisions together; PR: 500 times the mean loss of a decision.",
        "decision",
        groups,
        heads,
    );
    let class = table(
        "By the kind of position, as its player sees it. The first rule that holds decides.",
        "position",
        classes,
        heads,
    );
    group + &class
}

fn table(caption: &str, what: &str, rows: &[Row], heads: &[String]) -> String {
    let most = rows.iter().flat_map(|row| &row.2).map(|tally| tally.loss).fold(1e-9, f64::max);
    // A caption would be as wide as the table, which a phone scrolls.
    let mut html =
        format!("<p class=\"small\">{caption}</p>\n<div class=\"scroll\"><table>\n<thead>");
    if heads.iter().any(|head| !head.is_empty()) {
        html.push_str("<tr><td></td>");
        for head in heads {
            _ = write!(html, "<th scope=\"colgroup\" colspan=\"3\">{head}</th>");
        }
        html.push_str("</tr>");
    }
    _ = write!(html, "<tr><th scope=\"col\">{what}</th>");
    for _ in heads {
        html.push_str(
            "<th scope=\"col\" class=\"n\">number</th><th scope=\"col\" class=\"n\">PR</th><th scope=\"col\">lost</th>",
        );
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for (name, meaning, tallies) in rows {
        _ = write!(
            html,
            "<tr><th scope=\"row\" class=\"what\">{name}<br><small>{}</small></th>",
            escape(meaning)
        );
        for tally in tallies {
            let pr = tally.pr().map_or_else(|| "–".to_owned(), |pr| decimal(pr.mean, 1));
            let wide = 5.0 * tally.loss / most;
            _ = write!(
                html,
                "<td class=\"n\">{}</td><td class=\"n\">{pr}</td><td class=\"r\">{}<i class=\"bar\" style=\"width:{wide:.2}rem\"></i></td>",
                tally.decisions,
                decimal(tally.loss, 3)
            );
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n");
    html
}

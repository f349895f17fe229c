//! The table of `reports/cube-efficiency.md` follows from its rollouts.

use nonet::class::Class;
use nonet::cube::EFFICIENCY;
use nonet::stats::Estimate;

use crate::reports::read;

/// A position with a place of the cube: what its rollout says, and the cube model's ends.
struct Rolled {
    class: Class,
    owner: String,
    /// The equity of the rollout less that of a dead cube.
    gained: f64,
    /// The equity of a fully live cube less that of a dead one.
    live: f64,
}

fn rolled() -> Vec<Rolled> {
    let text = read("cube-efficiency/positions.csv");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |place: usize| cells[place].parse::<f64>().expect("a number");
        let class = Class::from_slug(cells[2]).expect("a class");
        let position = nonet::Position::from_id(cells[1]).expect("an ID");
        assert_eq!(Class::of(&position), class, "{line}");
        let (equity, dead, live) = (number(8), number(10), number(11));
        Rolled { class, owner: cells[3].to_owned(), gained: equity - dead, live: live - dead }
    };
    text.lines().skip(1).map(row).collect()
}

/// The efficiency that fits best, by least squares, and its standard error, which allows for
/// rollouts of different errors.
fn fitted<'a>(all: impl Iterator<Item = &'a Rolled> + Clone) -> (f64, f64) {
    let squares: f64 = all.clone().map(|one| one.live.powi(2)).sum();
    let fit = all.clone().map(|one| one.live * one.gained).sum::<f64>() / squares;
    let miss = |one: &Rolled| (one.live * (one.gained - fit * one.live)).powi(2);
    (fit, all.map(miss).sum::<f64>().sqrt() / squares)
}

#[test]
fn the_cube_efficiencies_of_the_report_fit_its_rollouts() {
    let (all, report) = (rolled(), read("cube-efficiency.md"));
    let owners = ["centre", "own", "other"];
    let row = |name: &str, of: &dyn Fn(&Rolled) -> bool| {
        let mine = || all.iter().filter(|one| of(one));
        let cell = |part: Option<&str>| {
            let part = mine().filter(|one| part.is_none_or(|owner| one.owner == owner));
            let (fit, stderr) = fitted(part);
            format!("{fit:.2} ± {stderr:.2}")
        };
        let cells: Vec<String> = owners.into_iter().map(Some).chain([None]).map(cell).collect();
        format!("\n| {name} | {} | {} |", mine().count() / owners.len(), cells.join(" | "))
    };
    // How much the model of the program is too high.
    let miss = |name: &str, of: &dyn Fn(&Rolled) -> bool| {
        let cells = owners.map(|owner| {
            let mine = all.iter().filter(|one| of(one) && one.owner == owner);
            let misses = mine.map(|one| f64::from(EFFICIENCY) * one.live - one.gained);
            let Estimate { mean, stderr, .. } = Estimate::from_values(misses);
            format!("{mean:+.3} ± {stderr:.3}")
        });
        format!("\n| {name} | {} |", cells.join(" | "))
    };
    let mut rows = vec![row("all", &|_| true), miss("all", &|_| true)];
    for class in Class::all().filter(|class| all.iter().any(|one| one.class == *class)) {
        rows.push(row(class.slug(), &|one| one.class == class));
        rows.push(miss(class.slug(), &|one| one.class == class));
    }
    for row in rows {
        assert!(report.contains(&row), "reports/cube-efficiency.md lacks{row}");
    }
}

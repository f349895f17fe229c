//! The tables of `reports/cube-efficiency.md` follow from its rollouts and decisions.

use std::collections::BTreeMap;

use nonet::backgammon::{Cube, Dice, Results, Scoring, Xgid};
use nonet::class::Class;
use nonet::cube::{CubeScoring, EFFICIENCY, FACING_FREE, MatchEquityTable, OWN_FREE};
use nonet::eval::{Evaluator, best_result};
use nonet::stats::Estimate;

use crate::reports::{cube_decisions, cube_losses, in_words, read};

/// A position with a place of the cube: what its rollout says, and the cube model's ends.
struct Rolled {
    id: String,
    class: Class,
    owner: String,
    /// The equity of the rollout less that of a dead cube.
    gained: f64,
    /// The equity of a fully live cube less that of a dead one.
    live: f64,
    /// The equity of a fully live cube.
    top: f64,
}

fn rolled() -> Vec<Rolled> {
    rolled_of("positions")
}

fn rolled_of(file: &str) -> Vec<Rolled> {
    let text = read(&format!("cube-efficiency/{file}.csv"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |place: usize| cells[place].parse::<f64>().expect("a number");
        let class = Class::from_slug(cells[2]).expect("a class");
        let position = nonet::Position::from_id(cells[1]).expect("an ID");
        assert_eq!(Class::of(&position), class, "{line}");
        let (equity, dead, live) = (number(8), number(10), number(11));
        let id = cells[1].to_owned();
        Rolled {
            id,
            class,
            owner: cells[3].to_owned(),
            gained: equity - dead,
            live: live - dead,
            top: live,
        }
    };
    text.lines().skip(1).map(row).collect()
}

/// The efficiency that fits best, by least squares, and its standard error over positions.
///
/// The error is over positions, since the places of the cube share the games of their position.
fn fitted<'a>(all: impl Iterator<Item = &'a Rolled> + Clone) -> (f64, f64) {
    let squares: f64 = all.clone().map(|one| one.live.powi(2)).sum();
    let fit = all.clone().map(|one| one.live * one.gained).sum::<f64>() / squares;
    let mut misses: BTreeMap<&str, f64> = BTreeMap::new();
    for one in all {
        *misses.entry(&one.id).or_default() += one.live * (one.gained - fit * one.live);
    }
    (fit, misses.values().map(|miss| miss.powi(2)).sum::<f64>().sqrt() / squares)
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

/// Scores of the report, as points away, the player on roll first.
const SCORES: [&str; 6] = ["9-9", "5-5", "4-2", "2-4", "4-1", "1-4"];

#[test]
fn the_cube_efficiencies_by_score_fit_their_rollouts() {
    let report = read("cube-efficiency.md");
    let owners = ["centre", "own", "other"];
    for score in SCORES {
        let all = rolled_of(&format!("score-{score}"));
        let cells = owners.into_iter().map(Some).chain([None]).map(|owner| {
            let part = all.iter().filter(|one| owner.is_none_or(|owner| one.owner == owner));
            // A cube that cannot be turned.
            if part.clone().all(|one| one.live == 0.0) {
                return "-".to_owned();
            }
            let (fit, stderr) = fitted(part);
            format!("{fit:.2} ± {stderr:.2}")
        });
        let cells: Vec<String> = cells.collect();
        let misses = owners.map(|owner| {
            let mine = all.iter().filter(|one| one.owner == owner);
            if mine.clone().all(|one| one.live == 0.0) {
                return "-".to_owned();
            }
            let misses = mine.map(|one| f64::from(EFFICIENCY) * one.live - one.gained);
            let Estimate { mean, stderr, .. } = Estimate::from_values(misses);
            format!("{mean:+.3} ± {stderr:.3}")
        });
        for row in [
            format!("\n| {score} | {} | {} |", all.len() / owners.len(), cells.join(" | ")),
            format!("\n| {score} | {} |", misses.join(" | ")),
        ] {
            assert!(report.contains(&row), "reports/cube-efficiency.md lacks{row}");
        }
    }
}

/// The rows of free doubles: score, place of the cube, and whether the player on roll may double.
const FREE: [(&str, &str, bool); 6] = [
    ("4-2", "own", true),
    ("4-1", "centre", true),
    ("4-1", "own", true),
    ("2-4", "other", false),
    ("1-4", "centre", false),
    ("1-4", "other", false),
];

#[test]
fn the_efficiencies_of_free_doubles_are_those_of_their_rollouts() {
    let report = read("cube-efficiency.md");
    let near_home = |class: Class| !class.spec().knows_free_doubles;
    for (is_own, name, used) in [(true, "own", OWN_FREE), (false, "opponent's", FACING_FREE)] {
        let rows = FREE.iter().filter(|(_, _, own)| *own == is_own);
        let all: Vec<Rolled> = rows
            .flat_map(|(score, owner, _)| {
                let mut all = rolled_of(&format!("score-{score}"));
                all.retain(|one| one.owner == *owner);
                all
            })
            .collect();
        // The live equity of whoever may double reaches that of a single game won.
        let passes = |one: &Rolled| if is_own { one.top >= 1.0 } else { one.top <= -1.0 };
        let mut cells = Vec::new();
        for (is_beyond, used) in [false, true].into_iter().zip(used) {
            let mine = all.iter().filter(|one| !near_home(one.class) && passes(one) == is_beyond);
            let (fit, stderr) = fitted(mine);
            assert_eq!((100.0 * fit).round(), f64::from((100.0 * used).round()), "{name}");
            cells.push(format!("{fit:.2} ± {stderr:.2}"));
        }
        let (fit, stderr) = fitted(all.iter().filter(|one| near_home(one.class)));
        cells.push(format!("{fit:.2} ± {stderr:.2}"));
        let row = format!("\n| {name} | {} |", cells.join(" | "));
        assert!(report.contains(&row), "reports/cube-efficiency.md lacks{row}");
    }
}

/// Whether the player on roll could double without a risk.
fn doubles_freely(scoring: Scoring, cube: Cube) -> bool {
    let scoring = CubeScoring::new(scoring, MatchEquityTable::kazaross_xg2()).expect("in reach");
    scoring.doubles_freely(cube)
}

#[test]
fn cube_decisions_in_matches_follow_from_their_equities() {
    let report = read("cube-efficiency.md");
    let file = "cube-efficiency/match-decisions.csv";
    let (_, rows) = cube_decisions(file);
    let text = read(file);
    let kinds: Vec<&str> = text
        .lines()
        .skip(1)
        .map(|line| {
            let id: Xgid = line.split(',').next().and_then(|id| id.parse().ok()).expect("an XGID");
            let (scoring, cube) = (id.state.scoring, id.state.cube);
            if doubles_freely(scoring.flipped(), cube.doubled().flipped()) {
                "free after"
            } else if doubles_freely(scoring, cube) {
                "free now"
            } else {
                "others"
            }
        })
        .collect();
    let both =
        |row: &Vec<[f64; 2]>, player: usize| cube_losses(row[0], row[player]).iter().sum::<f64>();
    for kind in ["free after", "free now", "others", "all"] {
        let mine = || rows.iter().zip(&kinds).filter(|(_, of)| kind == "all" || **of == kind);
        for plies in 1..=3 {
            let players = [plies, plies + 3];
            let lost =
                players.map(|player| in_words(mine().map(|(row, _)| both(row, player)), false));
            let bias = [0, 1].map(|part| {
                players.map(|player| {
                    let apart = mine().map(|(row, _)| row[player][part] - row[0][part]);
                    let Estimate { mean, stderr, .. } = Estimate::from_values(apart);
                    format!("{mean:+.3} ± {stderr:.3}")
                })
            });
            let row = format!(
                "\n| {kind} | {} | {plies} | {} | {} | {} |",
                mine().count(),
                lost.join(" | "),
                bias[0].join(" | "),
                bias[1].join(" | ")
            );
            assert!(report.contains(&row), "reports/cube-efficiency.md lacks{row}");
        }
    }
    let differences = [1, 2, 3].map(|plies| {
        in_words(rows.iter().map(|row| both(row, plies + 3) - both(row, plies)), true)
    });
    let [one, two, three] = differences;
    let line = format!("{one}, {two} and {three}");
    let flat = report.replace('\n', " ");
    assert!(flat.contains(&line), "reports/cube-efficiency.md lacks {line}");
}

/// How far the equities of the rolls of a position lie apart.
///
/// It is the standard deviation over the rolls of the equity after the best play, by the champion's
/// static evaluations.
fn volatility(champion: &dyn Evaluator, id: &str) -> f64 {
    let position = nonet::Position::from_id(id).expect("an ID");
    let (mut results, mut values) = (Results::default(), Vec::new());
    let mut after = |dice: Dice| {
        let best = best_result(champion, results.of(&position, dice), &mut values);
        (f64::from(dice.probability()), -f64::from(values[best].equity()))
    };
    let equities = Dice::ALL.map(&mut after);
    let mean: f64 = equities.iter().map(|(chance, equity)| chance * equity).sum();
    equities.iter().map(|(chance, equity)| chance * (equity - mean).powi(2)).sum::<f64>().sqrt()
}

/// The efficiency as a constant and a number times the volatility, by least squares.
fn fitted_line(all: &[(&Rolled, f64)]) -> [f64; 2] {
    let (mut squares, mut gained) = ([[0.0; 2]; 2], [0.0; 2]);
    for (one, volatility) in all {
        let inputs = [one.live, one.live * volatility];
        for (row, own) in inputs.iter().enumerate() {
            gained[row] += own * one.gained;
            (0..2).for_each(|column| squares[row][column] += own * inputs[column]);
        }
    }
    let [[a, b], [_, d]] = squares;
    let determinant = a * d - b * b;
    [(d * gained[0] - b * gained[1]) / determinant, (a * gained[1] - b * gained[0]) / determinant]
}

#[test]
fn efficiency_falls_with_volatility_as_the_report_says() {
    let (all, report) = (rolled(), read("cube-efficiency.md"));
    let champion = nonet::open::net("champion").expect("built in").team;
    let mut known: BTreeMap<&str, f64> = BTreeMap::new();
    for one in &all {
        known.entry(&one.id).or_insert_with(|| volatility(&champion, &one.id));
    }
    let has = |row: &str| assert!(report.contains(row), "reports/cube-efficiency.md lacks{row}");
    let halves = |name: &str, of: &dyn Fn(&Rolled) -> bool| {
        let mut ids: Vec<(&str, f64)> = Vec::new();
        for one in all.iter().filter(|one| of(one)) {
            if !ids.iter().any(|(id, _)| *id == one.id) {
                ids.push((&one.id, known[one.id.as_str()]));
            }
        }
        ids.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (low, high) = ids.split_at(ids.len() / 2);
        let fits = [low, high].map(|half| {
            let mean =
                half.iter().map(|(_, volatility)| volatility).sum::<f64>() / half.len() as f64;
            let mine = all.iter().filter(|one| half.iter().any(|(id, _)| *id == one.id));
            (mean, fitted(mine))
        });
        let [(low, (a, a_error)), (high, (b, b_error))] = fits;
        has(&format!(
            "\n| {name} | {low:.2} | {a:.2} ± {a_error:.2} | {high:.2} | {b:.2} ± {b_error:.2} | {:+.2} ± {:.2} |",
            b - a,
            a_error.hypot(b_error)
        ));
    };
    halves("all", &|_| true);
    for class in Class::all().filter(|class| all.iter().any(|one| one.class == *class)) {
        halves(class.slug(), &|one| one.class == class);
    }
    // Each tenth of the positions is predicted by fits to the others.
    let tenth: BTreeMap<&str, usize> =
        known.keys().enumerate().map(|(place, id)| (*id, place % 10)).collect();
    let race = Class::all().find(|class| class.slug() == "race").expect("a class");
    let miss = |predict: &dyn Fn(&[&Rolled], &Rolled) -> f64| {
        let squares = all.iter().map(|one| {
            let others: Vec<&Rolled> = all
                .iter()
                .filter(|other| tenth[other.id.as_str()] != tenth[one.id.as_str()])
                .collect();
            (predict(&others, one) * one.live - one.gained).powi(2)
        });
        (squares.sum::<f64>() / all.len() as f64).sqrt()
    };
    let by_class = |others: &[&Rolled], one: &Rolled| {
        fitted(others.iter().copied().filter(|other| other.class == one.class)).0
    };
    let by_volatility = |others: &[&Rolled], one: &Rolled| {
        if one.class == race {
            return by_class(others, one);
        }
        let contact = others.iter().filter(|other| other.class != race);
        let contact: Vec<_> = contact.map(|other| (*other, known[other.id.as_str()])).collect();
        let [constant, slope] = fitted_line(&contact);
        constant + slope * known[one.id.as_str()]
    };
    let program = |_: &[&Rolled], one: &Rolled| {
        f64::from(one.class.spec().cube_efficiency.unwrap_or(EFFICIENCY))
    };
    for (name, error) in [
        ("2/3 everywhere", miss(&|_, _| f64::from(EFFICIENCY))),
        ("the program", miss(&program)),
        ("a number for each class", miss(&by_class)),
        ("a line over volatility in contact, a number in races", miss(&by_volatility)),
    ] {
        has(&format!("\n| {name} | {error:.4} |"));
    }
    let contact = all.iter().filter(|one| one.class != race);
    let contact: Vec<_> = contact.map(|one| (one, known[one.id.as_str()])).collect();
    let [constant, slope] = fitted_line(&contact);
    has(&format!(" {constant:.2} - {:.2} times the volatility", -slope));
}

/// The judge, nonet before and nonet now, for each position of `decisions.csv`.
const DECIDERS: usize = 7;

/// The class of each position of `decisions.csv`.
fn classes_of_decisions() -> Vec<Class> {
    let class_of = |line: &str| {
        let id: Xgid = line.split(',').next().and_then(|id| id.parse().ok()).expect("an XGID");
        Class::of(&id.position)
    };
    read("cube-efficiency/decisions.csv").lines().skip(1).map(class_of).collect()
}

#[test]
fn the_cube_decisions_of_the_report_follow_from_their_equities() {
    let report = read("cube-efficiency.md");
    let (names, rows) = cube_decisions("cube-efficiency/decisions.csv");
    assert_eq!(names.len() + 1, DECIDERS);
    let classes = classes_of_decisions();
    let bias = |player: usize, of: &dyn Fn(Class) -> bool| {
        let mine = rows.iter().zip(&classes).filter(|(_, class)| of(**class));
        let Estimate { mean, stderr, .. } =
            Estimate::from_values(mine.map(|(row, _)| row[player][1] - row[0][1]));
        format!("{mean:+.3} ± {stderr:.3}")
    };
    let mut lines = Vec::new();
    let both =
        |row: &Vec<[f64; 2]>, player: usize| cube_losses(row[0], row[player]).iter().sum::<f64>();
    for (player, name) in (1..).zip(&names) {
        let lost = |part: usize| {
            in_words(rows.iter().map(|row| cube_losses(row[0], row[player])[part]), false)
        };
        lines.push(format!(
            "\n| {name} | {} | {} | {} | {} |",
            lost(0),
            lost(1),
            in_words(rows.iter().map(|row| both(row, player)), false),
            bias(player, &|_| true),
        ));
    }
    for plies in 1..=3 {
        let apart = rows.iter().map(|row| both(row, plies + 3) - both(row, plies));
        lines.push(format!("\n| {plies}-ply | {} |", in_words(apart, true)));
    }
    for class in Class::all() {
        let count = classes.iter().filter(|of| **of == class).count();
        let [before, now] = [3, 6].map(|player| bias(player, &|of| of == class));
        lines.push(format!("\n| {} | {count} | {before} | {now} |", class.slug()));
    }
    for line in lines {
        assert!(report.contains(&line), "reports/cube-efficiency.md lacks{line}");
    }
}

/// The rule of the report: the rollouts differ from 2/3 by three standard errors. By the judge of
/// the decisions 2/3 errs in the same direction by three.
#[test]
fn classes_have_the_efficiency_that_the_rule_of_the_report_gives_them() {
    let (_, rows) = cube_decisions("cube-efficiency/decisions.csv");
    let (classes, all) = (classes_of_decisions(), rolled());
    for class in Class::all() {
        let mine = all.iter().filter(|one| one.class == class);
        let judged = rows.iter().zip(&classes).filter(|(_, of)| **of == class);
        let over = Estimate::from_values(judged.map(|(row, _)| row[3][1] - row[0][1]));
        let mut wanted = None;
        if mine.clone().next().is_some() {
            let (fit, stderr) = fitted(mine);
            let above = (fit - f64::from(EFFICIENCY)) / stderr;
            // More life for the cube lowers a double that is taken.
            if above.abs() >= 3.0 && above.signum() * over.mean >= 3.0 * over.stderr {
                wanted = Some((100.0 * fit).round() / 100.0);
            }
        }
        let has = class.spec().cube_efficiency.map(|of| (f64::from(of) * 100.0).round() / 100.0);
        assert_eq!(has, wanted, "{}", class.slug());
    }
}

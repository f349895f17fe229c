//! Disputed decisions of recorded matches: the tables of the report follow from the choices and the
//! rollouts.

use nonet::backgammon::{GameState, Position};
use nonet::stats::Estimate;

use crate::disputed_plays::{JUDGES, numbers, table};
use crate::reports::{in_words, read};

const PLAYERS: [&str; 6] =
    ["nonet 1-ply", "nonet 2-ply", "nonet 3-ply", "`gnubg:1`", "`gnubg:2`", "`gnubg:3`"];

struct Decision {
    kind: String,
    chosen: Vec<usize>,
    /// By judge: the equities of the plays, or of no double and a double that is taken. Empty where
    /// nothing was rolled out.
    judged: Vec<Vec<f64>>,
}

fn decisions() -> Vec<Decision> {
    let text = read("matches/rollouts.csv");
    let third = read("matches/open-sage.csv");
    let mut third = third.lines().skip(1);
    let all = text.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let [number, kind, xgid, options, chosen @ .., nonet, gnubg] = &cells[..] else {
            panic!("{line}")
        };
        let state: GameState = xgid.parse().expect("an XGID");
        assert_eq!(state.dice().is_some(), *kind == "play", "{line}");
        let options: Vec<&str> = options.split(';').collect();
        match *kind {
            "play" => {
                assert!(options.iter().all(|id| Position::from_id(id).is_ok()), "{line}");
            }
            "double" => assert_eq!(options, ["no double", "double"], "{line}"),
            _ => assert_eq!((*kind, &options[..]), ("answer", &["pass", "take"][..]), "{line}"),
        }
        let chosen: Vec<usize> = chosen.iter().map(|cell| cell.parse().expect("a place")).collect();
        assert_eq!(chosen.len(), PLAYERS.len(), "{line}");
        assert!(chosen.iter().all(|place| *place < options.len()), "{line}");
        let mut judged = vec![numbers(nonet), numbers(gnubg)];
        if judged[0].is_empty() {
            judged.clear();
        } else {
            let row = third.next().expect("judged by the third, too");
            judged.push(numbers(row.strip_prefix(&format!("{number},")).expect("the same order")));
            assert!(judged.iter().all(|values| values.len() == options.len()), "{line}");
        }
        Decision { kind: (*kind).to_owned(), chosen, judged }
    });
    let all = all.collect();
    assert!(third.next().is_none());
    all
}

impl Decision {
    /// What a player loses by the mean of some judges, in thousandths of a point.
    fn lost(&self, player: usize, judges: &[usize]) -> f64 {
        if self.judged.is_empty() {
            return 0.0;
        }
        let value = |place: usize| {
            judges.iter().map(|&judge| self.judged[judge][place]).sum::<f64>() / judges.len() as f64
        };
        let worth = |choice: usize| match (self.kind.as_str(), choice) {
            ("double", 1) => value(1).min(1.0),
            // To the player who doubled, a pass is worth a point.
            ("answer", 0) => -1.0,
            ("answer", _) => -value(1),
            (_, choice) => value(choice),
        };
        let best = (0..self.judged[0].len()).map(worth).fold(f64::MIN, f64::max);
        1000.0 * (best - worth(self.chosen[player]))
    }
}

#[test]
fn what_disputed_decisions_of_matches_lose_follows_from_the_rollouts() {
    let (all, report) = (decisions(), read("matches.md"));
    let has = |text: &str| assert!(report.contains(text), "reports/matches.md lacks:\n{text}");
    let kinds: [(&str, &[&str]); 4] = [
        ("plays", &["play"]),
        ("doubles", &["double"]),
        ("answers", &["answer"]),
        ("doubles and answers", &["double", "answer"]),
    ];
    let judges = [vec![0], vec![1], vec![2], vec![0, 1, 2]];
    let of_kinds =
        |kinds: &'static [&str]| all.iter().filter(move |one| kinds.contains(&one.kind.as_str()));
    let counts = kinds.map(|(label, kinds)| {
        let open = of_kinds(kinds).filter(|one| !one.judged.is_empty()).count();
        vec![label.to_owned(), of_kinds(kinds).count().to_string(), open.to_string()]
    });
    has(&table(&["decisions", "number", "rolled out"], counts));
    let lost = kinds.map(|(label, kinds)| {
        let of = |player| in_words(of_kinds(kinds).map(|one| one.lost(player, &judges[3])), false);
        std::iter::once(label.to_owned()).chain((0..PLAYERS.len()).map(of)).collect()
    });
    has(&table(&[&["decisions"], &PLAYERS[..]].concat(), lost));
    let pairs = [(0, 3), (1, 4), (2, 5), (1, 5), (2, 1)];
    let differences = kinds.into_iter().flat_map(|(label, kinds)| {
        let (judges, of_kinds) = (&judges, &of_kinds);
        pairs.map(move |(one, other)| {
            let of = |judges: &Vec<usize>| {
                let less = |d: &Decision| d.lost(one, judges) - d.lost(other, judges);
                in_words(of_kinds(kinds).map(less), true)
            };
            let names = format!("{}, {}", PLAYERS[one], PLAYERS[other]);
            [label.to_owned(), names].into_iter().chain(judges.iter().map(of)).collect()
        })
    });
    has(&table(&[&["decisions", "players"], &JUDGES[..], &["all three"]].concat(), differences));
    let in_blocks = |one: usize, other: usize| {
        let less = |d: &Decision| d.lost(one, &judges[3]) - d.lost(other, &judges[3]);
        let plays: Vec<f64> = of_kinds(kinds[0].1).map(less).collect();
        let blocks = plays.chunks(31).map(|block| block.iter().sum::<f64>());
        let error = Estimate::from_values(blocks.clone()).stderr * blocks.len() as f64;
        format!("{:.2}", error / plays.len() as f64)
    };
    has(&format!(
        "  about a game, the first difference above has an error of {}, the second of {}.",
        in_blocks(2, 5),
        in_blocks(1, 5)
    ));
    // The README has half of the 95 % intervals.
    let readme = read("../README.md");
    let of_readme = |player| {
        let lost = of_kinds(kinds[0].1).map(|one| one.lost(player, &judges[3]));
        let estimate = Estimate::from_values(lost);
        let (from, to) = estimate.interval95();
        format!("{:.2} ± {:.2}", estimate.mean, (to - from) / 2.0)
    };
    for cell in [format!("2-ply: {} |", of_readme(5)), format!("| {} |", of_readme(2))] {
        assert!(readme.contains(&cell), "README.md lacks {cell}");
    }
    let card = read("../nets/README.md");
    for (one, other, ours, its) in [
        (0, 3, "1-ply", "0-ply"),
        (1, 4, "2-ply", "1-ply"),
        (1, 5, "2-ply", "2-ply"),
        (2, 5, "3-ply", "2-ply"),
    ] {
        let less = |d: &Decision| d.lost(one, &judges[3]) - d.lost(other, &judges[3]);
        let [plays, cube] =
            [kinds[0].1, kinds[3].1].map(|kinds| in_words(of_kinds(kinds).map(less), true));
        let row = format!("| {ours} | its {its} | {plays} | {cube} |\n");
        assert!(card.contains(&row), "nets/README.md lacks {row}");
    }
}

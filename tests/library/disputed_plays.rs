//! Plays that players dispute: the tables of reports follow from the choices and the rollouts.

use nonet::backgammon::Position;
use nonet::class::Class;

use crate::reports::{below, in_words, read};

/// What rollouts say of plays that players dispute: the players' choices, and the equities of the
/// plays by each judge.
struct Disputed {
    /// Of the position before the roll.
    class: Class,
    chosen: Vec<usize>,
    /// By judge; empty where the players agree.
    judged: Vec<Vec<f64>>,
}

pub(crate) const JUDGES: [&str; 3] = ["nonet", "GNU Backgammon", "Open Sage"];

pub(crate) fn numbers(cell: &str) -> Vec<f64> {
    cell.split_terminator(';').map(|value| value.parse().expect("an equity")).collect()
}

/// The decisions of a folder of `reports`, and the judgement of a third judge if `third` names its
/// file.
fn disputed(folder: &str, third: Option<&str>) -> Vec<Disputed> {
    let file = |name: &str| read(&format!("{folder}/{name}"));
    let text = file("decisions.csv");
    let third = third.map(file);
    let mut third = third.as_ref().map(|text| text.lines().skip(1));
    let mut all = Vec::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [number, position, dice, plays, afters, chosen @ .., nonet, gnubg] = &cells[..] else {
            panic!("{line}")
        };
        let position = Position::from_id(position).expect("an ID");
        let dice = dice.parse().expect("a roll");
        for (play, after) in plays.split(';').zip(afters.split(';')) {
            let candidate = position.read_play(play, dice).expect("a legal play");
            assert_eq!(candidate.after.id(), after, "{line}");
        }
        let chosen: Vec<usize> = chosen.iter().map(|cell| cell.parse().expect("a place")).collect();
        let mut judged = vec![numbers(nonet), numbers(gnubg)];
        if judged[0].is_empty() {
            judged.clear();
        } else {
            if let Some(third) = &mut third {
                let row = third.next().expect("judged by the third, too");
                let values =
                    row.strip_prefix(&format!("{number},{afters},")).expect("the same plays");
                // Static values may stand before those of the rollouts.
                judged.push(numbers(values.rsplit(',').next().unwrap_or_default()));
            }
            assert!(judged.iter().all(|values| values.len() == plays.split(';').count()), "{line}");
        }
        all.push(Disputed { class: Class::of(&position), chosen, judged });
    }
    assert!(third.is_none_or(|mut rows| rows.next().is_none()));
    all
}

impl Disputed {
    /// What a player loses by the mean of some judges, in thousandths of a point.
    fn lost(&self, player: usize, judges: &[usize]) -> f64 {
        let Some(plays) = self.judged.first().map(Vec::len) else { return 0.0 };
        let value = |play: usize| {
            judges.iter().map(|&judge| self.judged[judge][play]).sum::<f64>() / judges.len() as f64
        };
        let best = (0..plays).map(value).fold(f64::MIN, f64::max);
        1000.0 * (best - value(self.chosen[player]))
    }
}

/// A table of a report.
pub(crate) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(|&cell| cell.to_owned()).collect();
    let below = format!("|{}\n", "---|".repeat(head.len()));
    let rows = rows.into_iter().map(|cells| line(&cells));
    line(&head) + &below + &rows.collect::<String>()
}

#[test]
fn what_disputed_plays_lose_follows_from_the_rollouts() {
    let (all, report) = (disputed("disputed", Some("open-sage.csv")), read("disputed.md"));
    // In the order of the file.
    let players = [
        "fourth 1-ply",
        "fourth 2-ply",
        "fourth 3-ply",
        "fourth 4-ply",
        "`gnubg:1`",
        "`gnubg:2`",
        "`gnubg:3`",
        "nonet 1-ply",
        "nonet 2-ply",
        "nonet 3-ply",
        "nonet 4-ply",
    ];
    assert!(all.iter().all(|decision| decision.chosen.len() == players.len()));
    let has = |text: &str| assert!(report.contains(text), "reports/disputed.md lacks:\n{text}");
    let open = all.iter().filter(|decision| !decision.judged.is_empty()).count();
    has(&format!("{} decisions, {open} of them disputed.", all.len()));
    let judges = [vec![0], vec![1], vec![2], vec![0, 1, 2]];
    let of_judges = |name: &str, lost: &dyn Fn(&Disputed, &[usize]) -> f64, sign: bool| {
        let cells =
            judges.iter().map(|judges| in_words(all.iter().map(|one| lost(one, judges)), sign));
        std::iter::once(name.to_owned()).chain(cells).collect::<Vec<String>>()
    };
    let head = |first| [&[first], &JUDGES[..], &["all three"]].concat();
    let lost = [7, 8, 9, 10, 4, 5, 6, 0, 1, 2, 3].map(|player: usize| {
        of_judges(players[player], &|one, judges| one.lost(player, judges), false)
    });
    has(&table(&head("player"), lost));
    let pairs: [(usize, usize); 15] = [
        (7, 0),
        (8, 1),
        (9, 2),
        (10, 3),
        (7, 4),
        (7, 5),
        (8, 5),
        (8, 6),
        (9, 6),
        (10, 6),
        (8, 7),
        (9, 8),
        (10, 9),
        (5, 4),
        (6, 5),
    ];
    let differences = pairs.map(|(one, other)| {
        let less = |d: &Disputed, judges: &[usize]| d.lost(one, judges) - d.lost(other, judges);
        of_judges(&format!("{}, {}", players[one], players[other]), &less, true)
    });
    has(&table(&head("players"), differences));
    let mean: [usize; 3] = [0, 1, 2];
    let of_class = |class: Class| all.iter().filter(move |decision| decision.class == class);
    let shown = [7, 8, 9, 10, 4, 5, 6];
    let names = shown.map(|player: usize| players[player]);
    let by_class = Class::all().map(|class| {
        let open = of_class(class).filter(|decision| !decision.judged.is_empty()).count();
        let cells =
            shown.map(|player| in_words(of_class(class).map(|one| one.lost(player, &mean)), false));
        let counts = [class.slug().to_owned(), of_class(class).count().to_string()];
        counts.into_iter().chain([open.to_string()]).chain(cells).collect()
    });
    has(&table(&[&["class", "decisions", "disputed"], &names[..]].concat(), by_class));
    let changes = Class::all().map(|class| {
        let less = |depth: usize| {
            let less = |one: &Disputed| one.lost(7 + depth, &mean) - one.lost(depth, &mean);
            in_words(of_class(class).map(less), true)
        };
        let sum = |player: usize| of_class(class).map(|one| one.lost(player, &mean)).sum::<f64>();
        let ratio = if sum(0) > 0.0 { format!("{:.2}", sum(7) / sum(0)) } else { "-".to_owned() };
        vec![class.slug().to_owned(), less(0), less(1), less(2), less(3), ratio]
    });
    let head = ["class", "1-ply", "2-ply", "3-ply", "4-ply", "1-ply, times the fourth's loss"];
    has(&table(&head, changes));
}

#[test]
fn where_search_and_rollouts_part_follows_from_the_rollouts() {
    let (all, report) = (disputed("disputed", Some("open-sage.csv")), read("disputed.md"));
    let has = |text: &str| assert!(report.contains(text), "reports/disputed.md lacks:\n{text}");
    // In the order of the files.
    let [searching, champion] = [6, 9];
    let gnubg = 1;
    let best = |values: &[f64]| {
        (0..values.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b])).expect("a play")
    };
    /// The play of the rollouts less that of the search, by each judge, and which the champion
    /// chooses.
    struct Parted {
        gains: [f64; 3],
        champion: Option<bool>,
    }
    let mut parted: Vec<Parted> = Vec::new();
    for decision in all.iter().filter(|decision| !decision.judged.is_empty()) {
        let (searched, rolled_out) = (decision.chosen[searching], best(&decision.judged[gnubg]));
        if searched != rolled_out {
            let gain = |values: &Vec<f64>| 1000.0 * (values[rolled_out] - values[searched]);
            let gains = [1, 0, 2].map(|judge: usize| gain(&decision.judged[judge]));
            let champion = match decision.chosen[champion] {
                play if play == rolled_out => Some(true),
                play if play == searched => Some(false),
                _ => None,
            };
            parted.push(Parted { gains, champion });
        }
    }
    parted.sort_by(|a, b| b.gains[0].total_cmp(&a.gains[0]));
    has(&format!("In {} decisions GNU Backgammon's own rollouts", parted.len()));
    let row = |name: String, some: &[Parted]| {
        let cell = |judge: usize| in_words(some.iter().map(|one| one.gains[judge]), true);
        format!("| {name} | {} | {} | {} |", cell(0), cell(1), cell(2))
    };
    let largest = &parted[..200];
    has(&row("the 200 with the largest difference".to_owned(), largest));
    has(&row(format!("all {}", parted.len()), &parted));
    let count = |is: &dyn Fn(&Parted) -> bool| largest.iter().filter(|one| is(one)).count();
    let both = count(&|one| one.gains[1] > 0.0 && one.gains[2] > 0.0);
    let neither = count(&|one| one.gains[1] <= 0.0 && one.gains[2] <= 0.0);
    has(&format!("in {both} of the 200, neither does in {neither}."));
    let [rollouts, search] = [true, false].map(|side| count(&|one| one.champion == Some(side)));
    has(&format!("in {rollouts} of them, that of the search in {search}."));
}

#[test]
fn what_each_level_of_analysis_loses_follows_from_the_rollouts() {
    let (all, report) = (disputed("levels-of-analysis", None), read("levels-of-analysis.md"));
    let players = ["1-ply", "2-ply", "3-ply", "4-ply", "roller", "longer games", "`gnubg:3`"];
    assert!(all.iter().all(|decision| decision.chosen.len() == players.len()));
    let open = all.iter().filter(|decision| !decision.judged.is_empty()).count();
    let counts = format!("{} decisions, {open} of them disputed.", all.len());
    assert!(report.contains(&counts), "reports/levels-of-analysis.md lacks: {counts}");
    let table = below(&report, "What each level loses:");
    let [three, judges_of_all] = [2, 2];
    for (place, player) in players.iter().enumerate() {
        let mut judges: Vec<Vec<usize>> = (0..judges_of_all).map(|judge| vec![judge]).collect();
        judges.push((0..judges_of_all).collect());
        let mut cells: Vec<String> = judges
            .iter()
            .map(|judges| in_words(all.iter().map(|one| one.lost(place, judges)), false))
            .collect();
        let mean = &judges[judges_of_all];
        let more = all.iter().map(|one| one.lost(place, mean) - one.lost(three, mean));
        cells.push(if place == three { String::new() } else { in_words(more, true) });
        let row = format!("\n| {player} | {} |", cells.join(" | "));
        assert!(table.contains(&row), "reports/levels-of-analysis.md lacks{row}");
    }
}

//! The table of `reports/rollout-targets.md` follows from its raw data.
//!
//! They are the values of the nets and the rollouts of the back games.

use nonet::stats::Estimate;

use crate::reports::{back_games, read};

#[test]
fn what_rollouts_as_targets_change_follows_from_the_values() {
    let (report, values) = (read("rollout-targets.md"), read("rollout-targets/values.csv"));
    let (_, games) = back_games();
    let mut lines = values.lines();
    let names: Vec<&str> = lines.next().expect("a head").split(',').skip(1).collect();
    let rows: Vec<Vec<f64>> = lines
        .enumerate()
        .map(|(place, line)| {
            let cells: Vec<f64> =
                line.split(',').map(|cell| cell.parse().expect("a number")).collect();
            assert_eq!(cells[0], place as f64, "{line}");
            cells[1..].to_vec()
        })
        .collect();
    assert_eq!(rows.len(), games.len());
    let told = |values: Vec<f64>, sign: bool| {
        let Estimate { mean, stderr, .. } = Estimate::from_values(values.into_iter());
        let half = 1.96 * stderr;
        if sign { format!("{mean:+.4} ± {half:.4}") } else { format!("{mean:.4} ± {half:.4}") }
    };
    // Above the rollouts of these judges: nonet, GNU Backgammon and Open Sage.
    let errors = |net: usize, judges: &[usize]| -> Vec<f64> {
        let truth = |rollouts: &[f64; 3]| {
            judges.iter().map(|&judge| rollouts[judge]).sum::<f64>() / judges.len() as f64
        };
        rows.iter().zip(&games).map(|(row, (_, rollouts))| row[net] - truth(rollouts)).collect()
    };
    let sizes = |net: usize| errors(net, &[0, 1, 2]).into_iter().map(f64::abs);
    for (net, name) in names.iter().enumerate() {
        let (all, others) = (errors(net, &[0, 1, 2]), errors(net, &[1, 2]));
        let less = ["champion", "plain"].map(|base| {
            let base = names.iter().position(|name| *name == base).expect("a net");
            let less = sizes(net).zip(sizes(base)).map(|(own, base)| own - base).collect();
            if net == base { String::new() } else { told(less, true) }
        });
        let row = format!(
            "\n| {name} | {} | {} | {} | {} |",
            told(all, true),
            told(others, true),
            told(sizes(net).collect(), false),
            less.join(" | ")
        );
        assert!(report.contains(&row), "reports/rollout-targets.md lacks{row}");
    }
}

//! The move generator against counted positions: `positions.perft` holds the counts.

use backgammon::{Position, perft};

#[test]
fn the_counts_are_those_of_the_file() {
    let mut lines = 0;
    for line in include_str!("../positions.perft").lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split_whitespace();
        let id = fields.next().expect("a Position ID");
        let position = Position::from_id(id).expect(id);
        for (depth, count) in (1..).zip(fields) {
            let count: u64 = count.parse().expect(line);
            assert_eq!(perft(&position, depth), count, "{id} at depth {depth}");
        }
        lines += 1;
    }
    assert_eq!(lines, 7);
}

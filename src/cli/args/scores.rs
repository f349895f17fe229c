//! The option for a score matrix.

use nonet::answer::ScoreMatrix;

/// Asks for the answer at many scores.
#[derive(clap::Args)]
pub(crate) struct ScoresArgs {
    /// Answer at all scores to N points away [default: 9]
    ///
    /// The table is a score matrix. N is 1 to 15 and follows an equals sign, as in --scores=5. Each
    /// cell is the plain answer at its score. The table has money, the Crawford game, and the cube
    /// in other places, too. Ctrl-C shows the cells that are done.
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = DEFAULT,
        value_parser = clap::value_parser!(u16).range(1..=i64::from(ScoreMatrix::MOST_AWAY)),
    )]
    pub(crate) scores: Option<u16>,
}

/// [`ScoreMatrix::AWAY`] as text; a test compares them.
const DEFAULT: &str = "9";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_size_is_that_of_the_library() {
        assert_eq!(DEFAULT, ScoreMatrix::AWAY.to_string());
    }
}

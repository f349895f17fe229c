//! The line "Size" of a report: the sizes of the experiment and of the paper's, and every cut.

use crate::spec::Experiment;

/// The size in words.
///
/// It begins with "Cut" if anything is smaller than the paper's. It claims the paper's size only if
/// games, tests and simulations all reach it.
pub(super) fn in_words(experiment: &Experiment, scale: f64) -> String {
    let Experiment { repeats, .. } = experiment;
    let of = experiment.variants.iter().map(|variant| experiment.games_of(variant, scale));
    let (games, most) = (of.clone().min().unwrap_or(0), of.max().unwrap_or(0));
    let tests = experiment.variants.iter().map(|v| experiment.tests_of(v, scale).len());
    let tests = tests.min().unwrap_or(0) as u64;
    let test_games = crate::spec::scaled_games(experiment.test_games, scale);
    let size = if experiment.variants.is_empty() {
        let planned = experiment.matches(scale);
        let (series, games): (Vec<u64>, Vec<u64>) =
            planned.iter().map(|planned| planned.series(*repeats)).unzip();
        let range = |numbers: &[u64]| match (numbers.iter().min(), numbers.iter().max()) {
            (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
            (Some(least), _) => least.to_string(),
            (None, _) => "0".to_owned(),
        };
        let matches = if series.iter().all(|n| *n == 1) { "match" } else { "matches" };
        format!("{} {matches} of {} games between each pair", range(&series), range(&games))
    } else {
        let simulations = counted(*repeats, "simulation");
        let tests = counted(tests, "test");
        let up_to = if most > games { format!(" to {most}") } else { String::new() };
        let each = if *repeats == 1 { "" } else { " each" };
        let noun = if most == 1 { "game" } else { "games" };
        format!("{simulations} of {games}{up_to} {noun}{each}, {tests} of {test_games} games")
    };
    let scaled = (scale < 1.0).then(|| format!("{scale} of the experiment"));
    let mut cuts: Vec<String> = scaled.into_iter().chain(experiment.cut.clone()).collect();
    let pairs = experiment.paper_size.iter().flat_map(|paper| {
        [
            ("games", games, paper.games),
            ("tests", tests, paper.tests),
            ("games a test", test_games, paper.test_games),
            ("simulations", *repeats, paper.repeats),
        ]
    });
    let pairs: Vec<_> = pairs.collect();
    let less = pairs.iter().filter(|(_, ours, theirs)| ours < theirs);
    cuts.extend(less.map(|(what, ours, theirs)| match (what.strip_suffix('s'), ours) {
        (Some(one), 1) => format!("one {one} of the paper's {theirs}"),
        _ => format!("{ours} {what} of the paper's {theirs}"),
    }));
    if pairs.is_empty() && cuts.is_empty() {
        return match &experiment.paper_size_in_words {
            Some(theirs) => format!("{size}. The paper: {theirs}."),
            None => {
                format!(
                    "{size}. The paper has no experiment of this kind to compare the size with."
                )
            }
        };
    }
    if cuts.is_empty() {
        let more = pairs.iter().filter(|(_, ours, theirs)| ours > theirs && *theirs > 0);
        let words = |(what, _, theirs): &(&str, u64, u64)| match (*what, theirs) {
            ("simulations", 1) => "one simulation".to_owned(),
            _ => format!("{theirs} {what}"),
        };
        let more: Vec<String> = more.map(words).collect();
        let more = if more.is_empty() {
            String::new()
        } else {
            format!(" (the paper: {})", more.join(", "))
        };
        format!("At the paper's size: {size}{more}.")
    } else {
        format!("**Cut**: {}. Here: {size}.", cuts.join(", "))
    }
}

pub(super) fn counted(n: u64, what: &str) -> String {
    if n == 1 { format!("one {what}") } else { format!("{n} {what}s") }
}

/// A number of games in a table or a list.
pub(super) fn games(n: u64) -> String {
    if n == 1 { "1 game".to_owned() } else { format!("{n} games") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(size: &str) -> Experiment {
        Experiment::read(&format!(
            "name = \"a\"\ntitle = \"b\"\npaper = \"c\"\nclaim = \"d\"\ngames = 1000\neval_every = 500\ntest_games = 50\n\
             repeats = 5\n{size}\n[[variant]]\nname = \"one\"\n"
        ))
        .expect("readable")
    }

    #[test]
    fn the_papers_size_is_claimed_only_if_games_tests_and_simulations_reach_it() {
        let same =
            experiment("paper_size = { games = 1000, tests = 2, test_games = 50, repeats = 2 }");
        let text = in_words(&same, 1.0);
        assert_eq!(
            text,
            "At the paper's size: 5 simulations of 1000 games each, 2 tests of 50 games (the paper: 2 simulations)."
        );
        assert!(in_words(&same, 0.5).starts_with(
            "**Cut**: 0.5 of the experiment, 500 games of the paper's 1000, 26 games a test"
        ));
        let sizes = [(1500, 2, 50, 2), (1000, 3, 50, 2), (1000, 2, 51, 2), (1000, 2, 50, 6)];
        for (games, tests, test_games, repeats) in sizes {
            let text = in_words(
                &experiment(&format!(
                    "paper_size = {{ games = {games}, tests = {tests}, test_games = {test_games}, repeats = {repeats} }}"
                )),
                1.0,
            );
            assert!(text.starts_with("**Cut**: "), "{text}");
        }
    }

    #[test]
    fn one_game_is_singular() {
        let text = in_words(&experiment(""), 0.001);
        assert!(
            text.ends_with("Here: 5 simulations of 1 game each, one test of 6 games."),
            "{text}"
        );
        assert_eq!([games(1), games(2)], ["1 game", "2 games"]);
    }
}

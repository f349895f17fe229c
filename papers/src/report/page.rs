//! The page of an experiment, in the order of a reader's questions.
//!
//! The order is: the findings, the picture, the table, how learning works, what it means, how it
//! was made.

use std::fmt::Write;

use super::prose::{folded_lines, sentences};
use super::{ExperimentReport, build, glossary, size_text};
use crate::claims::JudgedRow;
use crate::plan::scaled;
use crate::spec::{Experiment, Metric, PanelSpec, scaled_games};

/// What a page has in addition to the figures.
#[derive(Debug, Default)]
pub(crate) struct PageParts {
    /// The text of `discussion.md`, empty without it. Its first paragraph is the finding.
    pub(crate) discussion: String,
    /// The claims of the paper that this experiment tests.
    pub(crate) rows: Vec<JudgedRow>,
    /// Lines that say how the results were made.
    pub(crate) facts: Vec<String>,
    /// The command of the first simulation.
    pub(crate) first_run: Option<String>,
    /// Whether the folder above has the page of all claims, with the words of all pages.
    pub(crate) has_page_above: bool,
}

/// The loop of learning; the table below it says what each part is.
const SKETCH: &str = "\
```text
  1 games  -->  2 positions  -->  3 targets  -->  4 step of the weights
     ^                                                     |
     +------------------  the next game  <-----------------+
```

";

impl ExperimentReport<'_> {
    /// The page in Markdown.
    pub(crate) fn page(&self, parts: &PageParts) -> String {
        let Experiment { title, paper, claim, differs, .. } = self.experiment;
        let (finding, discussion) =
            parts.discussion.split_once("\n\n").unwrap_or((&parts.discussion, ""));
        let mut text = format!("# {title}\n\n");
        if !finding.trim().is_empty() {
            let _ = writeln!(text, "{}\n", finding.trim());
        }
        write_rows(&parts.rows, &mut text);
        let _ = writeln!(text, "The authors say: {} ({paper}.)\n", sentences(claim));
        let _ = writeln!(text, "Size: {}\n", size_text::in_words(self.experiment, self.scale));
        text.push_str("## Pictures\n\n");
        for panel in self.pictures() {
            let caption = self.caption(&panel);
            let _ = writeln!(text, "![{}]({}.svg)\n\n*{caption}*\n", panel.title, panel.name);
        }
        text.push_str("## Figures\n\n");
        self.write_tables(&mut text);
        self.write_learning(parts.has_page_above, &mut text);
        if !discussion.trim().is_empty() {
            let _ = writeln!(text, "## Discussion\n\n{}\n", discussion.trim());
        }
        text.push_str("## How it was made\n\n");
        let rules = build::difference(&self.simulations.runs);
        let differences: Vec<&str> = differs.iter().map(String::as_str).chain(rules).collect();
        if !differences.is_empty() {
            text.push_str("It differs from the paper:\n\n");
            for difference in differences {
                let _ = writeln!(text, "- {}", sentences(difference));
            }
            text.push_str("\nThe runs:\n\n");
        }
        for fact in parts.facts.iter().chain(&build::programs(&self.simulations.runs)) {
            let _ = writeln!(text, "- {}", sentences(fact));
        }
        if let Some(command) = &parts.first_run {
            let _ = write!(text, "\nThe first simulation:\n\n```sh\n{command}\n```\n");
        }
        folded_lines(&text)
    }

    fn write_tables(&self, text: &mut String) {
        if !self.simulations.diverged.is_empty() {
            text.push_str(
                "A row leaves out its simulations whose weights diverged, which flatters the row.\n\n",
            );
        }
        if !self.experiment.variants.is_empty() && !self.experiment.classes {
            let metric = self.experiment.metric;
            match &self.other {
                // The rating lags behind what the nets can do.
                Some((other, figures)) if metric == Metric::Rating => {
                    self.write_figures(text, *other, figures);
                    folded("The same by rating", text, |text| {
                        self.write_figures(text, metric, &self.figures);
                    });
                }
                Some((other, figures)) => {
                    self.write_figures(text, metric, &self.figures);
                    let summary = if *other == Metric::Wins {
                        "The same by games won: the second reading"
                    } else if metric == Metric::Size {
                        "The same by shares of points"
                    } else {
                        "The second reading"
                    };
                    folded(summary, text, |text| self.write_figures(text, *other, figures));
                }
                None => self.write_figures(text, metric, &self.figures),
            }
            self.write_best(text);
            folded("Interquartile means, and single simulations", text, |text| {
                self.write_robust(text);
            });
        }
        self.write_fit(text);
        self.write_plateaus(text);
        self.write_classes(text);
        self.write_matches(text);
        if let Some(weights) = &self.weights {
            weights.write(self.experiment, text);
        }
    }

    /// What a picture shows: the number of simulations, the kinds of marks, and what its definition
    /// adds.
    fn caption(&self, panel: &PanelSpec) -> String {
        let Experiment { repeats, variants, .. } = self.experiment;
        let shown = || variants.iter().enumerate().filter(|(_, variant)| panel.draws(variant));
        let mut simulations = match repeats {
            1 => "One simulation".to_owned(),
            n => format!("{n} simulations of each row"),
        };
        if shown().any(|(place, _)| self.simulations.diverged_of(place) > 0) {
            simulations.push_str(". Those that diverged are left out");
        }
        let mut caption = if self.experiment.classes {
            format!("{simulations}. Bars: our share of each class, and the paper's.")
        } else if panel.weights.is_some() {
            format!("{simulations}. Lines: mean weights. Bands: 95 % intervals of the means.")
        } else if panel.against.is_some() {
            format!("{simulations}. Dots: means. Bars: their 95 % intervals.")
        } else if panel.matches || variants.is_empty() {
            "Bars: points a game in matches at the end, with 95 % intervals.".to_owned()
        } else {
            let marks = match panel.runs {
                _ if self.has_one_test(panel) => "Bars: means, with their 95 % intervals.",
                true => "Thick lines: medians. Thin lines: single simulations.",
                false => "Lines: means. Bands: 95 % intervals of the means.",
            };
            let tests = 0..self.tests_at.len();
            let printed = shown().any(|(v, _)| tests.clone().any(|m| self.paper(v, m).is_some()));
            let dots = if printed {
                " Dots: the values that the authors print, in the colour of the line."
            } else {
                ""
            };
            let smooth = if self.experiment.smooth {
                " Each point is the mean of a test and its two neighbours, as in the paper."
            } else {
                ""
            };
            format!("{simulations}. {marks}{dots}{smooth}")
        };
        if !panel.caption.is_empty() {
            let _ = write!(caption, " {}", panel.caption);
        }
        caption
    }

    fn write_learning(&self, has_page_above: bool, text: &mut String) {
        let names = self.experiment.variants.iter().map(|variant| variant.name.as_str());
        let words = glossary::words_of(&self.experiment.name, names);
        if let Some(learning) = &self.experiment.learning {
            let _ = write!(text, "## How learning works here\n\n{SKETCH}");
            text.push_str("| part | here |\n|---|---|\n");
            let parts = [
                ("1 games", &learning.games),
                ("2 positions", &learning.positions),
                ("3 targets", &learning.target),
                ("4 step", &learning.step),
            ];
            for (part, words) in parts {
                let _ = writeln!(text, "| {part} | {words} |");
            }
            let _ = writeln!(text, "| test | {} |\n", self.test_in_words());
        }
        if words.is_empty() {
            return;
        }
        let more = if has_page_above { " ([words of all pages](../README.md#words))" } else { "" };
        let _ = write!(text, "Words in tables and legends{more}:\n\n");
        text.push_str("| word | meaning |\n|---|---|\n");
        for word in words {
            let _ = writeln!(text, "| {} | {} |", word.word, word.means);
        }
        text.push('\n');
    }

    fn test_in_words(&self) -> String {
        let Experiment { eval_every, eval_at, .. } = self.experiment;
        // As the plan of a simulation has them.
        let mut eval_at: Vec<u64> = eval_at.iter().map(|&at| scaled(at, self.scale)).collect();
        eval_at.dedup();
        let games = scaled_games(self.experiment.test_games, self.scale);
        let mut when: Vec<String> = Vec::new();
        let every = (*eval_every > 0).then(|| scaled(*eval_every, self.scale));
        // Tests after every game are all that there can be.
        if !eval_at.is_empty() && every != Some(1) {
            let at: Vec<String> = eval_at.iter().map(u64::to_string).collect();
            let noun = if eval_at == [1] { "game" } else { "games" };
            when.push(format!("after {} {noun}", at.join(", ")));
        }
        when.push(match every {
            None => "at the end".to_owned(),
            Some(1) => "after every game".to_owned(),
            Some(every) => format!("after every {every} games"),
        });
        let dice = if self.experiment.fresh_dice { " with new dice" } else { "" };
        let when = when.join(" and ").replacen('a', "A", 1);
        format!("{when}: {games} games{dice}, from which nothing is learned.")
    }
}

/// The claims and what became of them.
fn write_rows(rows: &[JudgedRow], text: &mut String) {
    if rows.is_empty() {
        return;
    }
    text.push_str("| claim | our figure | verdict |\n|---|---|---|\n");
    let one_paper = rows.iter().all(|row| row.paper == rows[0].paper);
    for row in rows {
        let JudgedRow { says, paper, place, short, .. } = row;
        let of = if one_paper { String::new() } else { format!("{paper}, ") };
        let _ = writeln!(text, "| {says} ({of}{place}) | {short} | {} |", row.verdict());
    }
    text.push('\n');
    folded("All comparisons, and what they rest on", text, |text| {
        let more: Vec<&JudgedRow> = rows.iter().filter(|row| row.ours != row.short).collect();
        if more.is_empty() {
            return;
        }
        text.push_str("| claim | in full |\n|---|---|\n");
        for JudgedRow { says, ours, .. } in more {
            let _ = writeln!(text, "| {says} | {ours} |");
        }
        if rows.iter().any(|row| row.ours.starts_with("points: ")) {
            text.push_str(
                "\n\"points\" and \"games\" are the two readings of the paper's \"equity\": the share of points and the share of games.\n",
            );
        }
        text.push('\n');
    });
    text.push_str("[How verdicts are made](../README.md#the-rule).\n\n");
}

/// A part of a page that readers unfold.
fn folded(summary: &str, text: &mut String, write: impl FnOnce(&mut String)) {
    let mut part = String::new();
    write(&mut part);
    if !part.is_empty() {
        let _ = write!(text, "<details><summary>{summary}</summary>\n\n{part}</details>\n\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::ExperimentSettings;
    use crate::run::{DivergedRun, Simulations};
    use nonet_training::train::TrainSpec;

    fn page(eval: &str, scale: f64, has_page_above: bool) -> String {
        page_of(&Simulations::default(), eval, scale, has_page_above)
    }

    fn page_of(simulations: &Simulations, eval: &str, scale: f64, has_page_above: bool) -> String {
        let experiment = Experiment::read(&format!(
            "name = \"wiering-table4\"\ntitle = \"b\"\npaper = \"c\"\nclaim = \"d\"\ngames = 2000\n{eval}\ntest_games = 50\nrepeats = 1\n\
             [learning]\ngames = \"e\"\npositions = \"f\"\ntarget = \"g\"\nstep = \"h\"\n[[variant]]\nname = \"alpha 0.01\"\n"
        ))
        .expect("readable");
        let expert = "pubeval".parse().expect("a player");
        let settings = ExperimentSettings { scale, seed: 1, expert, program: String::new() };
        let report = ExperimentReport::new(&experiment, &settings, simulations, &[]);
        report.page(&PageParts { has_page_above, ..PageParts::default() })
    }

    #[test]
    fn tests_after_one_game_are_told_in_the_singular() {
        let both = "eval_at = [1000]\neval_every = 2000";
        for (eval, scale, words) in [
            (both, 1.0, "After 1000 games and after every 2000 games: 50 games"),
            (both, 0.001, "After 1 game and after every 2 games: 6 games"),
            (both, 0.0005, "After every game: 6 games"),
            ("eval_at = [1000, 2000]", 0.001, "After 1, 2 games and at the end: 6 games"),
        ] {
            let page = page(eval, scale, false);
            assert!(page.contains(&format!("| test | {words}")), "{words}: {page}");
        }
    }

    #[test]
    fn a_row_without_simulations_that_ended_has_dashes_and_no_picture() {
        let eval = "eval_every = 1000";
        let run = DivergedRun {
            options: TrainSpec::default(),
            command: String::new(),
            program: String::new(),
            variant: 0,
            repeat: 0,
            diverged: 7,
        };
        let simulations = Simulations { runs: Vec::new(), diverged: vec![run] };
        let found = page_of(&simulations, eval, 1.0, false);
        assert!(found.contains("| 2000 games | diverged |\n|---|---|---|---|\n"), "{found}");
        assert!(found.contains("\n| alpha 0.01 | – | – | 1 of 1 |\n"), "{found}");
        assert!(found.contains("diverged, which flatters the row."), "{found}");
        assert!(!found.contains(".svg"), "{found}");
        assert!(!page(eval, 1.0, false).contains("diverged"));
    }

    #[test]
    fn a_page_leads_to_the_words_of_all_pages_only_where_they_are() {
        for has_page_above in [true, false] {
            let page = page("eval_every = 1000", 1.0, has_page_above);
            assert!(page.contains("\nWords in tables and legends"), "{page}");
            assert_eq!(page.contains("../README.md"), has_page_above);
        }
    }
}

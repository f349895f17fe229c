//! The page of a training run.

use super::knowledge_part::{STYLE, knowledge_part};
use super::net_inputs::net_inputs_part;
use super::run_session::RunSession;
use super::text::time_taken;
use super::training_run_charts::{
    Tests, classes, equity, late_equity, run_charts, shares, td_error,
};
use super::{HtmlTable, Page, ReportError};
use nonet_engine::class::Class;
use nonet_engine::eval::Specialists;
use nonet_engine::stats::Z95;
use nonet_engine::store::run_file;
use nonet_training::train::{
    GateResult, PlayOff, PlayOffTeam, RunProgress, TestResult, TestRow, csv, knowledge_json,
};

/// Seconds after which the page of an unfinished run loads itself again.
const REFRESH: u32 = 5;

/// What the files of a run show.
#[derive(Clone, Copy, Debug)]
pub struct RunReport<'a> {
    /// The counts and results.
    pub progress: &'a RunProgress,
    /// The command that makes the run.
    pub command: &'a str,
    /// The opponent of the tests, in words.
    pub against: &'a str,
    /// The other opponents of the tests, in words.
    pub others: &'a [String],
    /// The team of the input pictures, once the run has ended.
    pub team: Option<&'a Specialists>,
    /// Whether the net files are in the folder of the page.
    pub nets: bool,
    /// The games that the run will learn from.
    pub games: u64,
    /// Whether the run has ended, so that the page need not be loaded again.
    pub finished: bool,
    /// The sessions of the run: time, machine and speed; empty if they were not recorded.
    pub sessions: &'a [RunSession],
}

impl RunReport<'_> {
    /// The page.
    ///
    /// # Errors
    /// [`ReportError`] when a chart cannot be drawn.
    pub fn page(&self) -> Result<String, ReportError> {
        let RunReport { progress, command, .. } = *self;
        let tests = self.tests();
        let mut page = Page::new("A training run of nonet").style(STYLE).command(command);
        if !self.finished {
            page = page.refresh(REFRESH);
        }
        page = page.paragraph(self.state()).facts(self.facts()).varying_facts(self.varying());
        if !progress.history.is_empty() {
            page = page.links(self.links());
            page = page.heading("Learning curve").chart(&equity(&tests))?;
            if let Some(chart) = late_equity(&tests) {
                page = page.chart(&chart)?;
            }
            if let Some(play_off) = &progress.play_off {
                page = play_off_part(page, play_off);
            }
            page = knowledge_part(page, &progress.knowledge, command)?;
            if let Some(team) = self.team {
                page = net_inputs_part(page, team)?;
            }
            page = page
                .heading("Positions by class")
                .paragraph(
                    "Rules assign each position to one of nine classes, and the class decides which net evaluates it. Shares \
                     of the positions learned from, beside those of Wiering, Patist & Mannen, section 4.1.",
                )
                .chart(&classes(progress, command))?
                .table(&class_table(progress))
                .facts(Class::all().map(|class| (class.slug(), class.spec().meaning)));
            if let Some(chart) = td_error(&progress.history, command) {
                page = page
                    .heading("Temporal differences by class")
                    .paragraph(
                        "How far the net's value of a position is from the value that it learns, which comes from the positions \
                         after it. The dice keep this difference above 0 even for a perfect net; it falls where the net learns to \
                         foresee. In the fine-tuning at the end of a run, if it has one, a position learns its own 2-ply value \
                         instead: these targets hold no luck, and the difference drops.",
                    )
                    .chart(&chart)?;
            }
            page = page
                .heading("Tests")
                .paragraph("± is the half-width of the 95 % interval.")
                .table(&test_table(&progress.history, self.others));
        }
        if !progress.gates.is_empty() {
            page = page
                .heading("Gate")
                .paragraph(
                    "Tests are played against the incumbent. At intervals the best weights since the last decision play a \
                     match against it on separate dice; if they win significantly, they become the incumbent and learning \
                     continues from them.",
                )
                .table(&gate_table(&progress.gates));
        }
        Ok(page.render())
    }

    /// The text files of the run by name: the table of its tests, the plots and the page.
    ///
    /// # Errors
    /// [`ReportError`] when something cannot be drawn.
    pub fn files(&self) -> Result<Vec<(&'static str, String)>, ReportError> {
        let mut files = vec![(run_file::HISTORY, csv(&self.progress.history, self.others))];
        if !self.progress.knowledge.is_empty() {
            files.push((run_file::KNOWLEDGE, knowledge_json(&self.progress.knowledge)));
        }
        files.extend(self.pictures()?);
        Ok(files)
    }

    /// The plots and the page, by name.
    ///
    /// # Errors
    /// [`ReportError`] when something cannot be drawn.
    pub fn pictures(&self) -> Result<Vec<(&'static str, String)>, ReportError> {
        let mut files = run_charts(&self.tests())?;
        files.push((run_file::REPORT, self.page()?));
        Ok(files)
    }

    fn tests(&self) -> Tests<'_> {
        let RunReport { progress, command, against, others, .. } = *self;
        Tests { progress, command, against, others }
    }

    /// The result in a sentence, or how far the run is.
    fn state(&self) -> String {
        let RunReport { progress, against, .. } = *self;
        if let Some(played) = &progress.last_match {
            let winner = progress.play_off.as_ref().map(|play_off| in_words(&play_off.winner));
            let TestResult { ppg, stderr, wins, .. } = played.result;
            return format!(
                "Result: best.nonet{} scores {} points per game against {against} (95 % interval) and wins {:.1} % of \
                 games: {} games on dice that had no part in training or in choosing it.",
                winner.map_or_else(String::new, |winner| format!(", {winner},")),
                plus_minus(ppg, stderr),
                100.0 * wins,
                played.games,
            );
        }
        let tested = match progress.history.last() {
            Some(row) => {
                let result = row.ema.as_ref().unwrap_or(&row.last);
                let score = plus_minus(result.ppg, result.stderr);
                format!(" The last test: {score} points per game against {against}.")
            }
            None => String::new(),
        };
        let what = if self.finished { "The run has ended" } else { "The run is not finished" };
        format!("{what}: {} of {} games.{tested}", progress.games, self.games)
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let progress = self.progress;
        let mut facts = vec![
            ("games learned from", progress.games.to_string()),
            ("positions learned from", progress.positions.to_string()),
        ];
        if progress.endless > 0 {
            facts.push(("games given up as endless", progress.endless.to_string()));
        }
        let counts = progress.record_stats.counts();
        facts.extend(counts.map(|(what, count)| (what, count.to_string())));
        facts
    }

    /// The facts that differ between two runs of the same seed.
    fn varying(&self) -> Vec<(&'static str, String)> {
        let (Some(first), Some(last)) = (self.sessions.first(), self.sessions.last()) else {
            return Vec::new();
        };
        let seconds: f64 = self.sessions.iter().map(|session| session.seconds).sum();
        let sessions = match self.sessions.len() {
            1 => String::new(),
            n => format!(" in {n} sessions"),
        };
        vec![
            ("started", first.started.clone()),
            ("time", format!("{}{sessions}, tests and play-off included", time_taken(seconds))),
            ("speed", format!("{:.0} games/s", RunSession::rate_of(self.sessions))),
            ("machine", format!("{}; {} threads used", last.machine, last.threads)),
            ("program", last.program.clone()),
        ]
    }

    fn links(&self) -> Vec<(&'static str, &'static str)> {
        let average = self.progress.history.last().is_some_and(|row| row.ema.is_some());
        let all = [
            (run_file::BEST, "the result"),
            (run_file::LAST, "the weights after the last game"),
            (run_file::AVERAGE, "the moving average of the weights"),
            (run_file::HISTORY, "all tests"),
            (
                run_file::KNOWLEDGE,
                "values of fixed positions, opening plays and games, at each test",
            ),
            (run_file::CONFIG, "all options"),
        ];
        let there = |file: &str| match file {
            run_file::AVERAGE => average && self.nets,
            run_file::KNOWLEDGE => !self.progress.knowledge.is_empty(),
            file => self.nets || !file.ends_with(".nonet"),
        };
        all.into_iter().filter(|(file, _)| there(file)).collect()
    }
}

/// A team of a run in words.
fn in_words(team: &PlayOffTeam) -> String {
    match team.weights.as_str() {
        "average" => format!("the moving average of the weights after {} games", team.games),
        _ => format!("the weights after {} games", team.games),
    }
}

/// A team of a run in a table.
fn in_short(team: &PlayOffTeam) -> String {
    format!("{}, {}", if team.weights == "average" { "average" } else { "last" }, team.games)
}

/// A score with the half-width of its 95 % interval.
fn plus_minus(ppg: f64, stderr: f64) -> String {
    format!("{ppg:+.3} ± {:.3}", Z95 * stderr)
}

fn play_off_part(page: Page, play_off: &PlayOff) -> Page {
    if play_off.matches.is_empty() {
        return page;
    }
    let mut table = HtmlTable::new(["challenger", "against", "games", "ppg", "± 95 %", "won by"]);
    for played in &play_off.matches {
        let winner = if played.challenger_won() { &played.challenger } else { &played.holder };
        let sure = if played.decided { "" } else { " (not decided)" };
        table = table.row([
            in_short(&played.challenger),
            in_short(&played.holder),
            played.games.to_string(),
            format!("{:+.4}", played.ppg),
            format!("{:.4}", Z95 * played.stderr),
            format!("{}{sure}", in_short(winner)),
        ]);
    }
    page.heading("Play-off")
        .paragraph(
            "At the end the teams that come into question play each other on dice that no test used: the weights after the \
             last game, their moving average, and the best ones by three tests together, if they are older. A match ends as \
             soon as the better team is known with 95 % confidence; where it is not decided, the one that scored more wins. \
             The numbers behind the names are those of games learned from.",
        )
        .table(&table)
}

fn class_table(progress: &RunProgress) -> HtmlTable {
    let mut table = HtmlTable::new(["class", "examples", "share %", "paper %"]);
    for ((class, examples), share) in progress.examples().iter().zip(shares(progress)) {
        let paper = 100.0 * class.paper_share();
        table = table.row([
            class.slug().to_owned(),
            examples.to_string(),
            format!("{share:.1}"),
            format!("{paper:.1}"),
        ]);
    }
    table
}

fn test_table(history: &[TestRow], others: &[String]) -> HtmlTable {
    let heads = ["games", "alpha", "last ppg", "±", "won %", "points %", "averaged ppg", "±"];
    let more = others.iter().flat_map(|other| [format!("against {other}"), "±".to_owned()]);
    let mut table = HtmlTable::new(heads.map(str::to_owned).into_iter().chain(more));
    for TestRow { games, alpha, last, ema, others, .. } in history {
        let averaged = |of: fn(&TestResult) -> String| ema.as_ref().map(of).unwrap_or_default();
        let more = others.iter().flat_map(|result| {
            [format!("{:+.3}", result.ppg), format!("{:.3}", Z95 * result.stderr)]
        });
        let cells = [
            games.to_string(),
            format!("{alpha:.4}"),
            format!("{:+.3}", last.ppg),
            format!("{:.3}", Z95 * last.stderr),
            format!("{:.1}", 100.0 * last.wins),
            format!("{:.1}", 100.0 * last.points),
            averaged(|result| format!("{:+.3}", result.ppg)),
            averaged(|result| format!("{:.3}", Z95 * result.stderr)),
        ];
        table = table.row(cells.into_iter().chain(more));
    }
    table
}

fn gate_table(results: &[GateResult]) -> HtmlTable {
    let mut table =
        HtmlTable::new(["after games", "best weights after", "ppg", "± 95 %", "promoted"]);
    for GateResult { games, best_after, result, promoted } in results {
        let shown = |of: fn(&TestResult) -> String| result.as_ref().map(of).unwrap_or_default();
        table = table.row([
            games.to_string(),
            best_after.to_string(),
            shown(|result| format!("{:+.3}", result.ppg)),
            shown(|result| format!("{:.3}", Z95 * result.stderr)),
            if *promoted { "yes" } else { "no" }.to_owned(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_training::train::{BatchStats, LastMatch, PlayOffMatch};

    fn result(ppg: f64) -> TestResult {
        TestResult { ppg, stderr: 0.02, wins: 0.6, points: 0.6 }
    }

    fn progress() -> RunProgress {
        let row = |games, ppg| TestRow {
            games,
            alpha: 0.01,
            lambda: 0.6,
            last: result(ppg - 0.05),
            ema: Some(result(ppg)),
            others: Vec::new(),
            learned: BatchStats::default(),
        };
        let history = vec![row(100, -1.8), row(1000, -0.4), row(10_000, 0.3), row(20_000, 0.4)];
        RunProgress { games: 20_000, history, ..RunProgress::default() }
    }

    fn report<'a>(progress: &'a RunProgress, finished: bool, sessions: &'a [RunSession]) -> String {
        let command = "nonet train";
        let report = RunReport {
            progress,
            command,
            against: "pubeval",
            others: &[],
            team: None,
            nets: true,
            games: 20_000,
            finished,
            sessions,
        };
        report.page().expect("drawn")
    }

    #[test]
    fn a_page_loads_itself_again_until_the_run_is_finished_and_then_holds_its_result() {
        let mut progress = progress();
        let value = |page: &str, text: &str| {
            let (before, _) = page.split_once(&format!("\n{text}\n")).expect(text);
            before.lines().last().expect("its style").to_owned()
        };
        let page = report(&progress, false, &[]);
        assert!(value(&page, "+0.400").contains("#0072B2"), "the colour of the average");
        assert!(page.contains("http-equiv=\"refresh\" content=\"5\""));
        assert!(page.contains("not finished: 20000 of 20000 games. The last test: +0.400 ± 0.039"));
        let [average, last] =
            ["average", "last"].map(|word| PlayOffTeam { games: 20_000, weights: word.to_owned() });
        let played = PlayOffMatch {
            holder: average.clone(),
            challenger: last,
            games: 4000,
            ppg: -0.03,
            stderr: 0.01,
            decided: true,
        };
        progress.play_off = Some(PlayOff { winner: average, matches: vec![played] });
        progress.last_match = Some(LastMatch { games: 10_000, result: result(0.37) });
        let page = report(&progress, true, &[]);
        assert!(value(&page, "+0.370").contains("#009E73"), "the colour of the last match");
        assert!(!page.contains("refresh"));
        for words in [
            "best.nonet, the moving average of the weights after 20000 games, scores +0.370 ± 0.039",
            "10000 games on dice that had no part",
            "<h2>Play-off</h2>",
            "href=\"best.nonet\"",
        ] {
            assert!(page.contains(words), "{words}");
        }
    }

    #[test]
    fn the_page_says_how_long_and_where_the_run_was_made() {
        let session = |from, to, seconds| RunSession {
            started: "2026-11-22 04:05 UTC".to_owned(),
            from,
            to,
            seconds,
            threads: 2,
            machine: "2 processors".to_owned(),
            program: "nonet 0.1.0".to_owned(),
        };
        let page =
            report(&progress(), true, &[session(0, 5000, 30.0), session(5000, 20_000, 54.0)]);
        for words in ["1 min 24 s in 2 sessions", "238 games/s", "2 processors; 2 threads used"] {
            assert!(page.contains(words), "{words}");
        }
    }
}

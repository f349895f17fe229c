//! `nonet analyse`: analyses recorded games.

use nonet::backgammon::Seat;
use std::fs::File;
use std::io::{BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};

use nonet::analysis::{
    AnalysedDecision, Analysis, CubeCall, DecisionKind, Severity, Summary, analyse, decisions_in,
};
use nonet::backgammon::record::{Location, ReadRecord, RecordError, RecordErrorKind, read_record};
use nonet::engine::Engine;
use nonet::report::{analysis_page, play_of, right_call, score_of, summaries};
use nonet::search::{Plies, SearchSettings};
use nonet::store::{record_files, write_atomic};
use serde_json::{Value, json};

use super::engine_args::{CubeDepthArgs, EngineArgs, outcomes_json};
use super::interrupt::interruptible;
use super::progress_bar::show_progress;
use super::usage;

/// Analyses a recorded match or game: .mat and its relatives (Jellyfish, GNU Backgammon, Snowie, eXtreme Gammon,
/// BackgammonGalaxy, Backgammon Studio, OpenGammon), gnubg .sgf, FIBS oldmoves, or nonet's compact format.
///
/// What cannot be read or contradicts the play is a warning on stderr with its line; the rest is analysed.
///
/// Shows the loss of each play and cube action in points on a cube at 1, marked ?! (doubtful, from 0.04), ? (bad, from
/// 0.08) or ?? (very bad, from 0.16), and the luck of each roll. PR is 500 times the mean loss of a decision.
#[derive(clap::Args)]
pub(super) struct Args {
    /// File of the record, a folder with such files, or - for standard input.
    #[arg(value_name = "FILE|FOLDER|-")]
    file: PathBuf,
    /// Search depth in plies, 1 (static) to 4; gnubg's numbers are one less.
    #[arg(long, value_name = "N", default_value = "2")]
    ply: Plies,
    #[command(flatten)]
    cube: CubeDepthArgs,
    /// The analysis as one JSON object; of a folder, one object a file.
    #[arg(long)]
    json: bool,
    /// Write a self-contained page with a board for every mistake; for one file.
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let several = args.file.is_dir();
    if several && args.html.is_some() {
        return Err(usage("--html is for one file: a folder has a page for each match"));
    }
    let files = files(&args.file)?;
    let mut read = Vec::new();
    let mut failed = Vec::new();
    for file in files {
        match open(&file) {
            Ok(record) => read.push((file, record)),
            Err(error) => failed.push(error),
        }
    }
    if read.is_empty() && !several {
        let error = failed.pop().expect("a file is read or has failed");
        anyhow::bail!("no usable game: {error}");
    }
    for error in &failed {
        writeln!(std::io::stderr(), "cannot use {error}")?;
    }
    if read.is_empty() {
        anyhow::bail!("no usable game in {}", args.file.display());
    }
    for warning in read.iter().flat_map(|(_, record)| &record.warnings) {
        writeln!(std::io::stderr(), "warning: {warning}")?;
    }
    let engine =
        args.engine.open(args.ply, SearchSettings::NORMAL)?.with_cube_plies(args.cube.cube_ply);
    let all = read.iter().map(|(_, record)| decisions_in(&record.games)).sum();
    let analysis = show_progress("decisions", all, &interruptible(), |progress| {
        engine.install(|| {
            let of = |(_, record): &(_, ReadRecord)| analyse(&record.games, &engine, progress);
            read.iter().map(of).collect::<Result<Option<Vec<_>>, _>>()
        })
    });
    let Some(analysis) = analysis.map_err(usage)? else {
        anyhow::bail!("interrupted: nothing was written")
    };
    let mut out = std::io::stdout().lock();
    for ((file, record), analysis) in read.iter().zip(&analysis) {
        let text = if args.json {
            format!("{}\n", in_json(args, file, record, analysis))
        } else {
            let head = if several { format!("{}\n\n", file.display()) } else { String::new() };
            head + &in_words(analysis, &engine) + if several { "\n" } else { "" }
        };
        write!(out, "{text}")?;
    }
    if let (Some(path), [(file, record)], [analysis]) = (&args.html, &read[..], &analysis[..]) {
        let names = record.games[0].header().names.join(" against ");
        let mut facts = vec![
            ("record", file.display().to_string()),
            ("analysed by", format!("nonet {}, {}", env!("CARGO_PKG_VERSION"), args.engine.net)),
            (
                "depth",
                format!(
                    "{}, cube decisions {} (gnubg counts from 0)",
                    args.ply, args.cube.cube_ply
                ),
            ),
        ];
        facts.extend(record.warnings.iter().map(|warning| ("warning", warning.to_string())));
        let page = analysis_page(&names, analysis, &facts)?;
        write_atomic(path, page.render().as_bytes())?;
    }
    Ok(())
}

/// The files to analyse.
fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let standard_input = path == Path::new("-");
    if standard_input && std::io::stdin().is_terminal() {
        return Err(usage("standard input is a terminal; send a record to it"));
    }
    if standard_input {
        return Ok(vec![path.to_owned()]);
    }
    if !path.exists() {
        let path = path.display();
        return Err(usage(format!(
            "cannot read {path}: expected an existing file or folder, or -"
        )));
    }
    let files = record_files(path).map_err(usage)?;
    if files.is_empty() {
        return Err(usage(format!("no file in {}: expected at least one record", path.display())));
    }
    Ok(files)
}

/// All that can be used of a record.
fn open(path: &Path) -> Result<ReadRecord, RecordError> {
    if path == Path::new("-") {
        return read_record(std::io::stdin().lock(), "standard input");
    }
    let name = path.to_string_lossy();
    let file = File::open(path).map_err(|error| RecordError {
        file: name.as_ref().into(),
        place: Location::Line(1),
        reason: RecordErrorKind::Io(error),
    })?;
    read_record(BufReader::new(file), &name)
}

fn in_words(games: &[Analysis], engine: &Engine) -> String {
    let names = &games[0].game.header().names;
    let wide = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = String::new();
    for (number, analysis) in (1..).zip(games) {
        text += &format!("Game {number}: {}\n", score_of(&analysis.game));
        for analysed in &analysis.decisions {
            text += &line(analysed, &analysis.game.header().names[analysed.player.index()], wide);
        }
        text.push('\n');
    }
    text += &format!(
        "{:wide$}  decisions     PR  error rate  lost by plays  by the cube   ?!    ?   ??     luck\n",
        ""
    );
    for (name, summary) in names.iter().zip(summaries(games)) {
        let Summary { plays, calls, play_loss, call_loss, mistakes: [a, b, c], luck } = summary;
        let (pr, rate) = (summary.pr().unwrap_or(0.0), summary.error_rate().unwrap_or(0.0));
        text += &format!(
            "{name:wide$}  {:>9} {pr:>6.2}  {rate:>10.1}  {play_loss:>13.3}  {call_loss:>11.3}  {a:>3}  {b:>3}  {c:>3}  {luck:>+7.3}\n",
            plays + calls,
        );
    }
    text + &format!(
        "analysed at {}; losses in points on a cube at 1; ?! doubtful from 0.04, ? bad from 0.08, ?? very bad from 0.16;\n\
         PR is 500 and the error rate 1000 times the mean loss of a decision\n",
        engine.plies()
    )
}

fn line(analysed: &AnalysedDecision, name: &str, wide: usize) -> String {
    let (what, better, luck) = match &analysed.what {
        DecisionKind::CubeCall(call) if call.call == CubeCall::NoDouble && call.loss == 0.0 => {
            return String::new();
        }
        DecisionKind::CubeCall(call) => {
            (call.call.name().to_owned(), right_call(call), String::new())
        }
        DecisionKind::Play(play) => (
            format!("{}: {}", play.dice, play_of(&play.plays[play.played])),
            play_of(&play.plays[0]),
            format!("luck {:+.3}", play.luck),
        ),
    };
    let (mark, loss) = (analysed.severity().symbol(), analysed.loss());
    let loss_text = if loss >= 0.0005 { format!("-{loss:.3}") } else { String::new() };
    let better = if analysed.severity() > Severity::Fine {
        format!("  better: {better}")
    } else {
        String::new()
    };
    let row = format!(
        "{:>4}. {name:wide$}  {what:<32} {loss_text:>7} {mark:2} {luck:11}{better}",
        analysed.number
    );
    row.trim_end().to_owned() + "\n"
}

fn in_json(args: &Args, file: &Path, record: &ReadRecord, games: &[Analysis]) -> Value {
    let of_game = |analysis: &Analysis| {
        let decisions: Vec<Value> = analysis.decisions.iter().map(decision_json).collect();
        json!({
            "score": score_of(&analysis.game), "names": analysis.game.header().names, "decisions": decisions,
            "won": analysis.game.won().map(|(player, points)| json!({"player": player.index(), "points": points})),
            "summary": Seat::BOTH.map(|player| summary_json(&analysis.summary(player))),
        })
    };
    let warnings: Vec<String> = record.warnings.iter().map(ToString::to_string).collect();
    json!({
        "file": file.display().to_string(), "warnings": warnings, "plies": args.ply.get(), "cube_plies": args.cube.cube_ply.get(), "net": args.engine.net,
        "names": games[0].game.header().names, "summary": summaries(games).map(|s| summary_json(&s)),
        "games": games.iter().map(of_game).collect::<Vec<_>>(),
    })
}

fn summary_json(summary: &Summary) -> Value {
    let [doubtful, bad, very_bad] = summary.mistakes;
    json!({
        "plays": summary.plays, "play_loss": summary.play_loss, "calls": summary.calls,
        "call_loss": summary.call_loss, "pr": summary.pr(), "error_rate": summary.error_rate(),
        "doubtful": doubtful, "bad": bad, "very_bad": very_bad, "luck": summary.luck,
    })
}

fn decision_json(analysed: &AnalysedDecision) -> Value {
    let what = match &analysed.what {
        DecisionKind::CubeCall(call) => json!({
            "call": call.call.name(), "right": right_call(call), "no_double": call.decision.no_double,
            "double_take": call.decision.double_take, "double_pass": call.decision.double_pass,
        }),
        DecisionKind::Play(play) => json!({
            "dice": play.dice.to_string(), "played": play_of(&play.plays[play.played]), "legal": play.legal,
            "luck": play.luck,
            "plays": play.plays.iter().map(|scored| json!({
                "play": play_of(scored), "equity": scored.equity, "plies": scored.plies.get(),
                "outcomes": outcomes_json(&scored.value),
            })).collect::<Vec<_>>(),
        }),
    };
    json!({
        "player": analysed.player.index(), "roll": analysed.number, "id": analysed.position.id(), "loss": analysed.loss(),
        "mark": analysed.severity().symbol(), "counts": analysed.counts(), "decision": what,
    })
}

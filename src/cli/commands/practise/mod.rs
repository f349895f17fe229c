//! `nonet practise`: a person's own mistakes as cards that come again.

mod list;
mod new_test;
mod session;
mod take_up;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use nonet::analysis::Severity;
use nonet::practice::{
    Deck, DeckFile, MOST_DRAWN, PracticeOverview, PracticeSession, TEST_QUESTIONS, anki_text,
    decks_in, handout,
};
use nonet::search::SearchSettings;
use nonet::store::write_atomic;

use crate::cli::args::engine::{CubeDepthArgs, EngineArgs, PlayDepthArgs};
use crate::cli::args::output_file::{check_not_read, check_outputs};
use crate::cli::clock::now;
use crate::cli::data_folder::data_folder;
use crate::cli::error::usage;
use crate::cli::output::answer::json_line;
use crate::cli::output::counted::counted;
use crate::cli::output::examples::examples;
use crate::cli::output::shell_word::{option_words, shell_word};
use crate::cli::output::terminal::Terminal;

/// Practise your own mistakes, as cards that come again.
///
/// Match files are analysed. Your mistakes become cards, and a session begins: a board, a question,
/// your answer, its loss, and why another decision is better. A card that you knew comes again
/// after days, later after months; one that you did not know comes again soon. Each session has new
/// positions of the same kinds, too.
///
/// Without files the session has the cards that are due. Without any card it has new positions of
/// frequent kinds, for money. Every answer is kept at once, in the
/// user's data folder. Ctrl-C ends a session.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Analyse a match and practise its mistakes", "nonet practise match.mat --player Anna"),
    ("Practise what is due", "nonet practise"),
    ("Test yourself on new positions, before and after practice", "nonet practise --test"),
]))]
pub(crate) struct Args {
    /// Records to take up: files or folders.
    #[arg(value_name = "FILE|FOLDER")]
    files: Vec<PathBuf>,
    /// Player who practises.
    ///
    /// Case does not matter. Default: the player of most of the matches; without files the one who
    /// practised last.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Cards of a session.
    #[arg(
        long,
        value_name = "N",
        default_value_t = PracticeSession::CARDS,
        conflicts_with_all = ["test", "list", "export", "print"],
        help_heading = "Session"
    )]
    cards: usize,
    /// New positions of a session.
    ///
    /// They are of the kinds that have cost most, and come from games of the net with itself.
    #[arg(
        long,
        value_name = "N",
        default_value_t = PracticeSession::NEW_POSITIONS,
        value_parser = new_positions,
        conflicts_with_all = ["test", "list", "export", "print"],
        help_heading = "Session"
    )]
    new: usize,
    /// New positions are opening rolls, then replies to them.
    #[arg(
        long,
        conflicts_with_all = ["test", "list", "export", "print"],
        help_heading = "Session"
    )]
    openings: bool,
    /// Take a test of new positions, or go on with it.
    ///
    /// Its answers are told at the end. A later test has other positions of the same kinds, and
    /// --list shows by how much they differ.
    #[arg(long, conflicts_with_all = ["list", "export", "print"], help_heading = "Session")]
    test: bool,
    /// Questions of a new test.
    #[arg(
        long,
        value_name = "N",
        default_value_t = TEST_QUESTIONS,
        value_parser = questions,
        requires = "test",
        conflicts_with_all = ["cards", "new", "openings", "list", "export", "print"],
        help_heading = "Session"
    )]
    questions: usize,
    /// Seed of the new positions [default: the time]
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["list", "export", "print"],
        help_heading = "Session"
    )]
    seed: Option<u64>,
    /// Smallest loss that becomes a card, in points on a cube at 1.
    ///
    /// The default is that of the mark ?! in `nonet analyse`.
    #[arg(
        long,
        value_name = "POINTS",
        default_value_t = Severity::Doubtful.limit(),
        value_parser = least_loss,
        requires = "files",
        help_heading = "Session"
    )]
    least: f32,
    /// Show what each kind of mistake has cost, and stop.
    #[arg(long, help_heading = "Output")]
    list: bool,
    /// Print the list as one line of JSON.
    #[arg(long, requires = "list", help_heading = "Output")]
    json: bool,
    /// Write the cards as text that Anki imports, and stop.
    #[arg(long, value_name = "FILE.txt", help_heading = "Output")]
    export: Option<PathBuf>,
    /// Write the cards as a page to print, and stop.
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    print: Option<PathBuf>,
    /// Folder with the cards [default: that of the user]
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    data: Option<PathBuf>,
    /// The time in Unix seconds, for tests.
    #[arg(long, value_name = "SECONDS", hide = true)]
    now: Option<i64>,
    #[command(flatten)]
    depth: PlayDepthArgs,
    #[command(flatten)]
    cube: CubeDepthArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// The player where no name is given, as in `nonet play`.
const NAMELESS: &str = "you";

/// A loss that makes a card.
fn least_loss(text: &str) -> Result<f32, String> {
    let loss = text.parse().ok().filter(|loss: &f32| loss.is_finite() && *loss >= 0.001);
    loss.ok_or_else(|| "expected 0.001 or more, such as 0.08".to_owned())
}

/// The questions of a test.
fn questions(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=MOST_DRAWN).contains(count));
    count.ok_or_else(|| format!("expected 1 to {MOST_DRAWN}"))
}

/// New positions of a session.
fn new_positions(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| *count <= MOST_DRAWN);
    count.ok_or_else(|| format!("expected 0 to {MOST_DRAWN}"))
}

impl Args {
    fn now(&self) -> i64 {
        self.now.unwrap_or_else(|| now() as i64)
    }

    /// The command that goes on with the same cards, with `more` after its name.
    fn go_on(&self, more: &str) -> String {
        let mut words = format!("nonet practise{more}");
        if let Some(name) = &self.player {
            words += &option_words("--player", name);
        }
        if let Some(folder) = &self.data {
            words += &format!(" --data {}", shell_word(folder));
        }
        words + &self.depth.words() + &self.cube.words() + &self.engine.words()
    }

    /// Whether the command writes something and then stops.
    const fn only_writes(&self) -> bool {
        self.list || self.export.is_some() || self.print.is_some()
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    // clap requires no option that another one rules out.
    if args.json && !args.list {
        return Err(usage("--json prints the list: add --list"));
    }
    check_outputs(args.export.iter().chain(&args.print))?;
    check_not_read(args.export.iter().chain(&args.print), args.files.iter().map(PathBuf::as_path))?;
    let folder = data_folder(args.data.as_deref())?.join("practice");
    let mut out = io::stdout();
    let engine = match args.files.is_empty() && args.only_writes() {
        true => None,
        false => {
            let engine = args.engine.open(args.depth.ply, SearchSettings::NORMAL)?;
            Some(engine.with_cube_plies(args.cube.cube_ply))
        }
    };
    let (file, deck) = match &engine {
        Some(engine) if !args.files.is_empty() => take_up::take_up(args, &folder, engine)?,
        _ => open_deck(args, &folder)?,
    };
    if let Some(aside) = &file.set_aside {
        let aside = aside.display();
        writeln!(
            io::stderr(),
            "warning: the file of the cards was damaged; it is kept as {aside}, and a new one begins"
        )?;
    }
    if args.list {
        let overview = PracticeOverview::of(&deck, args.now());
        let text = match args.json {
            true => json_line(&overview),
            false => list::in_text(&overview, args.now(), Terminal::of_stdout()),
        };
        out.write_all(text.as_bytes())?;
    }
    if let Some(path) = &args.export {
        write_atomic(path, anki_text(&deck.player, &deck.cards)?.as_bytes())?;
        let cards = counted(deck.cards.len(), "card");
        writeln!(io::stderr(), "written to {}: {cards}", path.display())?;
    }
    if let Some(path) = &args.print {
        write_atomic(path, handout(&deck.player, &deck.cards)?.render().as_bytes())?;
        writeln!(io::stderr(), "the page is in {}", path.display())?;
    }
    match engine {
        Some(engine) if args.test => new_test::run(args, &engine, &file, deck, &mut out),
        Some(engine) if !args.only_writes() => session::run(args, &engine, file, deck, &mut out),
        _ => Ok(()),
    }
}

/// The deck of the player that is named, or of the one who practised last.
fn open_deck(args: &Args, folder: &Path) -> anyhow::Result<(DeckFile, Deck)> {
    let kept = decks_in(folder)?;
    let same = |name: &str, other: &str| name.to_lowercase() == other.to_lowercase();
    let found = match &args.player {
        Some(name) => kept.decks.iter().find(|deck| same(&deck.player, name)),
        None => kept.decks.first(),
    };
    let begin = "`nonet practise match.mat` takes up the mistakes of a match";
    match (found, &args.player) {
        (Some(deck), _) => Ok(DeckFile::open(folder, &deck.player)?),
        // A file that cannot be read says why when it is opened, or is set aside.
        (None, Some(name)) if DeckFile::is_kept(folder, name) => Ok(DeckFile::open(folder, name)?),
        // New positions want no match.
        _ if kept.decks.is_empty() && kept.unreadable.is_empty() && !args.only_writes() => {
            Ok(DeckFile::open(folder, args.player.as_deref().unwrap_or(NAMELESS))?)
        }
        (None, Some(name)) if !kept.decks.is_empty() => {
            let names = kept.decks.iter().map(|deck| format!("'{}'", deck.player));
            let names: Vec<String> = names.collect();
            let names = names.join(", ");
            Err(usage(format!("there are no cards of '{name}': expected one of {names}; {begin}")))
        }
        _ => Err(usage(match kept.unreadable.first() {
            None => format!("there are no cards yet: {begin}"),
            Some(path) => format!(
                "the cards in {} cannot be read: --player NAME opens them, and says why",
                path.display()
            ),
        })),
    }
}

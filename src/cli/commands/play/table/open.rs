//! How a match begins, or goes on from its record.

use std::io::{IsTerminal, Write};
use std::path::Path;

use jiff::Zoned;
use nonet::backgammon::Seat;
use nonet::backgammon::record::{mat_tags, read_record};
use nonet::game::{MatchSession, NextAction};
use nonet::person_match::{MatchSettings, PersonMatch, player_names, start_of};
use nonet::search::SearchSettings;

use super::MatchTable;
use crate::cli::commands::play::Args;
use crate::cli::commands::play::save::SavedMatch;
use crate::cli::commands::play::settings::{check_unchanged, of_args, scoring, with_rules};
use crate::cli::commands::play::summary::result;
use crate::cli::commands::play::tutor::Tutor;
use crate::cli::error::usage;
use crate::cli::output::shell_word::shell_word;
use crate::cli::output::terminal::Terminal;

impl MatchTable {
    /// A new match.
    pub(in crate::cli::commands::play) fn begin(args: &Args) -> anyhow::Result<MatchTable> {
        let now = Zoned::now();
        let seed = args.seed.unwrap_or_else(|| now.timestamp().as_second().unsigned_abs());
        let scoring = scoring(args)?;
        let names = player_names(args.name.as_deref()).map_err(usage)?;
        let mut settings = of_args(args, seed)?;
        if let Some(start) = &mut settings.start {
            with_rules(start, args)?;
        }
        let session = settings.begin(names, scoring).map_err(usage)?;
        let saved = SavedMatch::new(args, &now)?;
        MatchTable::open(args, settings, session, saved)
    }

    /// A match that goes on.
    pub(in crate::cli::commands::play) fn resume(
        args: &Args,
        path: &Path,
    ) -> anyhow::Result<MatchTable> {
        let file = path.display();
        let bytes = std::fs::read(path).map_err(|error| {
            usage(format!("cannot read {file}: {error}; expected a match record"))
        })?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let tags = mat_tags(&text);
        let record = read_record(bytes.as_slice(), &path.to_string_lossy()).map_err(usage)?;
        for warning in &record.warnings {
            writeln!(std::io::stderr(), "warning: {warning}")?;
        }
        let ours = MatchSettings::of_tags(&tags).map_err(usage)?;
        let first = record.games[0].header();
        let (settings, start, saved) = match ours {
            Some(settings) if settings.two_people => {
                return Err(usage(format!(
                    "cannot go on with {file}: two people play it; nonet serve shows it in the browser"
                )));
            }
            Some(settings) => {
                check_unchanged(&settings, &first.names, args)?;
                let start = match settings.start {
                    Some(_) => settings.begin(first.names.clone(), first.scoring).map_err(usage)?,
                    None => start_of(&record.games, settings.seed),
                };
                (settings, start, SavedMatch::reopened(path.to_owned(), bytes.clone()))
            }
            None => {
                let now = Zoned::now();
                let seed = args.seed.unwrap_or_else(|| now.timestamp().as_second().unsigned_abs());
                let mut settings = of_args(args, seed)?;
                settings.person = seat_of(args.name.as_deref(), &first.names)?;
                let start = start_of(&record.games, seed);
                let saved = SavedMatch::new(args, &now)?;
                (settings, start, saved)
            }
        };
        let mut table = MatchTable::open(args, settings, start, saved)?;
        let own = table
            .game
            .go_on(&record.games, &tags)
            .map_err(|error| usage(format!("cannot go on with {file}: {error}")))?;
        let session = table.game.session();
        if let NextAction::Over(winner) = session.next_action() {
            let result = result(session, winner);
            return Err(usage(format!(
                "cannot go on with {file}: {result} Every decision: nonet analyse {}",
                shell_word(path)
            )));
        }
        let more = match own {
            true => "",
            false => " The dice so far are those of the record; now they follow from the seed.",
        };
        table.opening = format!("Going on with {file}, game {}.{more}\n", session.game_number());
        Ok(table)
    }

    fn open(
        args: &Args,
        settings: MatchSettings,
        session: MatchSession,
        saved: SavedMatch,
    ) -> anyhow::Result<MatchTable> {
        let engine = args.engine.open(settings.plies, SearchSettings::WIDE)?;
        // A match longer than the match equity table is an error in the arguments, found before the
        // first roll.
        let game = PersonMatch::new(session, settings, &engine).map_err(usage)?;
        Ok(MatchTable {
            game,
            advice: args.advice,
            tutor: args.tutor.map(Tutor::new),
            saved,
            drawn: false,
            typed: std::io::stdin().is_terminal(),
            resigning: None,
            terminal: Terminal::of_stdout(),
            opening: String::new(),
            options: args.words_beside_record(),
        })
    }
}

/// The person's seat in a record of other players.
fn seat_of(name: Option<&str>, names: &[String; 2]) -> anyhow::Result<Seat> {
    let Some(name) = name else { return Ok(Seat::X) };
    let found = Seat::BOTH.into_iter().find(|seat| names[seat.index()] == name);
    found.ok_or_else(|| {
        let [a, b] = names;
        usage(format!("invalid --name '{name}': expected '{a}' or '{b}', who play in the record"))
    })
}

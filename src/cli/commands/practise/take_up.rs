//! Analyses match files and takes up the mistakes of a player.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use nonet::backgammon::record::date_in;
use nonet::engine::Engine;
use nonet::person_match::NET_NAME;
use nonet::practice::{Deck, DeckFile, MatchMistakes, decks_in};
use nonet::report::{AnalysedMatch, side_of};

use super::Args;
use super::list::day;
use crate::cli::commands::analyse::records::{analysed, check_player, read_all};
use crate::cli::error::usage;
use crate::cli::interrupt::interruptible;

/// Bytes of a file in which its date is looked for.
const HEAD: u64 = 4096;

/// The deck of the player with the mistakes in the files, saved.
pub(super) fn take_up(
    args: &Args,
    folder: &Path,
    engine: &Engine,
) -> anyhow::Result<(DeckFile, Deck)> {
    let mut read = Vec::new();
    for path in &args.files {
        read.extend(read_all(path, path.is_dir())?);
    }
    if let Some(name) = &args.player {
        check_player(name, &read)?;
    }
    let Some(matches) = analysed(&read, engine, &interruptible())? else {
        anyhow::bail!("interrupted: nothing was taken up");
    };
    let player = match &args.player {
        Some(name) => name.clone(),
        None => only_player(&matches, folder)?,
    };
    let (file, mut deck) = DeckFile::open(folder, &player)?;
    let today = day(args.now());
    let (mut added, mut removed, mut count) = (0, 0, 0);
    for one in &matches {
        let Some(seat) = side_of(one, &player) else { continue };
        let date = date_of(Path::new(&one.file)).unwrap_or_else(|| today.clone());
        let cube_plies = engine.cube_plies();
        let found = MatchMistakes::of(&one.games, seat, &date, args.least, cube_plies);
        let done = deck.take_up(&found);
        (added, removed, count) = (added + done.added, removed + done.removed, count + 1);
    }
    file.save(&deck)?;
    let es = if count == 1 { "" } else { "es" };
    let gone = if removed == 0 { String::new() } else { format!(", {removed} removed") };
    writeln!(io::stderr(), "{count} match{es} of {player}: {added} new cards{gone}")?;
    Ok((file, deck))
}

/// The date in a record; `None` if it has none.
fn date_of(path: &Path) -> Option<String> {
    let mut head = Vec::new();
    File::open(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    date_in(&head)
}

/// The player of most of the matches, or the only one of several who has cards.
fn only_player(matches: &[AnalysedMatch], folder: &Path) -> anyhow::Result<String> {
    let mut names: Vec<(String, usize)> = Vec::new();
    let all = matches.iter().filter_map(|one| one.games.first());
    for name in all.flat_map(|game| &game.game.header().names).filter(|name| *name != NET_NAME) {
        match names.iter_mut().find(|(known, _)| known.to_lowercase() == name.to_lowercase()) {
            Some((_, count)) => *count += 1,
            None => names.push((name.clone(), 1)),
        }
    }
    let most = names.iter().map(|(_, count)| *count).max().unwrap_or(0);
    names.retain(|(_, count)| *count == most);
    if names.len() > 1 {
        let kept = decks_in(folder)?.decks;
        let has_cards =
            |name: &str| kept.iter().any(|deck| deck.player.to_lowercase() == name.to_lowercase());
        if names.iter().filter(|(name, _)| has_cards(name)).count() == 1 {
            names.retain(|(name, _)| has_cards(name));
        }
    }
    match names.as_slice() {
        [(name, _)] => Ok(name.clone()),
        [] => Err(usage("no person plays these matches: name a player with --player")),
        names => {
            let names: Vec<&str> = names.iter().take(8).map(|(name, _)| name.as_str()).collect();
            Err(usage(format!(
                "several people play these matches: name one with --player; expected one of {}",
                names.join(", ")
            )))
        }
    }
}

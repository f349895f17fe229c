//! Matches of other players that were watched: a folder with a `.mat` file for each, rewritten
//! after every game.

use std::path::{Path, PathBuf};

use crate::records::file_stem::file_stem;
use crate::records::match_log::MatchLogError;
use nonet_engine::backgammon::Scoring;
use nonet_engine::backgammon::record::{GameHeader, RecordedGame};
use nonet_engine::store::{StoreError, save_match, save_new_match};

/// Sorts games into matches as they end, and saves them.
#[derive(Debug)]
pub struct WatchedMatches {
    folder: PathBuf,
    /// The match of the last game, if there was one.
    current: Option<WatchedMatch>,
}

#[derive(Debug, Default)]
struct WatchedMatch {
    /// The file, once it is written.
    path: Option<PathBuf>,
    games: Vec<RecordedGame>,
}

impl WatchedMatches {
    /// Opens a folder, and creates it if it does not exist.
    ///
    /// # Errors
    /// [`MatchLogError`].
    pub fn open(folder: &Path) -> Result<WatchedMatches, MatchLogError> {
        std::fs::create_dir_all(folder).map_err(StoreError::io("create the folder", folder))?;
        Ok(WatchedMatches { folder: folder.to_owned(), current: None })
    }

    /// Adds a game to its match, or begins a match with it. `time`: end of the game in Unix
    /// seconds. Returns the match's file, in which the game is saved.
    ///
    /// # Errors
    /// [`MatchLogError`].
    pub fn add(&mut self, game: RecordedGame, time: f64) -> Result<&Path, MatchLogError> {
        let of_same_match = self.current.take().filter(|current| {
            current.games.last().is_some_and(|last| continues(last.header(), game.header()))
        });
        let current = self.current.insert(of_same_match.unwrap_or_default());
        current.games.push(game);
        if let Some(path) = &current.path {
            save_match(path, &current.games)?;
        } else {
            let names = current.games[0].header().names.each_ref().map(String::as_str);
            let stem = file_stem(time, &names);
            current.path = Some(save_new_match(&self.folder, &stem, &current.games)?);
        }
        Ok(current.path.as_deref().expect("it is written now"))
    }
}

/// Whether a game can belong to the same match as an earlier one: the same players, at a score that
/// has grown.
fn continues(earlier: &GameHeader, header: &GameHeader) -> bool {
    let grows = match (earlier.scoring, header.scoring) {
        (Scoring::Match(before), Scoring::Match(now)) => {
            let grown = now.own() >= before.own() && now.opponent() >= before.opponent();
            before.length() == now.length()
                && grown
                && (before.own(), before.opponent()) != (now.own(), now.opponent())
        }
        (before, now) => before == now,
    };
    grows && earlier.names == header.names
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::backgammon::record::Records;
    use nonet_engine::game::play_recorded;
    use nonet_engine::game::{GameRunner, Random, StreamPurpose, stream};

    fn game(names: [&str; 2], score: Option<[u16; 2]>) -> RecordedGame {
        let scoring = match score {
            Some([own, other]) => Scoring::of_match(5, own, other, false).expect("a score"),
            None => Scoring::Money { jacoby: false, beavers: false },
        };
        let header = GameHeader { names: names.map(str::to_owned), scoring };
        let [mut dice, mut choices] =
            [StreamPurpose::Record, StreamPurpose::Choice].map(|purpose| stream(5, purpose, 0));
        let seats = [&Random as _, &Random as _];
        play_recorded(&mut GameRunner::default(), header, seats, &mut dice, &mut choices)
            .expect("ends")
    }

    #[test]
    fn every_match_has_its_file_and_every_game_is_saved_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut matches = WatchedMatches::open(folder.path()).expect("new");
        let mut games_in_file = Vec::new();
        for (names, score) in [
            (["ann", "bob"], Some([0, 0])),
            (["ann", "bob"], Some([1, 0])),
            (["ann", "bob"], Some([0, 0])),
            (["ann", "eve"], Some([1, 0])),
            (["ann", "eve"], None),
            (["ann", "eve"], None),
        ] {
            let path = matches.add(game(names, score), 0.0).expect("written").to_owned();
            let text = std::fs::read(&path).expect("there");
            let records = Records::new(&text[..], "mat").expect("a record");
            games_in_file.push((records.filter(Result::is_ok).count(), path));
        }
        let counts: Vec<usize> = games_in_file.iter().map(|(count, _)| *count).collect();
        assert_eq!(counts, [1, 2, 1, 1, 1, 2]);
        let mut paths: Vec<_> = games_in_file.into_iter().map(|(_, path)| path).collect();
        paths.dedup();
        assert_eq!(paths.len(), 4, "{paths:?}");
    }
}

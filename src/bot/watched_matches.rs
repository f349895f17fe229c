//! The folder of matches that were watched: a `.mat` file each, right at the end of every game.

use std::path::{Path, PathBuf};

use super::match_log::{MatchLogError, failed, plain, stamp};
use crate::backgammon::Scoring;
use crate::backgammon::record::{GameHeader, MatWriter, RecordedGame};
use crate::store::write_atomic;

/// Games as they end, match by match.
#[derive(Debug)]
pub struct WatchedMatches {
    folder: PathBuf,
    /// The games of the match that goes on.
    games: Vec<RecordedGame>,
    path: PathBuf,
}

impl WatchedMatches {
    /// Opens a folder, and makes it if there is none.
    ///
    /// # Errors
    /// [`MatchLogError`].
    pub fn open(folder: &Path) -> Result<WatchedMatches, MatchLogError> {
        std::fs::create_dir_all(folder).map_err(failed("make the folder", folder))?;
        Ok(WatchedMatches { folder: folder.to_owned(), games: Vec::new(), path: PathBuf::new() })
    }

    /// Adds a game that ended at `time`, in Unix seconds, to its match, or begins one with it; the file in which it is now.
    ///
    /// # Errors
    /// [`MatchLogError`].
    pub fn keep(&mut self, game: RecordedGame, time: f64) -> Result<&Path, MatchLogError> {
        let header = game.header();
        if !self.games.last().is_some_and(|last| goes_on(last.header(), header)) {
            self.games.clear();
            let names = header.names.each_ref().map(|name| plain(name)).join("-");
            let stem = format!("{}-{names}", stamp(time));
            self.path = (0..)
                .map(|n| if n == 0 { stem.clone() } else { format!("{stem}-{n}") })
                .map(|stem| self.folder.join(stem).with_extension("mat"))
                .find(|path| !path.exists())
                .unwrap_or_default();
        }
        self.games.push(game);
        let mut writer = MatWriter::new(Vec::new());
        for game in &self.games {
            writer.write(game).map_err(failed("write", &self.path))?;
        }
        write_atomic(&self.path, &writer.into_inner())?;
        Ok(&self.path)
    }
}

/// Whether a game may be of the same match as an earlier one: between the same players, at a score that has grown.
fn goes_on(earlier: &GameHeader, header: &GameHeader) -> bool {
    let grows = match (earlier.session, header.session) {
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
    use crate::backgammon::record::Records;
    use crate::game::play_recorded;
    use crate::game::{GameRunner, Random, StreamPurpose, stream};

    fn game(names: [&str; 2], score: Option<[u16; 2]>) -> RecordedGame {
        let session = match score {
            Some([own, other]) => Scoring::of_match(5, own, other, false).expect("a score"),
            None => Scoring::Money { jacoby: false, beavers: false },
        };
        let header = GameHeader { names: names.map(str::to_owned), session };
        let [mut dice, mut choices] =
            [StreamPurpose::Record, StreamPurpose::Choice].map(|domain| stream(5, domain, 0));
        let seats = [&Random as _, &Random as _];
        play_recorded(&mut GameRunner::default(), header, seats, &mut dice, &mut choices)
            .expect("ends")
    }

    #[test]
    fn every_match_has_its_file_and_every_game_is_in_it_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut album = WatchedMatches::open(folder.path()).expect("new");
        let mut games_in_file = Vec::new();
        for (names, score) in [
            (["ann", "bob"], Some([0, 0])),
            (["ann", "bob"], Some([1, 0])),
            (["ann", "bob"], Some([0, 0])),
            (["ann", "eve"], Some([1, 0])),
            (["ann", "eve"], None),
            (["ann", "eve"], None),
        ] {
            let path = album.keep(game(names, score), 0.0).expect("written").to_owned();
            let text = std::fs::read(&path).expect("there");
            let records = Records::new(&text[..], "album").expect("a record");
            games_in_file.push((records.filter(Result::is_ok).count(), path));
        }
        let counts: Vec<usize> = games_in_file.iter().map(|(count, _)| *count).collect();
        assert_eq!(counts, [1, 2, 1, 1, 1, 2]);
        let mut paths: Vec<_> = games_in_file.into_iter().map(|(_, path)| path).collect();
        paths.dedup();
        assert_eq!(paths.len(), 4, "{paths:?}");
    }
}

//! The folder of matches: each is a `.mat` file that is written anew after every decision, and goes
//! on from there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::ApiError;
use crate::nets::Nets;
use crate::play::match_table::MatchTable;
use nonet_engine::backgammon::record::{mat_tags, read_record};
use nonet_engine::engine::Engine;
use nonet_engine::store::{files, is_file_name, write_atomic, write_new};
use nonet_report::person_match::{MatchSettings, PersonMatch, start_of};

/// A match and what its file holds.
pub(crate) struct KeptMatch {
    pub(crate) table: MatchTable,
    path: PathBuf,
    /// What this program has written last, or read.
    written: Option<Vec<u8>>,
}

/// Matches in memory, by their names.
type OpenMatches = HashMap<String, Arc<Mutex<KeptMatch>>>;

/// The matches.
pub(crate) struct MatchStore {
    folder: PathBuf,
    most: usize,
    open: Mutex<OpenMatches>,
}

/// Matches in a list.
const LISTED: usize = 100;

impl KeptMatch {
    /// Writes the file, if anything was decided and not written yet.
    pub(crate) fn save(&mut self) -> Result<(), ApiError> {
        match self.save_unless_taken()? {
            true => Ok(()),
            false => {
                let path = self.path.display();
                Err(ApiError::conflict(format!(
                    "cannot save the match: another program has made {path}; begin a new match"
                )))
            }
        }
    }

    /// The same; false if the match has no file yet, and another program has made one of its name.
    fn save_unless_taken(&mut self) -> Result<bool, ApiError> {
        let text = self.table.game().record();
        if !self.table.game().is_begun() && self.written.is_none()
            || self.written.as_ref() == Some(&text)
        {
            return Ok(true);
        }
        match &self.written {
            Some(known) if files::read(&self.path).is_ok_and(|found| found != *known) => {
                let path = self.path.display();
                return Err(ApiError::conflict(format!(
                    "{path} was changed by another program: load the match again"
                ))
                .coded("stale"));
            }
            Some(_) => write_atomic(&self.path, &text)?,
            None if write_new(&self.path, &text)? => {}
            None => return Ok(false),
        }
        self.written = Some(text);
        Ok(true)
    }

    /// Changes the match and writes it; if one of both fails, it stays as it was.
    pub(crate) fn change(
        &mut self,
        change: impl FnOnce(&mut MatchTable) -> Result<(), ApiError>,
    ) -> Result<(), ApiError> {
        let before = self.table.clone();
        let done = change(&mut self.table).and_then(|()| self.save());
        if done.is_err() {
            self.table = before;
        }
        done
    }
}

impl MatchStore {
    pub(crate) fn new(folder: PathBuf, most: usize) -> MatchStore {
        MatchStore { folder, most, open: Mutex::default() }
    }

    /// The file of a match.
    pub(crate) fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.mat"))
    }

    /// Keeps a new match under a name that begins with `stem` and that no other match has, and
    /// writes it if something was decided.
    pub(crate) fn add(
        &self,
        stem: &str,
        table: MatchTable,
    ) -> Result<(String, Arc<Mutex<KeptMatch>>), ApiError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept = KeptMatch { table, path: self.path(stem), written: None };
        let mut id = stem.to_owned();
        let mut number = 1;
        while open.contains_key(&id) || files::exists(&kept.path) || !kept.save_unless_taken()? {
            number += 1;
            id = format!("{stem}-{number}");
            kept.path = self.path(&id);
        }
        let kept = Arc::new(Mutex::new(kept));
        self.make_room(&mut open);
        self.forget_undecided(&mut open);
        open.insert(id.clone(), Arc::clone(&kept));
        Ok((id, kept))
    }

    /// Forgets matches that are in their files. Those without a decision have none, and stay.
    fn make_room(&self, open: &mut OpenMatches) {
        if open.len() < self.most {
            return;
        }
        open.retain(|_, kept| {
            // One that is in use has other owners.
            Arc::get_mut(kept).is_none_or(|kept| {
                kept.get_mut().unwrap_or_else(PoisonError::into_inner).written.is_none()
            })
        });
    }

    /// Forgets the oldest matches without a decision, where such matches alone take all places.
    fn forget_undecided(&self, open: &mut OpenMatches) {
        while open.len() >= self.most {
            let unused =
                open.iter_mut().filter_map(|(id, kept)| Arc::get_mut(kept).map(|_| id.clone()));
            // Names are times.
            let Some(oldest) = unused.min() else { return };
            open.remove(&oldest);
        }
    }

    /// A match from memory, or from its file.
    pub(crate) fn get(&self, id: &str, nets: &Nets) -> Result<Arc<Mutex<KeptMatch>>, ApiError> {
        let unknown = || ApiError::missing(format!("there is no match '{id}'")).coded("no-match");
        if !is_file_name(id) {
            return Err(unknown());
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = open.get(id) {
            return Ok(Arc::clone(kept));
        }
        let path = self.path(id);
        let bytes = files::read(&path).map_err(|_| unknown())?;
        let table = go_on(&bytes, &path, nets)?;
        let kept = Arc::new(Mutex::new(KeptMatch { table, path, written: Some(bytes) }));
        self.make_room(&mut open);
        open.insert(id.to_owned(), Arc::clone(&kept));
        Ok(kept)
    }

    /// Forgets a match after another program has changed its file.
    pub(crate) fn forget(&self, id: &str) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// The names of the last matches, the newest first: those with a file, and those without a
    /// decision.
    pub(crate) fn names(&self) -> Vec<String> {
        let paths = files::entries(&self.folder).into_iter().flatten();
        let stems = paths.filter_map(|path| {
            let stem = path.file_stem()?.to_str()?.to_owned();
            (path.extension()? == "mat" && is_file_name(&stem)).then_some(stem)
        });
        let mut names: Vec<String> = stems.collect();
        names.extend(self.open.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned());
        names.sort();
        names.dedup();
        names.reverse();
        names.truncate(LISTED);
        names
    }

    /// One of the last matches that is not over and plays with a net of a training run.
    pub(crate) fn open_with_run(&self, run: &str, nets: &Nets) -> Option<String> {
        let plays = |id: &String| {
            let Ok(kept) = self.get(id, nets) else { return false };
            let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let net = kept.table.game().settings().net.as_str();
            net.split('/').next() == Some(run) && !kept.table.row(id).over
        };
        self.names().into_iter().find(plays)
    }
}

/// A match from its record.
fn go_on(bytes: &[u8], path: &Path, nets: &Nets) -> Result<MatchTable, ApiError> {
    let cannot = |error: &dyn std::fmt::Display| {
        ApiError::conflict(format!("cannot go on with {}: {error}", path.display()))
            .coded("broken-match")
    };
    let text = String::from_utf8_lossy(bytes);
    let tags = mat_tags(&text);
    let settings = MatchSettings::of_tags(&tags)
        .map_err(|error| cannot(&error))?
        .ok_or_else(|| cannot(&"it is not a match of nonet"))?;
    let record = read_record(bytes, &path.to_string_lossy()).map_err(|error| cannot(&error))?;
    let first = record.games[0].header();
    let start = match settings.start {
        Some(_) => {
            let begun = settings.begin(first.names.clone(), first.scoring);
            begun.map_err(|error| cannot(&error))?
        }
        None => start_of(&record.games, settings.seed),
    };
    // The oldest matches name no net.
    let engine = nets.named(Some(&*settings.net).filter(|net| !net.is_empty()))?;
    let mut game = PersonMatch::new(start, settings, engine.at(Engine::PLAY_PLIES))?;
    game.go_on(&record.games, &tags).map_err(|error| cannot(&error))?;
    // Windows still have revisions of before. A count from 0 would come to them again, and an
    // action for another board would count.
    let revision = if game.is_begun() { u64::from(crc32fast::hash(bytes)) << 16 } else { 0 };
    Ok(MatchTable::new(game)?.at_revision(revision))
}

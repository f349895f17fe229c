//! Luck and PR of a bot's finished matches.
//!
//! The matches are analysed one after the other in the line of slow work, the newest first. The
//! figures are kept in memory while they are shown.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::App;
use nonet_bot::MatchRecord;
use nonet_engine::analysis::{Summary, analyse, summaries};
use nonet_engine::progress::Progress;
use nonet_engine::search::Plies;

/// The opponent and the bits of the begin of a match: they identify it.
type Key = (String, u64);

/// The bot's summary and the opponent's.
pub(super) type Form = [Summary; 2];

/// The matches that were analysed.
#[derive(Default)]
pub(super) struct BotForms {
    /// `None` for a match that cannot be analysed.
    known: Mutex<HashMap<Key, Option<Form>>>,
    busy: AtomicBool,
}

fn key(record: &MatchRecord) -> Key {
    (record.opponent.clone(), record.began.to_bits())
}

impl BotForms {
    pub(super) fn of(&self, record: &MatchRecord) -> Option<Form> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&key(record)).copied().flatten()
    }

    /// Forgets all but these matches, and says which finished ones are unknown.
    fn missing(&self, shown: Vec<MatchRecord>) -> Vec<MatchRecord> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let keys: Vec<Key> = shown.iter().map(key).collect();
        known.retain(|one, _| keys.contains(one));
        shown.into_iter().filter(|one| !one.is_open() && !known.contains_key(&key(one))).collect()
    }
}

/// Marks the analysis as over, whatever ends it.
struct Busy(Arc<App>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.forms.busy.store(false, Ordering::Release);
    }
}

/// Analyses the finished ones of these matches that are unknown, unless this is being done.
pub(super) fn analyse_missing(app: &Arc<App>, shown: Vec<MatchRecord>) {
    if app.forms.busy.swap(true, Ordering::AcqRel) {
        return;
    }
    let busy = Busy(Arc::clone(app));
    let missing = app.forms.missing(shown);
    if missing.is_empty() {
        return;
    }
    tokio::spawn(async move {
        let app = Arc::clone(&busy.0);
        for record in missing {
            let Ok(place) = app.work.background_place().await else { return };
            let engine = app.nets.slow().with_plies(Plies::ONE).with_cube_plies(Plies::ONE);
            let key = key(&record);
            let done = tokio::task::spawn_blocking(move || {
                let games = record.games();
                let analysed = engine.install(|| analyse(&games, &engine, &Progress::default()));
                drop(place);
                analysed.ok().flatten().map(|games| summaries(&games))
            });
            // A record that cannot be analysed is not tried again, and others have their turn.
            let form = done.await.unwrap_or_default();
            let mut known = app.forms.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(key, form);
        }
    });
}

//! `Deck`: a person's mistakes as cards, and new positions of the same kinds.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use nonet::analysis::{Analysis, analyse, decisions_in, matches_in};
use nonet::backgammon::record::date_in;
use nonet::practice::{
    Card, Deck, DeckError, DeckFile, Draw, Grade, JudgeError, MOST_DRAWN, MatchMistakes,
    PracticeOverview, judge_card, why_best,
};
use nonet::progress::Progress;
use nonet::report::{AnalysedMatch, side_of};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::engine::{PyEngine, files, record};
use crate::errors::{invalid, of_engine, of_record, of_store};
use crate::work::{interruptible, show};

/// Bytes of a file in which its date is looked for.
const HEAD: u64 = 4096;

/// The mistakes of a player as cards that come again, as ``nonet practise`` has them.
///
/// With ``folder`` the deck is a file there, which is kept after each change and which no other
/// program opens meanwhile: ``nonet practise --data DATA`` has ``DATA/practice``. Without it the
/// deck is in memory. A card is a ``dict``. ``xgid`` is the question, in which X decides. ``plan``,
/// ``mistake`` and ``score`` are its kind. ``best`` is the best play, or the best actions of both
/// sides with the cube. ``loss`` is what ``made`` loses.
#[pyclass(frozen, module = "nonet", name = "Deck")]
pub(crate) struct PyDeck(Arc<Mutex<Kept>>);

/// A deck, and its file.
struct Kept {
    deck: Deck,
    file: Option<DeckFile>,
}

impl Kept {
    fn save(&self) -> PyResult<()> {
        self.file.as_ref().map_or(Ok(()), |file| file.save(&self.deck)).map_err(of_store)
    }
}

#[pymethods]
impl PyDeck {
    #[new]
    #[pyo3(signature = (player, folder=None))]
    fn new(player: &str, folder: Option<PathBuf>) -> PyResult<PyDeck> {
        let (file, deck) = match folder {
            Some(folder) => {
                let (file, deck) = DeckFile::open(&folder, player).map_err(of_deck)?;
                (Some(file), deck)
            }
            None => (None, Deck::new(player)),
        };
        Ok(PyDeck(Arc::new(Mutex::new(Kept { deck, file }))))
    }

    /// The player.
    #[getter]
    fn player(&self) -> String {
        self.kept().deck.player.clone()
    }

    /// The cards.
    #[getter]
    fn cards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let cards = self.kept().deck.cards.clone();
        of_cards(py, &cards)
    }

    /// The cards that are asked now, the longest overdue first, then those never answered.
    fn due<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let cards: Vec<Card> = self.kept().deck.due(now()).into_iter().cloned().collect();
        of_cards(py, &cards)
    }

    /// The deck in numbers, the object that ``nonet practise --list --json`` prints. ``shares`` are
    /// the kinds of mistakes with their share of the loss and its 95 % interval.
    fn overview<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let overview = PracticeOverview::of(&self.kept().deck, now());
        loads(py, &serde_json::to_string(&overview).map_err(invalid)?)
    }

    /// Takes up the player's mistakes in the matches of a record; the number of new cards.
    ///
    /// The record is a file or a folder, and its matches are analysed. Mistakes that lose ``least``
    /// points or more are taken up.
    ///
    /// A match that is known is taken up anew, and its cards keep their memory. ``progress`` is
    /// called with the decisions done and their number.
    #[pyo3(signature = (engine, path, *, least=0.04, progress=None))]
    fn take_up(
        &self,
        py: Python<'_>,
        engine: &Bound<'_, PyEngine>,
        path: PathBuf,
        least: f32,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        if !(least.is_finite() && least > 0.0) {
            return Err(invalid(format!("invalid least {least}: expected a number above 0")));
        }
        let mut read = Vec::new();
        for file in files(&path)? {
            read.push((date_of(&file), record(&file).map_err(of_record)?));
        }
        let total = read.iter().map(|(_, record)| decisions_in(&record.games)).sum();
        let today = py.import("datetime")?.getattr("date")?.call_method0("today")?;
        let today: String = today.call_method0("isoformat")?.extract()?;
        let player = self.player();
        let (engine, threads) = (engine.get().engine.clone(), engine.get().threads);
        let counted = Arc::new(Progress::default());
        let shown = show(progress.as_ref(), total);
        let found = interruptible(py, threads, &counted, shown, move |progress| {
            let mut found = Vec::new();
            for (date, record) in &read {
                let Some(games) = analyse(&record.games, &engine, progress)? else { break };
                for range in matches_in(&record.games) {
                    let games: Vec<Analysis> = games[range].to_vec();
                    let one = AnalysedMatch { file: String::new(), games };
                    let Some(seat) = side_of(&one, &player) else { continue };
                    let date = date.as_ref().unwrap_or(&today);
                    let cube_plies = engine.cube_plies();
                    found.push(MatchMistakes::of(&one.games, seat, date, least, cube_plies));
                }
            }
            Ok::<_, nonet::EngineError>(found)
        })?;
        let found = found.map_err(of_engine)?;
        let mut kept = self.kept();
        if found.is_empty() {
            let player = &kept.deck.player;
            return Err(invalid(format!("'{player}' plays in no match of {}", path.display())));
        }
        let added = found.iter().map(|one| kept.deck.take_up(one).added).sum();
        kept.save()?;
        Ok(added)
    }

    /// Draws ``count`` new positions of the kinds that have cost most, from games of the engine
    /// with itself; fewer if no more are found. Without a match they are of five frequent kinds.
    /// Their best decisions are certain. They wait in the deck until they are answered.
    ///
    /// The same deck and ``seed`` give the same positions. ``progress`` is called with the
    /// positions drawn and their number.
    #[pyo3(signature = (engine, count=2, *, seed=1, progress=None))]
    fn draw<'py>(
        &self,
        py: Python<'py>,
        engine: &Bound<'_, PyEngine>,
        count: usize,
        seed: u64,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        if !(1..=MOST_DRAWN).contains(&count) {
            return Err(invalid(format!("invalid count {count}: expected 1 to {MOST_DRAWN}")));
        }
        let kept = self.kept();
        if kept.deck.can_wait() < count {
            let waiting = kept.deck.drawn.len();
            return Err(invalid(format!("{waiting} new positions wait: answer them first")));
        }
        let mut draw = Draw::of_costliest(&kept.deck, seed);
        drop(kept);
        let (engine, threads) = (engine.get().engine.clone(), engine.get().threads);
        let counted = Arc::new(Progress::default());
        let shown = show(progress.as_ref(), count as u64);
        let cards = interruptible(py, threads, &counted, shown, move |progress| {
            draw.draw(count, &engine, progress, |_| {})
        })?;
        let mut kept = self.kept();
        kept.deck.keep_drawn(cards.clone());
        kept.save()?;
        drop(kept);
        of_cards(py, &cards)
    }

    /// Judges an answer to a card or to a new position by its ``xgid``, and keeps it.
    ///
    /// The answer is a play, ``"double"`` or ``"roll"``, ``"take"`` or ``"pass"``, or the words of
    /// ``best``. A new position that is answered wrong becomes a card.
    ///
    /// The judgement is a ``dict``: ``answer``, ``best``, ``loss``, ``right``, ``equities`` and
    /// ``why``.
    fn answer<'py>(
        &self,
        py: Python<'py>,
        engine: &Bound<'_, PyEngine>,
        xgid: &str,
        answer: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (card, before) = {
            let deck = &self.kept().deck;
            (deck.card(xgid).cloned(), deck.answers_to(xgid))
        };
        let card = card.ok_or_else(|| invalid(format!("the deck has no card '{xgid}'")))?;
        let (engine, threads) = (engine.get().engine.clone(), engine.get().threads);
        let asked = card.clone();
        let progress = Arc::new(Progress::default());
        let done = interruptible(
            py,
            threads,
            &progress,
            |_| Ok(()),
            move |_| {
                let judged = judge_card(&engine, &asked, &answer)?;
                let why = why_best(&engine, &asked, &judged);
                Ok::<_, JudgeError>((judged, why))
            },
        )?;
        let (judged, why) = done.map_err(invalid)?;
        let mut kept = self.kept();
        kept.deck.answered_once(&card, &judged, before, now());
        kept.save()?;
        // Python code may let another thread run, which would wait for the deck for ever.
        drop(kept);
        let told = serde_json::json!({
            "answer": judged.answer,
            "best": judged.best,
            "loss": judged.loss,
            "right": judged.grade != Grade::Again,
            "equities": judged.equities,
            "why": why.map(|why| why.sentences).unwrap_or_default(),
        });
        loads(py, &told.to_string())
    }

    fn __repr__(&self) -> String {
        let Kept { deck, .. } = &*self.kept();
        format!("<Deck of {}: {} cards>", deck.player, deck.cards.len())
    }
}

impl PyDeck {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Cards as a list of ``dict``.
fn of_cards<'py>(py: Python<'py>, cards: &[Card]) -> PyResult<Bound<'py, PyList>> {
    Ok(loads(py, &serde_json::to_string(cards).map_err(invalid)?)?.cast_into()?)
}

fn loads<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}

fn of_deck(error: DeckError) -> PyErr {
    match error {
        DeckError::Store(error) => of_store(error),
        error => PyOSError::new_err(error.to_string()),
    }
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// The date in a record; `None` if it has none.
fn date_of(path: &Path) -> Option<String> {
    let mut head = Vec::new();
    File::open(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    date_in(&head)
}

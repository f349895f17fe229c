//! The file of a deck: one for each player, in a folder of the user.

use std::fmt::Write as _;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use nonet_engine::store::files::{self, Lock};
use nonet_engine::store::{StoreError, write_atomic};
use serde::{Deserialize, Serialize};

use crate::{Card, CardFigures, Deck, PracticeTest};

/// The format that this version writes. Format 1 has no figures of cards, no new positions that
/// wait and no tests; it is read.
const FORMAT: u32 = 2;
/// Bytes of a name that stand in the name of its file; a checksum tells longer ones apart.
const LONGEST_NAME: usize = 60;
const BEGIN: &str = "player-";
const ENDING: &str = ".json";
/// Numbers that set damaged files apart.
const DAMAGED: std::ops::Range<u32> = 1..10_000;

/// Why a deck cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum DeckError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "{} has format {found}, and this version of nonet reads formats 1 to {FORMAT}: use the version that wrote it, or a \
         newer one", path.display()
    )]
    Newer { path: PathBuf, found: u32 },
    #[error("another nonet practises as {player}: end it first")]
    InUse { player: String },
}

/// A deck as it stands in its file.
#[derive(Serialize, Deserialize)]
struct Saved<D> {
    format: u32,
    #[serde(flatten)]
    deck: D,
}

/// The format alone.
#[derive(Deserialize)]
struct Format {
    format: u32,
}

/// The file of a deck. While it is open, no other program opens it.
///
/// ```
/// use nonet_practice::DeckFile;
///
/// let folder = tempfile::tempdir()?;
/// let (file, deck) = DeckFile::open(folder.path(), "Zoë")?;
/// file.save(&deck)?;
/// assert_eq!(nonet_practice::decks_in(folder.path())?.decks[0].player, "Zoë");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DeckFile {
    path: PathBuf,
    /// Where a damaged file was set aside when this one was opened.
    pub set_aside: Option<PathBuf>,
    _lock: Lock,
}

/// The deck in a file: absent, read, or damaged.
enum Found {
    None,
    Deck(Box<Deck>),
    Damaged,
}

impl DeckFile {
    /// Opens the deck of a player in a folder, which is made; case does not matter. A damaged file
    /// is set aside under another name, and the deck begins anew.
    ///
    /// # Errors
    /// [`DeckError`]: a file that cannot be read, of a later format, or in use.
    pub fn open(folder: &Path, player: &str) -> Result<(DeckFile, Deck), DeckError> {
        files::make_folders(folder).map_err(StoreError::io("make the folder", folder))?;
        let path = folder.join(file_name(player));
        let lock = lock(&path.with_extension("lock"), player)?;
        let (deck, set_aside) = match read(&path)? {
            Found::Deck(deck) => (*deck, None),
            Found::None => (Deck::new(player), None),
            Found::Damaged => (Deck::new(player), Some(set_aside(&path)?)),
        };
        Ok((DeckFile { path, set_aside, _lock: lock }, deck))
    }

    /// The deck of a player as it stands in its file now; `None` without a readable file.
    ///
    /// # Errors
    /// [`DeckError`]: a file that cannot be read, or of a later format.
    pub fn read(folder: &Path, player: &str) -> Result<Option<Deck>, DeckError> {
        Ok(match read(&folder.join(file_name(player)))? {
            Found::Deck(deck) => Some(*deck),
            Found::None | Found::Damaged => None,
        })
    }

    /// Whether the folder has a file of this player, readable or not.
    #[must_use]
    pub fn is_kept(folder: &Path, player: &str) -> bool {
        files::exists(&folder.join(file_name(player)))
    }

    /// Where the deck is kept.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the file as a whole.
    ///
    /// # Errors
    /// [`StoreError::Io`]; the file is then as before.
    pub fn save(&self, deck: &Deck) -> Result<(), StoreError> {
        let saved = Saved { format: FORMAT, deck };
        let text = serde_json::to_string_pretty(&saved)
            .map_err(|error| StoreError::io("write", &self.path)(error.into()))?;
        write_atomic(&self.path, text.as_bytes())
    }
}

/// A deck in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptDeck {
    /// Its player.
    pub player: String,
    /// When its file was last written.
    pub written: SystemTime,
}

/// The decks in a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptDecks {
    /// Those that can be read, the one written last first.
    pub decks: Vec<KeptDeck>,
    /// Files of decks that cannot be read.
    pub unreadable: Vec<PathBuf>,
}

/// The decks in a folder; none if there is no folder.
///
/// # Errors
/// [`StoreError::Io`] if the folder cannot be read.
pub fn decks_in(folder: &Path) -> Result<KeptDecks, StoreError> {
    let paths = match files::entries(folder) {
        Ok(paths) => paths,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(KeptDecks::default()),
        Err(error) => return Err(StoreError::io("read", folder)(error)),
    };
    let mut kept = KeptDecks::default();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !(name.starts_with(BEGIN) && name.ends_with(ENDING)) {
            continue;
        }
        let written = files::modified(&path);
        match (written, read(&path)) {
            (Ok(written), Ok(Found::Deck(deck))) => {
                kept.decks.push(KeptDeck { player: deck.player, written });
            }
            _ => kept.unreadable.push(path),
        }
    }
    kept.decks.sort_by(|a, b| b.written.cmp(&a.written).then_with(|| a.player.cmp(&b.player)));
    kept.unreadable.sort();
    Ok(kept)
}

fn lock(path: &Path, player: &str) -> Result<Lock, DeckError> {
    files::lock(path).map_err(|error| match error {
        TryLockError::WouldBlock => DeckError::InUse { player: player.to_owned() },
        TryLockError::Error(error) => StoreError::io("lock", path)(error).into(),
    })
}

fn read(path: &Path) -> Result<Found, DeckError> {
    let bytes = match files::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::None),
        Err(error) => return Err(StoreError::io("read", path)(error).into()),
    };
    match serde_json::from_slice::<Format>(&bytes) {
        Ok(Format { format }) if format > FORMAT => {
            return Err(DeckError::Newer { path: path.to_owned(), found: format });
        }
        _ => {}
    }
    let deck = serde_json::from_slice::<Saved<Deck>>(&bytes).map(|saved| saved.deck);
    Ok(match deck {
        Ok(deck) if is_sound(&deck) => Found::Deck(Box::new(deck)),
        _ => Found::Damaged,
    })
}

/// Whether every card can be asked, and only the last test is open.
fn is_sound(deck: &Deck) -> bool {
    let can_be_asked = |card: &Card| {
        card.loss.is_finite()
            && card.memory.is_none_or(|memory| memory.is_sound())
            && card.figures.as_ref().is_none_or(CardFigures::is_sound)
            && card.state().is_ok_and(|state| state.position.outcome().is_none())
    };
    let tested = deck.tests.iter().flat_map(PracticeTest::cards);
    let before = deck.tests.iter().rev().skip(1);
    deck.cards.iter().chain(&deck.drawn).chain(tested).all(can_be_asked)
        && deck.tests.iter().all(PracticeTest::is_sound)
        && before.into_iter().all(PracticeTest::is_done)
}

/// Gives a damaged file another name.
fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = |number: u32| path.with_extension(format!("damaged-{number}"));
    let free = DAMAGED.map(aside).find(|name| !files::exists(name));
    let free = free.unwrap_or_else(|| aside(DAMAGED.end));
    files::rename(path, &free).map_err(StoreError::io("set aside", path))?;
    Ok(free)
}

/// `player-` and the name in lower case; other characters than letters and digits of ASCII are
/// `%` and their bytes.
fn file_name(player: &str) -> String {
    let player = player.to_lowercase();
    let mut name = String::from(BEGIN);
    let kept = player.len().min(LONGEST_NAME);
    for &byte in &player.as_bytes()[..kept] {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' => name.push(char::from(byte)),
            byte => _ = write!(name, "%{byte:02x}"),
        }
    }
    if kept < player.len() {
        _ = write!(name, "-{:08x}", crc32fast::hash(player.as_bytes()));
    }
    name + ENDING
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder")
    }

    #[test]
    fn a_damaged_file_is_set_aside_and_its_bytes_stay() {
        let folder = folder();
        let path = folder.path().join(file_name("ann"));
        for (number, bytes) in [&b"{"[..], b"", b"{\"format\":1}", b"\xff"].iter().enumerate() {
            fs::write(&path, bytes).expect("written");
            let (file, deck) = DeckFile::open(folder.path(), "ann").expect("opened");
            assert_eq!(deck, Deck::new("ann"));
            let aside = file.set_aside.clone().expect("set aside");
            assert!(aside.to_string_lossy().ends_with(&format!(".damaged-{}", number + 1)));
            assert_eq!(fs::read(aside).expect("kept"), *bytes);
            assert!(!path.exists());
        }
    }

    #[test]
    fn a_file_of_a_later_format_is_not_touched() {
        let folder = folder();
        let path = folder.path().join(file_name("ann"));
        let later = b"{\"format\":3,\"decks\":{}}";
        fs::write(&path, later).expect("written");
        let error = DeckFile::open(folder.path(), "ann").expect_err("refused").to_string();
        assert!(error.contains("has format 3"), "{error}");
        assert_eq!(fs::read(&path).expect("there"), later);
    }

    #[test]
    fn fields_of_later_versions_are_no_damage_and_missing_lists_are_empty() {
        let folder = folder();
        let text = "{\"format\":1,\"player\":\"Ann\",\"goal\":7}";
        fs::write(folder.path().join(file_name("ann")), text).expect("written");
        let (file, deck) = DeckFile::open(folder.path(), "ANN").expect("opened");
        assert_eq!((deck, file.set_aside), (Deck::new("Ann"), None));
    }

    #[test]
    fn one_program_at_a_time_practises() {
        let folder = folder();
        let (first, _) = DeckFile::open(folder.path(), "ann").expect("opened");
        let error = DeckFile::open(folder.path(), "Ann").expect_err("in use").to_string();
        assert_eq!(error, "another nonet practises as Ann: end it first");
        DeckFile::open(folder.path(), "bob").expect("another player");
        drop(first);
        DeckFile::open(folder.path(), "ann").expect("free again");
    }

    proptest! {
        #[test]
        fn any_name_has_a_file_of_its_own(names in prop::array::uniform2(".{0,90}")) {
            let folder = folder();
            for name in &names {
                let (file, deck) = DeckFile::open(folder.path(), name).expect("opened");
                prop_assert_eq!(&deck.player.to_lowercase(), &name.to_lowercase());
                file.save(&deck).expect("saved");
            }
            let same = names[0].to_lowercase() == names[1].to_lowercase();
            let kept = decks_in(folder.path()).expect("read");
            prop_assert_eq!(kept.decks.len(), if same { 1 } else { 2 });
        }
    }
}

//! Recognises the format of a record by its contents and reads its games.

use std::io::{BufRead, Chain, Cursor, Read};
use std::sync::Arc;

use super::compact::{CompactReader, MAGIC};
#[cfg(feature = "compressed")]
use super::compressed::CompressedReader;
use super::error::{Location, RecordError, RecordErrorKind};
use super::fibs_oldmoves::{OldmovesReader, is_oldmoves};
use super::game::{GameStart, RecordEnd, RecordedGame};
use super::game_reader::{Complaint, ReadGame};
use super::gnubg_text::{GnubgTextReader, is_gnubg_text};
use super::mat::{MatReader, is_mat};
use super::sgf::{SgfReader, begins_tree, is_sgf};
use super::sgg::{SggReader, is_sgg};
use super::single_position::snowie_position;
use super::text_lines::{NumberedLines, decoded};

/// The format must be recognisable in this many bytes; headers of matches are far shorter.
const HEAD: u64 = 1 << 16;

/// The longest file that is read at once, in bytes.
///
/// Such a file is compressed, in UTF-16, with the line ends of old Macs, or in one line. Matches
/// with their analyses have a few hundred thousand bytes.
pub(super) const LONGEST_WHOLE: u64 = 1 << 26;

/// The most warnings that wait for [`Records::take_warnings`].
const MOST_UNTAKEN: usize = 10_000;

/// A record format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Jellyfish `.mat`, and Snowie's `.txt` of a match, which is the same.
    Mat,
    /// gnubg's `.sgf`.
    Sgf,
    /// The saved games of GamesGrid and GridGammon, `.sgg`.
    Sgg,
    /// The answer of FIBS to `oldmoves`.
    Oldmoves,
    /// gnubg's text export, with boards and analyses.
    GnubgText,
    /// The compact format of this crate.
    Compact,
    /// eXtreme Gammon's binary `.xg`, read with the feature `compressed`.
    Xg,
    /// BGBlitz's binary `.bgf`, read with the feature `compressed`.
    Bgf,
}

impl Format {
    /// The formats that this build reads, the most common ones first.
    pub const READ: &'static [Format] = &[
        Format::Mat,
        Format::Sgf,
        #[cfg(feature = "compressed")]
        Format::Xg,
        #[cfg(feature = "compressed")]
        Format::Bgf,
        Format::GnubgText,
        Format::Sgg,
        Format::Oldmoves,
        Format::Compact,
    ];

    /// Its name, and the programs and sites that write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Mat => {
                "match text of Jellyfish, Snowie, XG, Backgammon Galaxy and Backgammon Studio"
            }
            Format::Sgf => "SGF of GNU Backgammon",
            Format::Sgg => "saved games of GamesGrid and GridGammon",
            Format::Oldmoves => "oldmoves of FIBS",
            Format::GnubgText => "text export of GNU Backgammon",
            Format::Compact => "compact format of this program",
            Format::Xg => "eXtreme Gammon",
            Format::Bgf => "BGBlitz",
        }
    }

    /// How names of its files usually end.
    #[must_use]
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Format::Mat => &[".mat", ".gam", ".txt"],
            Format::Sgf => &[".sgf"],
            Format::Sgg => &[".sgg"],
            Format::Oldmoves | Format::GnubgText => &[".txt"],
            Format::Compact => &[".norec"],
            Format::Xg => &[".xg"],
            Format::Bgf => &[".bgf"],
        }
    }
}

/// Counts of games read and of errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordCounts {
    /// Games that were read and replayed.
    pub games: u64,
    /// Errors: games that were skipped, and text outside of games.
    pub skipped: u64,
    /// Warnings: mistakes that leave a game usable.
    pub warnings: u64,
}

/// The games of a record, one after the other. An error skips one game; the next call continues
/// after it.
///
/// A mistake that leaves a game usable is a warning. Such a mistake is a result that contradicts
/// the board, text between games, or a turn that breaks the rules. That turn is lost, and its game
/// goes on.
///
/// ```
/// use backgammon::record::{Format, Records};
///
/// let text = b" 0 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 8/5 6/5\n";
/// let mut records = Records::new(&text[..], "night.mat")?;
/// for game in &mut records {
///     assert_eq!(game?.turns().count(), 1);
/// }
/// assert_eq!((records.format(), records.tally().games), (Format::Mat, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Records<R> {
    inner: Inner<Begun<R>>,
    warnings: Vec<RecordError>,
    file: Arc<str>,
    whole: bool,
    tally: RecordCounts,
}

/// A source of which the beginning was read.
type Begun<R> = Chain<Cursor<Vec<u8>>, R>;

enum Inner<R> {
    Mat(Box<MatReader<R>>),
    Sgf(SgfReader<R>),
    Sgg(SggReader<R>),
    Oldmoves(OldmovesReader<R>),
    GnubgText(GnubgTextReader<R>),
    Compact(CompactReader<R>),
    #[cfg(feature = "compressed")]
    Compressed(CompressedReader),
}

impl<R: BufRead> Records<R> {
    /// Recognises the format by the beginning of `source`. `name` is used in error messages only.
    ///
    /// # Errors
    /// [`RecordError`] if it is not a record of games, or cannot be read.
    pub fn new(mut source: R, name: &str) -> Result<Records<R>, RecordError> {
        let file: Arc<str> = name.into();
        let first = |reason: RecordErrorKind| reason.at(&file, Location::Line(1));
        let mut head = Vec::new();
        let read = (&mut source).take(HEAD).read_to_end(&mut head);
        read.map_err(|error| first(RecordErrorKind::Io(error)))?;
        let utf16 = head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]);
        let binary = head.starts_with(MAGIC) || compressed(&head).is_some();
        let old_mac = head.contains(&b'\r') && !head.contains(&b'\n') && !binary;
        let one_line = !binary && is_page_in_one_line(&head);
        if utf16 || old_mac || one_line {
            let rest = (&mut source).take(LONGEST_WHOLE).read_to_end(&mut head);
            rest.map_err(|error| first(RecordErrorKind::Io(error)))?;
            if head.len() as u64 > LONGEST_WHOLE {
                let reason = "a file of at most 64 MiB where all of it is read at once";
                return Err(first(RecordErrorKind::TooLarge(reason)));
            }
            head = if utf16 { of_utf16(&head) } else { head };
            head.iter_mut()
                .filter(|byte| **byte == b'\r' && old_mac)
                .for_each(|byte| *byte = b'\n');
            if one_line {
                head = with_line_ends(&head);
            }
        }
        if head.starts_with(&[0xef, 0xbb, 0xbf]) {
            head.drain(..3);
        }
        let found = format(&head);
        let format = found.map_err(|(line, reason)| reason.at(&file, Location::Line(line)))?;
        let source = Cursor::new(head).chain(source);
        let named = Arc::clone(&file);
        let inner = match format {
            Format::Compact => Inner::Compact(CompactReader::new(source, named)?),
            Format::Sgf => Inner::Sgf(SgfReader::new(source, named)),
            Format::Mat => Inner::Mat(Box::new(MatReader::new(NumberedLines::new(source, named)))),
            Format::Sgg => Inner::Sgg(SggReader::new(NumberedLines::new(source, named))),
            Format::Oldmoves => {
                Inner::Oldmoves(OldmovesReader::new(NumberedLines::new(source, named)))
            }
            Format::Xg | Format::Bgf => decompressing(format, source, named)?,
            Format::GnubgText => {
                Inner::GnubgText(GnubgTextReader::new(NumberedLines::new(source, named)))
            }
        };
        let (warnings, tally) = (Vec::new(), RecordCounts::default());
        Ok(Records { inner, warnings, file, whole: false, tally })
    }

    /// Reports a game that is unfinished, or that lacks a turn, as an error.
    ///
    /// The place of the error is where the game stops, where the rest cannot be read, or where the
    /// turn is lost.
    #[must_use]
    pub fn whole(self) -> Records<R> {
        Records { whole: true, ..self }
    }

    /// How far the record has been read.
    fn place(&self) -> Location {
        match &self.inner {
            Inner::Mat(reader) => Location::Line(reader.line()),
            Inner::Sgf(reader) => Location::Line(reader.line()),
            Inner::Sgg(reader) => Location::Line(reader.line()),
            Inner::Oldmoves(reader) => Location::Line(reader.line()),
            Inner::GnubgText(reader) => Location::Line(reader.line()),
            Inner::Compact(reader) => Location::Game(reader.game_number()),
            #[cfg(feature = "compressed")]
            Inner::Compressed(reader) => Location::Game(reader.game_number()),
        }
    }

    /// What the numbers of places count.
    fn places(&self) -> fn(u64) -> Location {
        match self.inner {
            #[cfg(feature = "compressed")]
            Inner::Compressed(_) => Location::Game,
            _ => Location::Line,
        }
    }

    /// The format that was recognised.
    #[must_use]
    pub fn format(&self) -> Format {
        match &self.inner {
            Inner::Mat(_) => Format::Mat,
            Inner::Sgf(_) => Format::Sgf,
            Inner::Sgg(_) => Format::Sgg,
            Inner::Oldmoves(_) => Format::Oldmoves,
            Inner::GnubgText(_) => Format::GnubgText,
            Inner::Compact(_) => Format::Compact,
            #[cfg(feature = "compressed")]
            Inner::Compressed(reader) => reader.format(),
        }
    }

    /// Takes the warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<RecordError> {
        std::mem::take(&mut self.warnings)
    }

    /// Keeps warnings, as long as not too many wait.
    fn warn(&mut self, warnings: Vec<Complaint>) {
        let place = self.places();
        let room = MOST_UNTAKEN.saturating_sub(self.warnings.len());
        for (number, reason) in warnings.into_iter().take(room) {
            self.warnings.push(reason.at(&self.file, place(number)));
        }
    }

    /// The game, after its warnings are kept; an error if it must be whole and is not.
    fn checked(&mut self, read: ReadGame) -> Result<RecordedGame, RecordError> {
        let ReadGame { game, cut, mut warnings } = read;
        let place = self.places();
        let is_lost = |(_, reason): &Complaint| matches!(reason, RecordErrorKind::GoesOn(_));
        let has_gap = !game.gaps().is_empty() || *game.start() != GameStart::USUAL;
        let lost = if self.whole && has_gap { warnings.iter().position(is_lost) } else { None };
        let lost = lost.map(|at| warnings.remove(at));
        self.warn(warnings);
        if let Some((number, reason)) = lost {
            return Err(reason.at(&self.file, place(number)));
        }
        match cut.map(|(number, reason)| reason.at(&self.file, place(number))) {
            Some(error) if self.whole => return Err(error),
            Some(error) => self.warnings.push(error),
            None if self.whole && game.end() == RecordEnd::Unfinished => {
                return Err(RecordErrorKind::CutOff.at(&self.file, self.place()));
            }
            None => {}
        }
        Ok(game)
    }

    /// The counts of games, errors and warnings so far.
    #[must_use]
    pub const fn tally(&self) -> RecordCounts {
        self.tally
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<RecordedGame, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let whole = |game| ReadGame { game, cut: None, warnings: Vec::new() };
        let mut none = Vec::new();
        let (next, warnings) = match &mut self.inner {
            Inner::Mat(reader) => (reader.next(), reader.warnings()),
            Inner::Sgf(reader) => (reader.next(), reader.warnings()),
            Inner::Sgg(reader) => (reader.next(), reader.warnings()),
            Inner::Oldmoves(reader) => (reader.next(), reader.warnings()),
            Inner::GnubgText(reader) => (reader.next(), reader.warnings()),
            Inner::Compact(reader) => (reader.next().map(|game| game.map(whole)), &mut none),
            #[cfg(feature = "compressed")]
            Inner::Compressed(reader) => (reader.next(), reader.warnings()),
        };
        let before = self.warnings.len();
        let warnings = std::mem::take(warnings);
        self.warn(warnings);
        let next = next.map(|read| self.checked(read?));
        self.tally.warnings += (self.warnings.len() - before) as u64;
        match &next {
            Some(Ok(_)) => self.tally.games += 1,
            Some(Err(_)) => self.tally.skipped += 1,
            None => {}
        }
        next
    }
}

/// All that can be used of a record.
#[derive(Debug)]
pub struct ReadRecord {
    /// The games, each legal from its start to its last turn.
    pub games: Vec<RecordedGame>,
    /// What could not be read, or contradicts the play, with file and line.
    pub warnings: Vec<RecordError>,
}

/// The most bytes of memory for the games that [`read_record`] returns at once.
const MOST_BYTES: usize = 96 << 20;
/// The most errors and warnings that it returns; the last one counts the others.
const MOST_WARNINGS: usize = 1_000;

/// Reads all games of `source`. `name` is used in messages only. Where the games take more than
/// 96 MiB of memory, the rest is left out with a warning: [`Records`] reads files of any size.
///
/// # Errors
/// [`RecordError`], the first reason, if no game can be used.
///
/// ```
/// use backgammon::record::read_record;
///
/// let text = b" 0 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 8/5 6/5\n";
/// assert_eq!(read_record(&text[..], "night.mat")?.games.len(), 1);
/// let error = read_record(&b"not a record"[..], "letter.txt").expect_err("no game");
/// assert!(error.to_string().starts_with("letter.txt:1: "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_record<R: BufRead>(source: R, name: &str) -> Result<ReadRecord, RecordError> {
    let mut records = Records::new(source, name)?;
    let (mut games, mut warnings) = (Vec::new(), Vec::new());
    let (mut size, mut more) = (0, 0);
    let mut keep = |warnings: &mut Vec<RecordError>, new: Vec<RecordError>| {
        let room = MOST_WARNINGS.saturating_sub(warnings.len());
        more += new.len().saturating_sub(room) as u64;
        warnings.extend(new.into_iter().take(room));
    };
    while let Some(next) = records.next() {
        keep(&mut warnings, records.take_warnings());
        match next {
            Ok(game) => {
                size += game.size();
                games.push(game);
            }
            Err(error) => keep(&mut warnings, vec![error]),
        }
        if size > MOST_BYTES {
            let reason = RecordErrorKind::TooLarge("games of at most 96 MiB in memory");
            warnings.push(reason.at(&records.file, records.place()));
            break;
        }
    }
    keep(&mut warnings, records.take_warnings());
    if more > 0 {
        warnings.push(RecordErrorKind::More(more).at(&records.file, records.place()));
    }
    if !games.is_empty() {
        return Ok(ReadRecord { games, warnings });
    }
    let nothing = || RecordErrorKind::Unknown(NO_GAME);
    let first = warnings.into_iter().next();
    Err(first.unwrap_or_else(|| nothing().at(&name.into(), Location::Line(1))))
}

/// Whether a page has no line ends but those of its mark-up.
fn is_page_in_one_line(head: &[u8]) -> bool {
    let breaks = head.windows(3).filter(|tag| tag.eq_ignore_ascii_case(b"<br")).count();
    breaks > 2 && breaks > 2 * head.iter().filter(|&&byte| byte == b'\n').count()
}

/// A page with a line end at each of its line breaks.
fn with_line_ends(page: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(page.len());
    for (at, &byte) in page.iter().enumerate() {
        if page[at..].get(..3).is_some_and(|tag| tag.eq_ignore_ascii_case(b"<br")) {
            text.push(b'\n');
        }
        text.push(byte);
    }
    text
}

/// A text in UTF-16 with its byte order mark, as UTF-8.
fn of_utf16(bytes: &[u8]) -> Vec<u8> {
    let big = bytes.starts_with(&[0xfe, 0xff]);
    let (pairs, _) = bytes.as_chunks::<2>();
    let unit =
        |&pair: &[u8; 2]| if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
    let units: Vec<u16> = pairs.iter().skip(1).map(unit).collect();
    String::from_utf16_lossy(&units).into_bytes()
}

/// Compressed formats of other programs, by their beginning.
///
/// The `.xg` of eXtreme Gammon begins with the letters RGMH. The `.bgf` of BGBlitz begins with a
/// line of JSON that names its compression and its encoding.
fn compressed(head: &[u8]) -> Option<Format> {
    const LINE: usize = 4096;
    if head.starts_with(b"RGMH") {
        return Some(Format::Xg);
    }
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = decoded(&line[..line.len().min(LINE)]);
    let is_bgf = line.trim_start().starts_with('{') && line.contains("\"compression\"");
    is_bgf.then_some(Format::Bgf)
}

/// The reader of a compressed format.
#[cfg(feature = "compressed")]
fn decompressing<R: BufRead>(
    format: Format,
    source: Begun<R>,
    file: Arc<str>,
) -> Result<Inner<Begun<R>>, RecordError> {
    Ok(Inner::Compressed(CompressedReader::new(format, source, file)?))
}

#[cfg(not(feature = "compressed"))]
fn decompressing<R: BufRead>(
    format: Format,
    _: Begun<R>,
    file: Arc<str>,
) -> Result<Inner<Begun<R>>, RecordError> {
    let why = match format {
        Format::Xg => {
            "this is a binary .xg, which is read with the feature 'compressed' only: export the match as text"
        }
        _ => {
            "this is a binary .bgf, which is read with the feature 'compressed' only: export the match as .mat"
        }
    };
    Err(RecordErrorKind::Unknown(why).at(&file, Location::Line(1)))
}

/// The format, by the first line that belongs to one format only.
fn format(head: &[u8]) -> Result<Format, (u64, RecordErrorKind)> {
    if head.starts_with(MAGIC) {
        return Ok(Format::Compact);
    }
    if let Some(format) = compressed(head) {
        return Ok(format);
    }
    if let Some(why) = packed(head) {
        return Err((1, RecordErrorKind::Unknown(why)));
    }
    let lines = || (1..).zip(head.split(|&byte| byte == b'\n'));
    // The settings before its games look like those of other formats.
    if lines().any(|(_, line)| line.starts_with(b"Game ") && is_sgg(&decoded(line))) {
        return Ok(Format::Sgg);
    }
    let mut first = true;
    for (number, line) in lines() {
        let line = decoded(line.trim_ascii());
        if line.is_empty() {
            continue;
        }
        if let Some(why) = unread(&line).filter(|_| first) {
            return Err((number, RecordErrorKind::Unknown(why)));
        }
        if (first && is_sgf(&line)) || begins_tree(&line) {
            return Ok(Format::Sgf);
        }
        first = false;
        if is_mat(&line) {
            return Ok(Format::Mat);
        }
        if is_gnubg_text(&line) {
            return Ok(Format::GnubgText);
        }
        if is_oldmoves(&line) {
            return Ok(Format::Oldmoves);
        }
        if let Some(position) = snowie_position(&line) {
            return Err((number, position.map_or_else(|error| error, RecordErrorKind::single)));
        }
    }
    let why = if first { "the record is empty" } else { EXPECTED };
    Err((1, RecordErrorKind::Unknown(why)))
}

/// The same for a file that looked like a record.
const NO_GAME: &str = "there is no game in it; formats that are read are .mat, .gam, .txt, .sgf, .sgg, .xg, .bgf, .norec, gnubg's text export and oldmoves of FIBS";

/// The formats that are read, as the error of any other file says.
const EXPECTED: &str = "expected a match, a game or an SGF tree; formats that are read are .mat, .gam, .txt, .sgf, .sgg, .xg, .bgf, .norec, gnubg's text export and oldmoves of FIBS";

/// What to do with a file that another program has compressed; `None` if it is none.
fn packed(head: &[u8]) -> Option<&'static str> {
    let begins: [(&[u8], &str); 7] = [
        (&[0x1f, 0x8b], "the file is compressed by gzip; decompress it first: gunzip FILE"),
        (b"BZh", "the file is compressed by bzip2; decompress it first: bunzip2 FILE"),
        (b"\xfd7zXZ\0", "the file is compressed by xz; decompress it first: unxz FILE"),
        (
            &[0x28, 0xb5, 0x2f, 0xfd],
            "the file is compressed by zstd; decompress it first: unzstd FILE",
        ),
        (b"PK\x03\x04", "the file is a ZIP archive; unpack it first: unzip FILE"),
        (b"7z\xbc\xaf\x27\x1c", "the file is a 7z archive; unpack it first"),
        (b"Rar!", "the file is a RAR archive; unpack it first"),
    ];
    begins.into_iter().find(|(begin, _)| head.starts_with(begin)).map(|(_, why)| why)
}

/// What to do with a file of another program in a format that is not read, by its first line.
fn unread(line: &str) -> Option<&'static str> {
    const FILES: [(&str, &str); 2] = [
        (
            "boardid=",
            "this is a game of PartyGammon, which is not read; GNU Backgammon makes a .mat of it: import party FILE, export match mat FILE.mat",
        ),
        (
            "bgf version",
            "this is a game of BGRoom, which is not read; GNU Backgammon makes a .mat of it: import bgroom FILE, export match mat FILE.mat",
        ),
    ];
    let begins =
        |with: &str| line.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with));
    FILES.into_iter().find(|(begin, _)| begins(begin)).map(|(_, why)| why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_formats_that_are_read() {
        for format in Format::READ {
            let named = |text: &str| format.endings().iter().any(|end| text.contains(end));
            assert!(named(NO_GAME) && named(EXPECTED), "{format:?}");
        }
    }
}

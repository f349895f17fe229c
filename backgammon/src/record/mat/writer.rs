//! Games as `.mat`: two columns that Jellyfish, gnubg, Snowie and XG read.

use std::io::{self, Write};

use super::settings::{MatchSettings, Tags};
use super::{set_up, tags};
use crate::record::game::{GameHeader, GameStart, RecordEnd, RecordEvent, RecordedGame};
use crate::{Scoring, Seat};

/// Width of the left column, after a row's number of 5 columns.
///
/// The longest play, four moves that all hit, takes 31 columns. Programs look for the right column
/// from about column 34 on.
const LEFT: usize = 34;
const NUMBER: usize = 5;
/// Indent of a result in the left column.
const RESULT: usize = 6;

/// Writes games one after the other. A new match begins if names, length or rules change or if the
/// score falls. It also begins if the score contradicts an earlier game that was resigned or is
/// unfinished.
///
/// Other programs read only the first match of a file, so write one match to a file. A `.mat`
/// cannot hold a roll without a play. The writer counts the running score of money games.
///
/// ```
/// use backgammon::record::{MatWriter, read_record};
///
/// let text = b" 0 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 8/5 6/5\n";
/// let record = read_record(&text[..], "night.mat")?;
/// let mut writer = MatWriter::new(Vec::new());
/// writer.write(&record.games[0])?;
/// assert!(String::from_utf8(writer.into_inner())?.contains("31: 8/5 6/5"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MatWriter<W> {
    out: W,
    open: Option<Open>,
    /// Further tags of each match.
    tags: Vec<(String, String)>,
}

/// The match being written.
struct Open {
    settings: MatchSettings,
    names: [String; 2],
    score: [u32; 2],
    games: u32,
    /// Whether the last game shows its result by itself, so that no reader infers it from the next
    /// score.
    decided: bool,
}

impl<W: Write> MatWriter<W> {
    /// Writes to `out`, which should be buffered.
    pub const fn new(out: W) -> MatWriter<W> {
        MatWriter { out, open: None, tags: Vec::new() }
    }

    /// Writes further tags at the head of each match, as name and value; [`super::mat_tags`] reads
    /// them, and other programs pass over those that they do not know.
    #[must_use]
    pub fn tagged(self, tags: Vec<(String, String)>) -> MatWriter<W> {
        MatWriter { tags, ..self }
    }

    /// The writer underneath.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Writes one game.
    ///
    /// # Errors
    /// Those of the writer underneath.
    pub fn write(&mut self, game: &RecordedGame) -> io::Result<()> {
        let header = game.header();
        let mut open = match self.open.take() {
            Some(open) if open.goes_on_with(game) => open,
            _ => {
                let open = Open::new(game);
                open.write_head(&mut self.out, &self.tags)?;
                open
            }
        };
        open.games += 1;
        open.decided = matches!(game.end(), RecordEnd::Natural { .. } | RecordEnd::Dropped { .. });
        if let Scoring::Match(score) = header.scoring {
            open.score = [score.own().into(), score.opponent().into()];
            open.settings.crawford_played |=
                (score.own_away() == 1) != (score.opponent_away() == 1);
        }
        let [a, b] = [0, 1].map(|i| format!(" {} : {}", open.names[i], open.score[i]));
        writeln!(self.out, " Game {}", open.games)?;
        writeln!(self.out, "{a:width$} {b}", width = NUMBER + LEFT - 1)?;
        if *game.start() != GameStart::USUAL {
            let followed = !game.events().is_empty();
            writeln!(self.out, "; Set Pos={}", set_up::in_comment(game.start(), followed))?;
        }
        let (mut rows, set_ups) = rows(game);
        let mut below = None;
        if let Some((winner, points)) = game.won() {
            let s = if points == 1 { "" } else { "s" };
            open.score[winner.index()] += points;
            let length = open.settings.length;
            let over = length > 0 && open.score[winner.index()] >= length;
            let all = if over { " and the match" } else { "" };
            let result = format!("Wins {points} point{s}{all}");
            match (game.end(), rows.last_mut()) {
                // gnubg reads a result on a line of its own, after a drop in the left column, as
                // one more double.
                (RecordEnd::Dropped { winner: Seat::O }, Some([_, right])) => *right = result,
                _ if winner == Seat::X => below = Some(format!("{:RESULT$}{result}", "")),
                _ => below = Some(format!("{:width$}{result}", "", width = NUMBER + LEFT)),
            }
        }
        for (i, [left, right]) in rows.iter().enumerate() {
            if let Some((_, start)) = set_ups.iter().find(|(row, _)| *row == i) {
                writeln!(self.out, "; Set Pos={}", set_up::in_comment(start, true))?;
            }
            let row = format!("{:>3}) {left:LEFT$}{right}", i + 1);
            writeln!(self.out, "{}", row.trim_end())?;
        }
        if let Some(result) = below {
            writeln!(self.out, "{result}")?;
        }
        writeln!(self.out)?;
        self.open = Some(open);
        Ok(())
    }
}

impl Open {
    fn new(game: &RecordedGame) -> Open {
        let header = game.header();
        let mut tags = Tags { cubeless: game.is_cubeless(), ..Tags::default() };
        let mut length = 0;
        match header.scoring {
            Scoring::Money { jacoby, beavers } => (tags.jacoby, tags.beavers) = (jacoby, beavers),
            Scoring::Match(score) => {
                length = u32::from(score.length());
                let one_away = (score.own_away() == 1) != (score.opponent_away() == 1);
                tags.no_crawford = one_away && !score.is_crawford();
            }
        }
        let settings = MatchSettings { tags, length, crawford_played: false };
        Open { settings, names: names(header), score: [0; 2], games: 0, decided: true }
    }

    /// Whether a reader that continues this match would read the game correctly.
    fn goes_on_with(&self, game: &RecordedGame) -> bool {
        let header = game.header();
        let same = self.names == names(header) && self.settings.tags.cubeless == game.is_cubeless();
        same && match header.scoring {
            Scoring::Money { jacoby, beavers } => {
                self.settings.length == 0
                    && (self.settings.tags.jacoby, self.settings.tags.beavers) == (jacoby, beavers)
            }
            Scoring::Match(score) => {
                let one_away = (score.own_away() == 1) != (score.opponent_away() == 1);
                let crawford =
                    one_away && !self.settings.crawford_played && !self.settings.tags.no_crawford;
                let now: [u32; 2] = [score.own().into(), score.opponent().into()];
                self.settings.length == u32::from(score.length())
                    && crawford == score.is_crawford()
                    && (self.score == now
                        || (self.decided && (0..2).all(|i| self.score[i] <= now[i])))
            }
        }
    }

    fn write_head(&self, out: &mut impl Write, further: &[(String, String)]) -> io::Result<()> {
        let on = |on: bool| if on { "On" } else { "Off" };
        let tags = &self.settings.tags;
        writeln!(out, "; [Site \"nonet\"]\n; [Variation \"Backgammon\"]")?;
        if self.settings.length > 0 {
            writeln!(out, "; [Crawford \"{}\"]", on(!tags.no_crawford))?;
        } else {
            writeln!(
                out,
                "; [Jacoby \"{}\"]\n; [Beaver \"{}\"]",
                on(tags.jacoby),
                on(tags.beavers)
            )?;
        }
        if tags.cubeless {
            writeln!(out, "; [CubeLimit \"1\"]")?;
        }
        for (name, value) in further {
            writeln!(out, "{}", tags::line(name, value))?;
        }
        writeln!(out, "\n {} point match\n", self.settings.length)
    }
}

/// Names that fit into the line of names: not empty, without line ends, colons and repeated blanks.
fn names(header: &GameHeader) -> [String; 2] {
    [0, 1].map(|i| {
        let plain = header.names[i].replace([':', '\0'], " ");
        let words: Vec<&str> = plain.split_whitespace().collect();
        if words.is_empty() { format!("player {}", i + 1) } else { words.join(" ") }
    })
}

/// The cells of both columns, row by row, and positions that are set up before rows.
fn rows(game: &RecordedGame) -> (Vec<[String; 2]>, Vec<(usize, GameStart)>) {
    let mut rows: Vec<[String; 2]> = Vec::new();
    let mut set_ups = Vec::new();
    let mut last = Seat::O;
    let events = game.events();
    for (i, event) in events.iter().enumerate() {
        let (player, text) = match *event {
            RecordEvent::Turn(turn) => (turn.player, format!("{}: {}", turn.dice, turn.play())),
            RecordEvent::Double { player, value } => (player, format!(" Doubles => {value}")),
            RecordEvent::Beaver { player, value } => (player, format!(" Beavers => {value}")),
            // Not written: a roll after a beaver accepts it, and readers do not expect two cells in
            // a row of one player.
            RecordEvent::Take { player } if matches!(events.get(i + 1), Some(RecordEvent::Turn(turn)) if turn.player == player) =>
            {
                continue;
            }
            RecordEvent::Take { player } => (player, " Takes".to_owned()),
            RecordEvent::Drop { player } => (player, " Drops".to_owned()),
        };
        if let Some(start) = game.gap_before(i) {
            set_ups.push((rows.len(), *start));
            last = Seat::O;
        }
        match rows.last_mut() {
            Some(row) if player == Seat::O && last == Seat::X => row[1] = text,
            _ if player == Seat::X => rows.push([text, String::new()]),
            _ => rows.push([String::new(), text]),
        }
        last = player;
    }
    (rows, set_ups)
}

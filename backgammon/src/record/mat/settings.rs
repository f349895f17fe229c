//! The settings of a match: its tags and length, and how a game begins under them.

use super::tags;
use crate::record::error::RecordErrorKind;
use crate::record::game::{GameHeader, cut_name};
use crate::record::game_reader::GameReader;
use crate::record::recorder::Recorder;
use crate::{MAX_MATCH_LENGTH, Scoring};

/// The settings in comments such as `; [Crawford "On"]`.
#[derive(Clone, Debug, Default)]
pub(super) struct Tags {
    pub(super) no_crawford: bool,
    pub(super) jacoby: bool,
    pub(super) beavers: bool,
    /// Whether the cube stays at 1.
    pub(super) cubeless: bool,
    /// A variant other than standard backgammon, and the line of its tag.
    pub(super) variant: Option<(String, u64)>,
    pub(super) players: [Option<String>; 2],
    /// The length of the match, which is usually no tag.
    pub(super) length: Option<u32>,
}

/// The settings of all games of a match.
#[derive(Clone, Debug)]
pub(super) struct MatchSettings {
    pub(super) tags: Tags,
    /// Points, 0 for money.
    pub(super) length: u32,
    pub(super) crawford_played: bool,
}

impl Tags {
    /// Reads a comment; most say nothing about the games.
    pub(super) fn read(&mut self, comment: &str, line: u64) {
        let Some((name, value)) = tags::tag_of(comment) else { return };
        let on = value.eq_ignore_ascii_case("on");
        let player = || Some(cut_name(value.trim())).filter(|name| !name.is_empty());
        match name.to_ascii_lowercase().as_str() {
            "crawford" => self.no_crawford = !on,
            "jacoby" => self.jacoby = on,
            "beaver" => self.beavers = on,
            "cubelimit" => self.cubeless = value.trim() == "1",
            "player 1" | "player1" => self.players[0] = player(),
            "player 2" | "player2" => self.players[1] = player(),
            "match length" | "matchlength" => self.length = value.trim().parse().ok(),
            "variation" => {
                // The last one is what Russian sites call it.
                let usual = ["backgammon", "standard", "shortnarde"];
                let usual = usual.iter().any(|known| value.eq_ignore_ascii_case(known));
                self.variant = (!usual).then(|| (cut_name(value), line));
            }
            _ => {}
        }
    }
}

impl MatchSettings {
    /// Begins a game at a score.
    pub(super) fn begin(
        &mut self,
        names: [String; 2],
        score: [u32; 2],
        line: u64,
    ) -> Result<GameReader, RecordErrorKind> {
        if self.length == 0 {
            let Tags { jacoby, beavers, .. } = self.tags;
            let scoring = Scoring::Money { jacoby, beavers };
            let recorder = self.recorder(GameHeader { names, scoring });
            return Ok(GameReader::new(recorder, score, line));
        }
        let small = |points: u32| u16::try_from(points).unwrap_or(u16::MAX);
        let length = u16::try_from(self.length).unwrap_or(MAX_MATCH_LENGTH + 1);
        let away = |points: u32| self.length.saturating_sub(points);
        let one_away = (away(score[0]) == 1) != (away(score[1]) == 1);
        let crawford = one_away && !self.crawford_played && !self.tags.no_crawford;
        let scoring = Scoring::of_match(length, small(score[0]), small(score[1]), crawford)?;
        self.crawford_played |= one_away;
        let mut recorder = self.recorder(GameHeader { names, scoring });
        if crawford {
            recorder.presume_crawford();
        }
        Ok(GameReader::new(recorder, score, line))
    }

    fn recorder(&self, header: GameHeader) -> Recorder {
        let recorder = Recorder::new(header);
        if self.tags.cubeless { recorder.without_cube() } else { recorder }
    }
}

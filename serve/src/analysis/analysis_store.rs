//! The folder of analysed matches: for each upload the record, its analysis in three formats, and a
//! row for the list.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::defaults;
use nonet_engine::analysis::{DecisionGroup, Tally, by_group, final_score, summaries};
use nonet_engine::backgammon::Seat;
use nonet_engine::backgammon::record::mat_tags;
use nonet_engine::search::Plies;
use nonet_engine::store::{StoreError, files, is_file_name, write_atomic};
use nonet_report::AnalysedMatch;
use nonet_report::person_match::MatchSettings;

/// The uploaded bytes.
pub(crate) const RECORD: &str = "record";
/// The row, written last: a folder with it is complete.
const ROW: &str = "row.json";

/// A match of an upload in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct AnalysedRow {
    pub(crate) names: [String; 2],
    /// Points to win the match; null for money.
    pub(crate) length: Option<u16>,
    pub(crate) points: [u32; 2],
    /// 0 or 1 of `names`; null if the record has no end.
    pub(crate) winner: Option<u8>,
    /// PR of both; null without a decision.
    pub(crate) pr: [Option<f32>; 2],
    /// Luck of both, in points on a cube at 1.
    pub(crate) luck: [f32; 2],
    /// Decisions of both that count.
    pub(crate) decisions: [u32; 2],
    /// The losses of both by the kind of decision; empty in analyses of older versions.
    #[serde(default)]
    pub(crate) kinds: [Vec<KindTally>; 2],
}

/// The losses of a player in decisions of a kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct KindTally {
    #[schema(example = "cube")]
    pub(crate) kind: String,
    /// Decisions that count.
    pub(crate) decisions: u32,
    /// The sum of their losses, in points on a cube at 1.
    pub(crate) loss: f64,
    /// The sum of the squares of the losses.
    pub(crate) squares: f64,
    /// Doubtful, bad and very bad ones.
    pub(crate) mistakes: [u32; 3],
}

/// The net of analyses of versions that had no choice.
fn champion() -> String {
    defaults::net().to_owned()
}

/// How an analysis stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AnalysisState {
    Working,
    Done,
    Failed,
    /// The server has ended before the analysis had; asking for it starts it anew.
    Interrupted,
}

/// An upload in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub(crate) struct AnalysisRow {
    pub(crate) id: String,
    /// The name of the file as it was uploaded.
    pub(crate) name: String,
    pub(crate) state: AnalysisState,
    /// Events that are analysed, of `total`.
    pub(crate) done: u64,
    pub(crate) total: u64,
    /// Why it has failed.
    pub(crate) error: Option<String>,
    /// What could not be used of the record.
    pub(crate) warnings: Vec<String>,
    /// Depth of plays; null in analyses of older versions.
    #[serde(default)]
    pub(crate) plies: Option<u8>,
    /// Depth of cube decisions.
    #[serde(default)]
    pub(crate) cube_plies: Option<u8>,
    /// The net that has judged it: its name, or that of its run.
    #[serde(default = "champion")]
    #[schema(example = "champion")]
    pub(crate) net: String,
    /// The check sum of the net's file: a run that goes on writes another net under the same name.
    /// Null for the champion.
    #[serde(default)]
    pub(crate) net_sum: Option<u32>,
    /// The check sum of the record: two analyses of one record have the same.
    #[serde(default)]
    pub(crate) record: Option<u32>,
    /// When it was played, if the record says it: year, month and day.
    #[serde(default)]
    #[schema(example = "2025-11-25")]
    pub(crate) played: Option<String>,
    /// Who played as nonet, if the match was played here against a net.
    #[serde(default)]
    pub(crate) against: Option<PlayedNet>,
    pub(crate) matches: Vec<AnalysedRow>,
}

/// The net of a match that a person played here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub(crate) struct PlayedNet {
    /// Its name, or that of its run.
    #[schema(example = "champion")]
    pub(crate) net: String,
    /// Its level.
    #[schema(example = "champion")]
    pub(crate) level: String,
    /// Depth of its plays.
    pub(crate) plies: u8,
}

impl PlayedNet {
    /// What the tags of a record say; `None` if it is not one of a person against a net.
    pub(crate) fn in_record(bytes: &[u8]) -> Option<PlayedNet> {
        let text = std::str::from_utf8(bytes).ok()?;
        let settings = MatchSettings::of_tags(&mat_tags(text)).ok()??;
        let MatchSettings { net, level, plies, two_people, .. } = settings;
        (!two_people).then(|| PlayedNet { net, level: level.name.to_owned(), plies: plies.get() })
    }
}

impl AnalysisRow {
    /// An analysis that has begun.
    pub(crate) fn working(id: String, name: String, total: u64) -> AnalysisRow {
        let (state, warnings, matches) = (AnalysisState::Working, Vec::new(), Vec::new());
        let (plies, cube_plies, record, played, against) = (None, None, None, None, None);
        AnalysisRow {
            id,
            name,
            state,
            done: 0,
            total,
            error: None,
            warnings,
            plies,
            cube_plies,
            net: champion(),
            net_sum: None,
            record,
            played,
            against,
            matches,
        }
    }
}

impl AnalysedRow {
    pub(crate) fn of(one: &AnalysedMatch) -> AnalysedRow {
        let score = final_score(&one.games);
        let both = summaries(&one.games);
        let names = one.games.first().map(|game| game.game.header().names.clone());
        AnalysedRow {
            names: names.unwrap_or_default(),
            length: score.length,
            points: score.points,
            winner: score.winner.map(|seat| seat.index() as u8),
            pr: both.map(|summary| summary.pr()),
            luck: both.map(|summary| summary.luck),
            decisions: both.map(|summary| summary.plays + summary.calls),
            kinds: Seat::BOTH.map(|seat| {
                let all = by_group(&one.games, seat).into_iter();
                all.map(|(group, tally)| KindTally::of(group, tally)).collect()
            }),
        }
    }
}

impl KindTally {
    fn of(group: DecisionGroup, tally: Tally) -> KindTally {
        let Tally { decisions, loss, squares, mistakes } = tally;
        KindTally { kind: group.name().to_owned(), decisions, loss, squares, mistakes }
    }

    /// The same without its kind.
    pub(crate) const fn tally(&self) -> Tally {
        let KindTally { decisions, loss, squares, mistakes, .. } = *self;
        Tally { decisions, loss, squares, mistakes }
    }
}

/// The files of one upload.
pub(crate) struct AnalysisFolder(PathBuf);

impl AnalysisFolder {
    pub(crate) fn of(root: &Path, id: &str) -> AnalysisFolder {
        AnalysisFolder(root.join(id))
    }

    /// Makes the folder; false if it is there already.
    pub(crate) fn make(&self) -> Result<bool, StoreError> {
        match files::make_folder(&self.0) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(StoreError::io("make the folder", &self.0)(error)),
        }
    }

    /// Writes the uploaded bytes.
    pub(crate) fn fill(
        &self,
        name: &str,
        bytes: &[u8],
        [plies, _]: [Plies; 2],
        net: &str,
    ) -> Result<(), StoreError> {
        self.write("name", name.as_bytes())?;
        self.write("ply", plies.get().to_string().as_bytes())?;
        self.write("net", net.as_bytes())?;
        self.write(RECORD, bytes)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        write_atomic(&self.0.join(name), bytes)
    }

    pub(crate) fn write_row(&self, row: &AnalysisRow) -> Result<(), StoreError> {
        let text = serde_json::to_vec(row).unwrap_or_default();
        self.write(ROW, &text)
    }

    /// The row of a complete analysis.
    pub(crate) fn row(&self) -> Option<AnalysisRow> {
        serde_json::from_slice(&self.read(ROW)?).ok()
    }

    /// The name of the uploaded file, if there is one.
    pub(crate) fn name(&self) -> Option<String> {
        String::from_utf8(self.read("name")?).ok()
    }

    /// The depth that was asked for.
    pub(crate) fn ply(&self) -> Option<u8> {
        String::from_utf8(self.read("ply")?).ok()?.parse().ok()
    }

    /// The net that was asked for.
    pub(crate) fn net(&self) -> String {
        let net = self.read("net").and_then(|net| String::from_utf8(net).ok());
        net.unwrap_or_else(champion)
    }

    pub(crate) fn read(&self, name: &str) -> Option<Vec<u8>> {
        files::read(&self.0.join(name)).ok()
    }

    /// Removes the folder, if it is there.
    pub(crate) fn remove(&self) -> Result<(), StoreError> {
        match files::remove_folder(&self.0) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(StoreError::io("remove the folder", &self.0)),
        }
    }
}

/// The names of all uploads, the newest first.
pub(crate) fn uploads(root: &Path) -> Vec<String> {
    let paths = files::entries(root).into_iter().flatten();
    let names = paths.filter_map(|path| {
        let name = path.file_name()?.to_str()?.to_owned();
        (is_file_name(&name) && files::is_dir(&path)).then_some(name)
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.reverse();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_a_version_without_a_choice_of_nets_is_one_by_the_champion() {
        let row = AnalysisRow::working("20260101-1".to_owned(), "a.mat".to_owned(), 1);
        let mut old = serde_json::to_value(&row).expect("a row");
        let keys = old.as_object_mut().expect("an object");
        assert!(keys.remove("net").is_some() && keys.remove("net_sum").is_some());
        assert_eq!(serde_json::from_value::<AnalysisRow>(old).expect("readable"), row);
        assert_eq!(row.net, "champion");
    }

    #[test]
    fn a_record_of_a_match_against_a_net_names_the_net() {
        let tags = |more: &str| {
            format!(
                "; [Site \"nonet\"]\n; [Seed \"1\"]\n; [Level \"advanced\"]\n; [Ply \"2\"]\n\
                 ; [Net \"first\"]\n; [Person \"first\"]\n{more}\n 3 point match\n"
            )
        };
        let found = PlayedNet::in_record(tags("").as_bytes()).expect("a net");
        assert_eq!(found, PlayedNet { net: "first".into(), level: "advanced".into(), plies: 2 });
        let two = tags("; [People \"2\"]\n");
        assert_eq!(PlayedNet::in_record(two.as_bytes()), None, "two people");
        assert_eq!(PlayedNet::in_record(b" 3 point match\n"), None, "of another program");
    }
}

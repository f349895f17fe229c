//! What the library says about a player: PR over time, by opponent and by kind of decision.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::App;
use crate::analysis::analysis_store::{
    AnalysedRow, AnalysisRow, AnalysisState, PlayedNet, uploads,
};
use crate::error::ApiError;
use crate::extract::Params;
use nonet_engine::analysis::{DecisionGroup, PlayerRating, Tally};
use nonet_engine::open::is_built_in;
use nonet_report::person_match::NET_NAME;

/// The matches together that the running PR takes in.
const WINDOW: usize = 10;

/// Who is asked about.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LibraryQuestion {
    /// A player's name; without it the one with the most matches.
    player: Option<String>,
}

/// The players of the library, and one of them.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LibraryAnswer {
    /// The players, those with the most matches first.
    players: Vec<LibraryPlayer>,
    /// The player asked about; null if the library does not have them.
    player: Option<PlayerAnswer>,
}

/// A player of the library.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LibraryPlayer {
    #[schema(example = "ann")]
    name: String,
    matches: u32,
}

/// A player's matches.
///
/// Of several analyses of one match the deepest one counts. Those by other nets than the champion
/// do not count, as their figures are no measure of play.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayerAnswer {
    name: String,
    total: RatingAnswer,
    /// The matches, the oldest first.
    matches: Vec<PlayerMatch>,
    /// The opponents, those with the most matches first.
    opponents: Vec<OpponentAnswer>,
    kinds: Vec<KindAnswer>,
}

/// The PR of some decisions.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RatingAnswer {
    decisions: u32,
    /// 500 times the mean loss; null without a decision.
    pr: Option<f64>,
    /// Its 95 % interval; null where it cannot be known.
    interval: Option<[f64; 2]>,
    /// A word for the PR.
    #[schema(example = "world class")]
    word: Option<&'static str>,
    /// The total loss in points on a cube at 1.
    loss: f64,
    /// Doubtful, bad and very bad decisions.
    mistakes: [u32; 3],
}

/// A match of the player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayerMatch {
    /// The analysis.
    id: String,
    /// The match in it, from 0.
    place: usize,
    /// When it was played if the record says it, else when it was uploaded: year, month and day.
    #[schema(example = "2025-11-25")]
    date: String,
    /// Whether the record says the date.
    dated: bool,
    opponent: String,
    length: Option<u16>,
    /// Points of the player and of the opponent.
    points: [u32; 2],
    /// Whether the player has won; null if the record has no end.
    won: Option<bool>,
    rating: RatingAnswer,
    /// This match and the nine before together.
    recent: RatingAnswer,
    /// Luck of the player less that of the opponent, in points on a cube at 1.
    luck: f32,
}

/// The matches against an opponent.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OpponentAnswer {
    name: String,
    /// Which net and level it was, if the matches were played here: each is an opponent of its own.
    against: Option<PlayedNet>,
    matches: u32,
    /// Matches with an end in their record.
    ended: u32,
    won: u32,
    own: RatingAnswer,
    theirs: RatingAnswer,
}

/// The decisions of a kind.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KindAnswer {
    #[schema(example = "cube")]
    kind: &'static str,
    rating: RatingAnswer,
}

impl RatingAnswer {
    fn of(tally: &Tally) -> RatingAnswer {
        let pr = tally.pr();
        let interval = pr.map(|pr| pr.interval95()).filter(|(_, high)| high.is_finite());
        RatingAnswer {
            decisions: tally.decisions,
            pr: pr.map(|pr| pr.mean),
            interval: interval.map(|(low, high)| [low.max(0.0), high]),
            word: pr.map(|pr| PlayerRating::word(pr.mean as f32, tally.decisions)),
            loss: tally.loss,
            mistakes: tally.mistakes,
        }
    }
}

/// A match of the library, with the deepest of its analyses.
struct Match<'a> {
    row: &'a AnalysisRow,
    place: usize,
    of: &'a AnalysedRow,
    /// Its first upload.
    first: &'a str,
}

/// A match of the library with the seat of a player in it.
struct Played<'a> {
    row: &'a AnalysisRow,
    place: usize,
    of: &'a AnalysedRow,
    first: &'a str,
    seat: usize,
}

impl Played<'_> {
    fn tally(&self, seat: usize) -> Tally {
        let kinds = self.of.kinds[seat].iter().map(|kind| kind.tally());
        kinds.fold(Tally::default(), |sum, one| sum.plus(&one))
    }

    fn opponent(&self) -> &str {
        &self.of.names[1 - self.seat]
    }

    /// The net that the opponent was.
    fn against(&self) -> Option<&PlayedNet> {
        self.row.against.as_ref().filter(|_| self.opponent() == NET_NAME)
    }

    /// The date in the record, or that of the first upload, which its name begins with.
    fn date(&self) -> String {
        let upload = |id: &str| {
            let part = |from: usize, to: usize| id.get(from..to).unwrap_or_default().to_owned();
            format!("{}-{}-{}", part(0, 4), part(4, 6), part(6, 8))
        };
        self.row.played.clone().unwrap_or_else(|| upload(self.first))
    }
}

/// What tells a match from others in whatever format it was uploaded. Luck depends on players,
/// rolls and plays, and every analysis measures it at one depth.
#[derive(PartialEq, Eq, Hash)]
struct MatchKey {
    names: [String; 2],
    length: Option<u16>,
    points: [u32; 2],
    /// In thousandths.
    luck: [i32; 2],
}

impl MatchKey {
    fn of(of: &AnalysedRow) -> MatchKey {
        MatchKey {
            names: [0, 1].map(|seat| of.names[seat].to_lowercase()),
            length: of.length,
            points: of.points,
            luck: of.luck.map(|luck| (1000.0 * luck).round() as i32),
        }
    }
}

/// The matches of complete analyses. One that was analysed again, or uploaded in another format,
/// counts once.
fn matches(rows: &[AnalysisRow]) -> Vec<Match<'_>> {
    let mut of_record: HashMap<(u32, usize), usize> = HashMap::new();
    let mut of_key: HashMap<MatchKey, usize> = HashMap::new();
    let mut all: Vec<Match> = Vec::new();
    let counts = |row: &&AnalysisRow| row.state == AnalysisState::Done && is_built_in(&row.net);
    for row in rows.iter().filter(counts) {
        for (place, of) in row.matches.iter().enumerate() {
            let record = row.record.map(|record| (record, place));
            let key = MatchKey::of(of);
            let known = record.and_then(|record| of_record.get(&record));
            let known = known.or_else(|| of_key.get(&key)).copied();
            let at = known.unwrap_or(all.len());
            of_record.extend(record.map(|record| (record, at)));
            of_key.insert(key, at);
            if known.is_none() {
                all.push(Match { row, place, of, first: &row.id });
                continue;
            }
            let one = &mut all[at];
            one.first = one.first.min(&row.id);
            if row.plies > one.row.plies {
                (one.row, one.place, one.of) = (row, place, of);
            }
        }
    }
    all
}

/// What complete analyses say about a player.
fn answer(rows: Vec<AnalysisRow>, asked: Option<&str>) -> LibraryAnswer {
    let matches = matches(&rows);
    let mut counts: BTreeMap<String, LibraryPlayer> = BTreeMap::new();
    for name in matches.iter().flat_map(|one| &one.of.names) {
        let new = || LibraryPlayer { name: name.clone(), matches: 0 };
        counts.entry(name.to_lowercase()).or_insert_with(new).matches += 1;
    }
    let mut players: Vec<LibraryPlayer> = counts.into_values().collect();
    players.sort_by_key(|player| std::cmp::Reverse(player.matches));
    let wanted = asked.or(players.first().map(|player| player.name.as_str()));
    let wanted = wanted.unwrap_or_default().to_lowercase();
    let known = players.iter().find(|player| player.name.to_lowercase() == wanted);
    let name = known.map(|player| player.name.clone());
    let player = name.map(|name| of_player(&matches, name, &wanted));
    LibraryAnswer { players, player }
}

fn of_player(all: &[Match], name: String, wanted: &str) -> PlayerAnswer {
    let mut played: Vec<Played> = Vec::new();
    for &Match { row, place, of, first } in all {
        let seat = of.names.iter().position(|name| name.to_lowercase() == wanted);
        played.extend(seat.map(|seat| Played { row, place, of, first, seat }));
    }
    played.sort_by_cached_key(|one| (one.date(), one.first, one.place));
    let tallies: Vec<Tally> = played.iter().map(|one| one.tally(one.seat)).collect();
    let sum = |some: &[Tally]| some.iter().fold(Tally::default(), |sum, one| sum.plus(one));
    let matches = played.iter().enumerate().map(|(n, one)| PlayerMatch {
        id: one.row.id.clone(),
        place: one.place,
        date: one.date(),
        dated: one.row.played.is_some(),
        opponent: one.opponent().to_owned(),
        length: one.of.length,
        points: [one.of.points[one.seat], one.of.points[1 - one.seat]],
        won: one.of.winner.map(|winner| usize::from(winner) == one.seat),
        rating: RatingAnswer::of(&tallies[n]),
        recent: RatingAnswer::of(&sum(&tallies[(n + 1).saturating_sub(WINDOW)..=n])),
        luck: one.of.luck[one.seat] - one.of.luck[1 - one.seat],
    });
    let mut together: BTreeMap<(String, Option<&PlayedNet>), Vec<&Played>> = BTreeMap::new();
    for one in &played {
        together.entry((one.opponent().to_lowercase(), one.against())).or_default().push(one);
    }
    let mut opponents: Vec<OpponentAnswer> = together
        .into_iter()
        .map(|((_, against), some)| {
            let count = |holds: fn(&Played) -> bool| some.iter().filter(|one| holds(one)).count();
            let [own, theirs] = [0, 1].map(|other| {
                let tallies = some.iter().map(|one| one.tally(one.seat ^ other));
                RatingAnswer::of(&tallies.fold(Tally::default(), |sum, one| sum.plus(&one)))
            });
            OpponentAnswer {
                name: some.first().map(|one| one.opponent().to_owned()).unwrap_or_default(),
                against: against.cloned(),
                matches: some.len() as u32,
                ended: count(|one| one.of.winner.is_some()) as u32,
                won: count(|one| one.of.winner.map(usize::from) == Some(one.seat)) as u32,
                own,
                theirs,
            }
        })
        .collect();
    opponents.sort_by_key(|opponent| std::cmp::Reverse(opponent.matches));
    let kinds = DecisionGroup::ALL.map(|group| {
        let of = |one: &Played| {
            let kinds = one.of.kinds[one.seat].iter().filter(|kind| kind.kind == group.name());
            kinds.fold(Tally::default(), |sum, kind| sum.plus(&kind.tally()))
        };
        let tally = played.iter().map(of).fold(Tally::default(), |sum, one| sum.plus(&one));
        KindAnswer { kind: group.name(), rating: RatingAnswer::of(&tally) }
    });
    PlayerAnswer {
        name,
        total: RatingAnswer::of(&sum(&tallies)),
        matches: matches.collect(),
        opponents,
        kinds: kinds.into(),
    }
}

/// A player's matches in the library: PR over time, by opponent and by kind of decision.
#[utoipa::path(get, operation_id = "show_library", path = "/api/v1/library", tag = "analyses", params(LibraryQuestion), responses(
    (status = 200, description = "The players, and one of them", body = LibraryAnswer)))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Params(question): Params<LibraryQuestion>,
) -> Result<Json<LibraryAnswer>, ApiError> {
    let shared = Arc::clone(&app);
    let found = app.work.quick(move || {
        let names = uploads(&shared.analyses.folder);
        let rows = names.iter().filter_map(|id| shared.analyses.row(id)).collect();
        answer(rows, question.player.as_deref())
    });
    Ok(Json(found.await?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::analysis_store::KindTally;

    fn row(id: &str, record: u32, plies: u8, names: [&str; 2], losses: [f64; 2]) -> AnalysisRow {
        let kinds = losses.map(|loss| {
            let (kind, mistakes) = ("cube".to_owned(), [0, 0, 1]);
            vec![KindTally { kind, decisions: 10, loss, squares: loss, mistakes }]
        });
        let of = AnalysedRow {
            names: names.map(str::to_owned),
            length: Some(5),
            points: [5, 2],
            winner: Some(0),
            pr: [None; 2],
            luck: [0.5, -0.5],
            decisions: [10; 2],
            kinds,
        };
        AnalysisRow {
            state: AnalysisState::Done,
            plies: Some(plies),
            record: Some(record),
            matches: vec![of],
            ..AnalysisRow::working(id.to_owned(), "a.mat".to_owned(), 1)
        }
    }

    #[test]
    fn a_match_counts_once_with_its_deepest_analysis_and_names_ignore_case() {
        // The match with bob again: deeper, and in another format.
        let rows = vec![
            row("20260104-1", 9, 2, ["Ann", "bob"], [8.0, 8.0]),
            row("20260103-1", 7, 4, ["Ann", "bob"], [0.2, 0.4]),
            row("20260102-1", 8, 3, ["cyd", "ann"], [0.1, 0.3]),
            row("20260101-1", 7, 3, ["Ann", "bob"], [9.0, 9.0]),
        ];
        let answer = answer(rows, None);
        let player = answer.player.expect("the one with the most matches");
        assert_eq!((player.name.as_str(), player.matches.len()), ("Ann", 2));
        let dates: Vec<&str> = player.matches.iter().map(|one| one.date.as_str()).collect();
        assert_eq!(dates, ["2026-01-01", "2026-01-02"], "the first upload, the oldest first");
        assert_eq!(player.matches[0].id, "20260103-1", "the deepest analysis");
        assert_eq!((player.matches[0].won, player.matches[1].won), (Some(true), Some(false)));
        assert_eq!(player.total.decisions, 20);
        assert!((player.total.pr.expect("decisions") - 500.0 * 0.5 / 20.0).abs() < 1e-9);
        assert_eq!(player.opponents.len(), 2);
        assert_eq!(player.kinds.last().map(|kind| kind.rating.decisions), Some(20));
    }

    #[test]
    fn two_matches_of_the_same_players_and_points_count_twice_if_their_rolls_differ() {
        let first = row("20260101-1", 7, 3, ["Ann", "bob"], [0.1, 0.1]);
        let mut second = row("20260102-1", 8, 3, ["Ann", "bob"], [0.1, 0.1]);
        second.matches[0].luck = [0.5, -0.4];
        let answer = answer(vec![second, first], Some("ann"));
        assert_eq!(answer.player.expect("two matches").matches.len(), 2);
    }

    #[test]
    fn an_analysis_by_another_net_says_nothing_about_a_player() {
        let own = AnalysisRow {
            net: "first".to_owned(),
            ..row("20260102-1", 7, 4, ["Ann", "bob"], [9.0, 9.0])
        };
        let answer = answer(vec![own, row("20260101-1", 7, 3, ["Ann", "bob"], [0.2, 0.4])], None);
        let player = answer.player.expect("the match");
        assert_eq!((player.matches.len(), player.matches[0].id.as_str()), (1, "20260101-1"));
    }

    #[test]
    fn an_empty_library_has_nobody() {
        let answer = answer(Vec::new(), Some("ann"));
        assert!(answer.players.is_empty() && answer.player.is_none());
    }
}

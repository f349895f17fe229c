//! The settings of a match that its record lacks, as tags of the `.mat` file: seed, level, start.

use crate::answer::{QuestionError, read_id};
use nonet_engine::backgammon::record::{NameError, RecordEvent, RecordedGame, check_names};
use nonet_engine::backgammon::{GameState, Position, Scoring, Seat};
use nonet_engine::engine::{Engine, LEVELS, Level};
use nonet_engine::game::{MatchSession, SetUpError};
use nonet_engine::search::Plies;

/// The name of the net in records.
pub const NET_NAME: &str = "nonet";

/// The settings of a match that its record does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchSettings {
    /// Of the dice, and of the noise of the level.
    pub seed: u64,
    /// How well the net plays.
    pub level: Level,
    /// The depth of its plays.
    pub plies: Plies,
    /// The depth of its cube decisions.
    pub cube_plies: Plies,
    /// The net's file, or `champion`.
    pub net: String,
    /// The position that the first game begins in.
    pub start: Option<GameState>,
    /// Which of the two players the person is; of two people, the one who decides now.
    pub person: Seat,
    /// Whether a second person plays instead of the net, at the same board.
    pub two_people: bool,
}

/// Why the settings of a match are invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// A tag of the record says something that cannot be.
    #[error("invalid tag [{name} \"{value}\"]: expected {expected}")]
    Tag {
        /// The name of the tag.
        name: &'static str,
        /// What it says.
        value: String,
        /// What it could say.
        expected: &'static str,
    },
    /// There is no such level.
    #[error("invalid level '{0}': expected {names}", names = LEVELS.map(|level| level.name).join(", "))]
    Level(String),
    /// The position that the match begins in cannot be read.
    #[error("invalid tag Start: {0}")]
    Start(#[from] QuestionError),
    /// No match can begin in the position.
    #[error("cannot begin in {xgid}: {reason}")]
    SetUp {
        /// The position.
        xgid: String,
        /// Why not.
        reason: SetUpError,
    },
    /// The person has no name, the net's, or that of the other person.
    #[error(
        "invalid name '{0}': expected a name other than {NET_NAME}, and two people have two names"
    )]
    Name(String),
    /// A record of the match would not keep the name.
    #[error(transparent)]
    NotKept(#[from] NameError),
}

impl MatchSettings {
    /// The session before its first decision; `scoring` does not count where the match begins in a
    /// position.
    ///
    /// # Errors
    /// [`SettingsError::SetUp`] if no match can begin in the position.
    pub fn begin(
        &self,
        names: [String; 2],
        scoring: Scoring,
    ) -> Result<MatchSession, SettingsError> {
        let Some(start) = &self.start else {
            return Ok(MatchSession::new(names, scoring, self.seed));
        };
        MatchSession::from_position(names, start, self.seed)
            .map_err(|reason| SettingsError::SetUp { xgid: start.xgid(), reason })
    }

    /// The tags of the record.
    #[must_use]
    pub fn tags(&self) -> Vec<(String, String)> {
        let person = if self.person == Seat::X { "first" } else { "second" };
        let tags = [
            ("Seed", self.seed.to_string()),
            ("Level", self.level.name.to_owned()),
            ("Ply", self.plies.get().to_string()),
            ("CubePly", self.cube_plies.get().to_string()),
            ("Net", self.net.clone()),
            ("Person", person.to_owned()),
        ];
        let start = self.start.as_ref().map(|start| ("Start", start.xgid()));
        let people = self.two_people.then(|| ("People", "2".to_owned()));
        tags.into_iter()
            .chain(start)
            .chain(people)
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    /// The settings in the tags of a record; `None` if it is not one of a person's match.
    ///
    /// # Errors
    /// [`SettingsError`] if a tag is invalid.
    pub fn of_tags(tags: &[(&str, &str)]) -> Result<Option<MatchSettings>, SettingsError> {
        let tag = |wanted: &str| tags.iter().find(|(name, _)| *name == wanted).map(|(_, v)| *v);
        let (Some("nonet"), Some(seed), Some(named), Some(ply), Some(net), Some(person)) =
            (tag("Site"), tag("Seed"), tag("Level"), tag("Ply"), tag("Net"), tag("Person"))
        else {
            return Ok(None);
        };
        let invalid = |name, value: &str, expected| SettingsError::Tag {
            name,
            value: value.to_owned(),
            expected,
        };
        // Records of earlier versions do not have it.
        let cube_plies = tag("CubePly").map_or(Ok(Engine::CUBE_PLIES), |cube_ply| {
            cube_ply.parse().map_err(|_| invalid("CubePly", cube_ply, "1 to 4"))
        });
        Ok(Some(MatchSettings {
            seed: seed.parse().map_err(|_| invalid("Seed", seed, "a number"))?,
            level: Level::named(named).ok_or_else(|| SettingsError::Level(named.to_owned()))?,
            plies: ply.parse().map_err(|_| invalid("Ply", ply, "1 to 4"))?,
            cube_plies: cube_plies?,
            net: net.to_owned(),
            start: tag("Start").map(read_id).transpose()?,
            person: match person {
                "first" => Seat::X,
                "second" => Seat::O,
                _ => return Err(invalid("Person", person, "first or second")),
            },
            two_people: tag("People") == Some("2"),
        }))
    }
}

/// Names of the players, the person's first (`you` where none is given); without characters that a
/// record cannot hold.
///
/// # Errors
/// [`SettingsError::Name`] if nothing is left, or the net's name; [`SettingsError::NotKept`] for a
/// name that records do not keep.
///
/// ```
/// use nonet_report::person_match::player_names;
///
/// assert_eq!(player_names(Some(" ann: "))?, ["ann", "nonet"]);
/// assert!(player_names(Some("nonet")).is_err());
/// assert!(player_names(Some("1) 31: 8/5 6/5")).is_err());
/// assert!(player_names(Some("; x")).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn player_names(name: Option<&str>) -> Result<[String; 2], SettingsError> {
    let name = person_name(name.unwrap_or("you"))?;
    check_names([&name, NET_NAME])?;
    Ok([name, NET_NAME.to_owned()])
}

/// Names of two people who play at one board.
///
/// # Errors
/// As [`player_names`], and [`SettingsError::Name`] if both have the same name; case does not
/// matter.
pub fn names_of_two(names: [&str; 2]) -> Result<[String; 2], SettingsError> {
    let [first, second] = [person_name(names[0])?, person_name(names[1])?];
    // Analyses and decks of cards tell players apart without regard to case.
    if first.to_lowercase() == second.to_lowercase() {
        return Err(SettingsError::Name(second));
    }
    check_names([&first, &second])?;
    Ok([first, second])
}

fn person_name(name: &str) -> Result<String, SettingsError> {
    let plain = name.replace([':', '"', '\0'], " ");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let name = words.join(" ");
    if name.is_empty() || name.eq_ignore_ascii_case(NET_NAME) {
        return Err(SettingsError::Name(name));
    }
    Ok(name)
}

/// The session of a record before its first decision: where its first game begins.
///
/// # Panics
/// If there is no game.
#[must_use]
pub fn start_of(games: &[RecordedGame], seed: u64) -> MatchSession {
    let first = &games[0];
    let begins = first.events().first().map(|event| match event {
        RecordEvent::Turn(turn) => turn.player,
        RecordEvent::Double { player, .. }
        | RecordEvent::Beaver { player, .. }
        | RecordEvent::Take { player }
        | RecordEvent::Drop { player } => *player,
    });
    let mut start = *first.start();
    // A position that is set up is seen by X as long as no player is on roll.
    if start.position != Position::START && start.on_roll.is_none() {
        start.on_roll = begins;
        if begins == Some(Seat::O) {
            start.position = start.position.flipped();
        }
    }
    let header = first.header().clone();
    MatchSession::from_start(header.names, header.scoring, start, seed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nonet_engine::backgammon::record::{GameHeader, GameStart, Recorder};
    use nonet_engine::game::NextAction;

    #[test]
    fn a_session_goes_on_with_the_opening_roll_after_an_automatic_double() {
        let names = ["ann".to_owned(), "bob".to_owned()];
        let header = GameHeader { names, scoring: Scoring::MONEY };
        let start = GameStart { cube: 2, ..GameStart::USUAL };
        let mut game = Recorder::from_start(header, start);
        let dice = "31".parse().expect("a roll");
        let after = Position::START.read_play("8/5 6/5", dice).expect("legal").after;
        game.turn(Seat::O, dice, &after).expect("the opening roll");
        let session = start_of(&[game.finish()], 1);
        assert!(matches!(session.next_action(), NextAction::Play(..)));
        assert_eq!(session.cube(Seat::X).value(), 2);
    }

    #[test]
    fn two_people_have_two_names_and_their_match_is_one_of_two_people_again() {
        assert_eq!(names_of_two([" ann:", "bob"]).expect("names"), ["ann", "bob"]);
        for wrong in [["ann", "ann"], ["Zoë", "zoË"], ["ann", "nonet"], ["", "bob"]] {
            assert!(names_of_two(wrong).is_err(), "{wrong:?}");
        }
        let mut settings = MatchSettings {
            seed: 1,
            level: Level::CHAMPION,
            plies: Plies::ONE,
            cube_plies: Plies::ONE,
            net: "champion".to_owned(),
            start: None,
            person: Seat::O,
            two_people: true,
        };
        for two_people in [true, false] {
            settings.two_people = two_people;
            let mut tags = settings.tags();
            tags.push(("Site".to_owned(), "nonet".to_owned()));
            let tags: Vec<(&str, &str)> =
                tags.iter().map(|(name, value)| (&**name, &**value)).collect();
            let read = MatchSettings::of_tags(&tags).expect("tags").expect("ours");
            assert_eq!(read, settings);
        }
    }
}

//! Words for a PR.

/// How well a player played, by PR.
///
/// Words and limits are those of eXtreme Gammon, as Wikipedia's article "eXtreme Gammon" lists
/// them. A single match of a few dozen decisions tells little about a player.
///
/// ```
/// use nonet_engine::analysis::PlayerRating;
///
/// assert_eq!(PlayerRating::of(4.2), PlayerRating::WorldClass);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlayerRating {
    /// PR below 2.5.
    WorldChampion,
    /// Below 5.
    WorldClass,
    /// Below 7.5.
    Expert,
    /// Below 12.5.
    Advanced,
    /// Below 17.5.
    Intermediate,
    /// Below 22.5.
    Casual,
    /// Below 30.
    Beginner,
    /// 30 and above.
    Newcomer,
}

impl PlayerRating {
    /// All words, the best first, with the PR at which each ends.
    pub const ALL: [(PlayerRating, f32); 8] = [
        (PlayerRating::WorldChampion, 2.5),
        (PlayerRating::WorldClass, 5.0),
        (PlayerRating::Expert, 7.5),
        (PlayerRating::Advanced, 12.5),
        (PlayerRating::Intermediate, 17.5),
        (PlayerRating::Casual, 22.5),
        (PlayerRating::Beginner, 30.0),
        (PlayerRating::Newcomer, f32::INFINITY),
    ];

    /// With fewer decisions a PR says nothing about a player, and is shown without a word.
    pub const LEAST_DECISIONS: u32 = 100;

    /// The word for the PR of that many decisions, or "few decisions".
    #[must_use]
    pub fn word(pr: f32, decisions: u32) -> &'static str {
        if decisions < PlayerRating::LEAST_DECISIONS {
            "few decisions"
        } else {
            PlayerRating::of(pr).name()
        }
    }

    /// The rating of a PR, 0 and above.
    #[must_use]
    pub fn of(pr: f32) -> PlayerRating {
        let found = PlayerRating::ALL.iter().find(|(_, end)| pr < *end);
        found.map_or(PlayerRating::Newcomer, |(rating, _)| *rating)
    }

    /// The word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PlayerRating::WorldChampion => "world champion",
            PlayerRating::WorldClass => "world class",
            PlayerRating::Expert => "expert",
            PlayerRating::Advanced => "advanced",
            PlayerRating::Intermediate => "intermediate",
            PlayerRating::Casual => "casual player",
            PlayerRating::Beginner => "beginner",
            PlayerRating::Newcomer => "newcomer",
        }
    }

    /// The scale in a line: every word with the PR at which it ends.
    #[must_use]
    pub fn scale() -> String {
        let words = PlayerRating::ALL.iter().map(|(rating, end)| match end.is_finite() {
            true => format!("{} below {end}", rating.name()),
            false => format!("{} above", rating.name()),
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_ends_where_the_next_begins() {
        let words = [0.0, 2.4, 2.5, 7.4, 12.5, 17.4, 22.5, 29.9, 30.0, 400.0];
        let words = words.map(|pr| PlayerRating::of(pr).name());
        let expected = [
            "world champion",
            "world champion",
            "world class",
            "expert",
            "intermediate",
            "intermediate",
            "beginner",
            "beginner",
            "newcomer",
            "newcomer",
        ];
        assert_eq!(words, expected);
        assert_eq!(PlayerRating::word(0.0, 99), "few decisions");
        assert_eq!(PlayerRating::word(0.0, 100), "world champion");
        assert!(PlayerRating::scale().ends_with("beginner below 30, newcomer above"));
    }
}

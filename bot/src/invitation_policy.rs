//! Which invitations the bot accepts.

use fibs::agent::Invitation;
use fibs::message::Length;

/// Which invitations are accepted.
///
/// ```
/// use fibs::agent::Invitation;
/// use fibs::message::Length;
/// use nonet_bot::InvitationPolicy;
///
/// let invite = |points| Invitation {
///     from: "ann".into(),
///     length: Length::Points(points),
///     who: None,
/// };
/// let policy = InvitationPolicy { longest: 5, ..InvitationPolicy::default() };
/// assert!(policy.check(&invite(5), 0).is_ok());
/// assert!(policy.check(&invite(7), 0).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationPolicy {
    /// The longest match, in points.
    pub longest: u32,
    /// Whether unlimited matches are accepted.
    pub unlimited: bool,
    /// Names of players who are refused.
    pub refused: Vec<String>,
    /// If not empty: names of the only players who are accepted.
    pub only: Vec<String>,
    /// Refuses players with this number of unfinished matches that they left while they were
    /// behind.
    pub refuse_droppers: Option<u32>,
    /// The least and the most experience of opponents, in points; players without a known
    /// experience are accepted.
    pub experience: [Option<u32>; 2],
}

impl Default for InvitationPolicy {
    /// Everybody, matches of up to 9 points.
    fn default() -> InvitationPolicy {
        InvitationPolicy {
            longest: 9,
            unlimited: false,
            refused: Vec::new(),
            only: Vec::new(),
            refuse_droppers: None,
            experience: [None; 2],
        }
    }
}

impl InvitationPolicy {
    /// Accepts or refuses a player by name alone.
    ///
    /// # Errors
    /// The reason of a refusal, as a sentence for the player.
    pub fn check_name(&self, name: &str) -> Result<(), String> {
        let is_in = |names: &[String]| names.iter().any(|one| one == name);
        if is_in(&self.refused) {
            return Err("My owner has asked me not to play with you.".into());
        }
        if !self.only.is_empty() && !is_in(&self.only) {
            return Err("I play with a few people only at the moment.".into());
        }
        Ok(())
    }

    /// Accepts or refuses an invitation. `left_behind`: matches with the player that are not
    /// finished because they left when they were behind.
    ///
    /// # Errors
    /// The reason of a refusal, as a sentence for the player.
    pub fn check(&self, invitation: &Invitation, left_behind: u32) -> Result<(), String> {
        self.check_name(&invitation.from)?;
        if self.refuse_droppers.is_some_and(|most| left_behind >= most.max(1)) {
            let matches = if left_behind == 1 { "match" } else { "matches" };
            return Err(format!(
                "You have left {left_behind} {matches} with me while you were behind: please finish with me first, by \
                 inviting me without a length."
            ));
        }
        if let Some(experience) = invitation.who.as_ref().and_then(|who| who.experience) {
            let [least, most] = self.experience;
            if let Some(least) = least.filter(|least| experience < *least) {
                return Err(format!(
                    "I play with people of at least {least} experience points; you have {experience}, so please come back later."
                ));
            }
            if let Some(most) = most.filter(|most| experience > *most) {
                return Err(format!(
                    "I play with people of at most {most} experience points, and you have {experience}."
                ));
            }
        }
        match invitation.length {
            Length::Unlimited if !self.unlimited => {
                Err(format!("I play matches of 1 to {} points, not unlimited ones.", self.longest))
            }
            Length::Points(points) if points > self.longest => Err(format!(
                "I play matches of 1 to {} points; {points} is too long for me.",
                self.longest
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_is_one_sentence() {
        let policy = InvitationPolicy {
            refused: vec!["eve".into()],
            only: Vec::new(),
            ..InvitationPolicy::default()
        };
        let invitation = |from: &str, length| {
            policy.check(&Invitation { from: from.into(), length, who: None }, 0)
        };
        assert_eq!(invitation("ann", Length::Points(9)), Ok(()));
        for refused in [
            invitation("ann", Length::Points(10)),
            invitation("ann", Length::Unlimited),
            invitation("eve", Length::Points(5)),
        ] {
            let why = refused.expect_err("refused");
            assert!(why.ends_with('.') && !why.contains('\n'), "{why}");
        }
    }

    #[test]
    fn players_who_left_matches_while_behind_are_refused_only_if_wanted() {
        let bob = Invitation { from: "bob".into(), length: Length::Points(5), who: None };
        let all = InvitationPolicy::default();
        let strict = InvitationPolicy { refuse_droppers: Some(2), ..InvitationPolicy::default() };
        assert_eq!((all.check(&bob, 9), strict.check(&bob, 1)), (Ok(()), Ok(())));
        let why = strict.check(&bob, 2).expect_err("refused");
        assert!(why.contains("left 2 matches") && why.ends_with('.'), "{why}");
    }

    #[test]
    fn experience_is_limited_on_both_sides_and_unknown_experience_is_welcome() {
        let who = |line: &str| match fibs::message::Parser::messages(line).remove(0) {
            fibs::message::Message::Who(who) => *who,
            other => panic!("{other:?}"),
        };
        // From the CLIP specification: 827 and 23 points.
        let expert =
            who("5 someplayer mgnu_advanced - 0 0 1912.15 827 8 1040515752 192.168.143.5 3DFiBs -");
        let beginner = who("5 myself - - 1 0 1460.07 23 1914 1041272421 192.168.40.3 MacFIBS -");
        let policy =
            InvitationPolicy { experience: [Some(24), Some(826)], ..InvitationPolicy::default() };
        let check = |who| {
            let length = Length::Points(5);
            policy.check(&Invitation { from: "bob".into(), length, who }, 0)
        };
        assert!(check(Some(beginner)).is_err_and(|why| why.contains("at least 24")));
        assert!(check(Some(expert)).is_err_and(|why| why.contains("at most 826")));
        assert_eq!(check(None), Ok(()));
    }
}

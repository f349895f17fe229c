//! Which invitations the bot accepts.

use fibs::agent::Invitation;
use fibs::message::Length;

/// Which invitations are accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationPolicy {
    /// The longest match, in points.
    pub longest: u32,
    /// Whether unlimited matches are accepted.
    pub unlimited: bool,
    /// New matches are refused while this many are saved.
    pub max_saved: usize,
    /// Names of players who are refused.
    pub refused: Vec<String>,
    /// If not empty: names of the only players who are accepted.
    pub only: Vec<String>,
}

impl Default for InvitationPolicy {
    /// Everybody, matches of up to 9 points.
    fn default() -> InvitationPolicy {
        InvitationPolicy {
            longest: 9,
            unlimited: false,
            max_saved: 8,
            refused: Vec::new(),
            only: Vec::new(),
        }
    }
}

impl InvitationPolicy {
    /// Accepts or refuses an invitation.
    ///
    /// # Errors
    /// The reason of a refusal, as a sentence for the player.
    pub fn check(&self, invitation: &Invitation) -> Result<(), String> {
        let from = &invitation.from;
        if self.refused.contains(from) {
            return Err("My owner has asked me not to play with you.".into());
        }
        if !self.only.is_empty() && !self.only.contains(from) {
            return Err("I play with a few people only at the moment.".into());
        }
        if invitation.saved >= self.max_saved {
            let saved = invitation.saved;
            return Err(format!("I have {saved} saved matches and finish some of them first."));
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
        let invitation = |from: &str, length, saved| {
            policy.check(&Invitation { from: from.into(), length, who: None, saved })
        };
        assert_eq!(invitation("ann", Length::Points(9), 0), Ok(()));
        for refused in [
            invitation("ann", Length::Points(10), 0),
            invitation("ann", Length::Unlimited, 0),
            invitation("ann", Length::Points(5), 8),
            invitation("eve", Length::Points(5), 0),
        ] {
            let why = refused.expect_err("refused");
            assert!(why.ends_with('.') && !why.contains('\n'), "{why}");
        }
    }
}

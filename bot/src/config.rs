//! How a bot behaves: its opponents, who may give it commands, and when it logs out.

use fibs::Password;

use crate::{InvitationPolicy, Site};

/// How a bot behaves.
///
/// ```
/// use nonet_bot::{BotConfig, InvitationPolicy};
///
/// let policy = InvitationPolicy { longest: 5, ..InvitationPolicy::default() };
/// let config = BotConfig { name: "nonet".into(), policy, ..BotConfig::default() };
/// assert_eq!((config.policy.longest, config.matches), (5, None));
/// ```
#[derive(Clone, Debug, Default)]
pub struct BotConfig {
    /// The kind of server.
    pub site: Site,
    /// Its account name on the server.
    pub name: String,
    /// Which invitations it accepts.
    pub policy: InvitationPolicy,
    /// Players who may give it orders by `tell`.
    pub owners: Vec<String>,
    /// Player to invite while idle, and the length of the match in points.
    pub challenge: Option<(String, u32)>,
    /// Log out after this many matches; `None`: never.
    pub matches: Option<u32>,
    /// The password, which is removed from all that is logged.
    pub secret: Option<Password>,
}

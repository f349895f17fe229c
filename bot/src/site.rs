//! The servers on which the bot plays.

/// A kind of server, by its protocol.
///
/// ```
/// assert_eq!(nonet_bot::Site::Bgammon.name(), "bgammon");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Site {
    /// FIBS, and servers of its protocol.
    #[default]
    Fibs,
    /// bgammon.org, and servers of its protocol.
    Bgammon,
}

impl Site {
    /// All of them.
    pub const ALL: [Site; 2] = [Site::Fibs, Site::Bgammon];

    /// The name in commands, in metrics and in names of files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Site::Fibs => "fibs",
            Site::Bgammon => "bgammon",
        }
    }
}

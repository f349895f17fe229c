//! The learning rules of the papers as two choices: how deep plays are chosen, and whose value is moved.

/// A learning rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// The name in commands.
    pub name: &'static str,
    /// What it is, and where it comes from.
    pub meaning: &'static str,
    /// Plies of the search that chooses plays, unless the run says otherwise.
    pub ply: u32,
    /// Whose value is moved.
    pub update: UpdateAt,
}

/// Whose value is moved towards the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateAt {
    /// That of the position that occurred.
    Position,
    /// Those of the principal leaves of a search from it: its value is their mean over the 21 rolls, its gradient the mean
    /// of theirs.
    Leaves,
    /// That of the position that occurred, towards what a 2-ply search from it says.
    RootStrap,
}

impl Method {
    /// All known rules.
    pub const ALL: &[Method] = &[
        Method {
            name: "td",
            meaning: "TD(lambda): 1-ply play, differences between positions (Wiering, Patist & Mannen, section 3.3)",
            ply: 1,
            update: UpdateAt::Position,
        },
        Method {
            name: "td-directed",
            meaning: "TD-directed(lambda): 2-ply play, differences between positions (Baxter, Tridgell & Weaver 2000)",
            ply: 2,
            update: UpdateAt::Position,
        },
        Method {
            name: "tdleaf",
            meaning: "TDLeaf(lambda): 2-ply play, differences between principal leaves (Baxter, Tridgell & Weaver 2000)",
            ply: 2,
            update: UpdateAt::Leaves,
        },
        Method {
            name: "lookahead",
            meaning: "1-ply play, each position towards its own 2-ply value: the mean over the 21 rolls of the best reply, \
                      which no throw of the dice disturbs (a full backup, Sutton & Barto 2018, section 4.4)",
            ply: 1,
            update: UpdateAt::RootStrap,
        },
    ];

    /// The rule of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Method> {
        Method::ALL.iter().find(|method| method.name == name)
    }
}

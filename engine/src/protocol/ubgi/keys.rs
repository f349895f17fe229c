//! The keys of `set`, `get` and `keys`: one row each.

/// The keys that a controller can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Plies,
    CubePlies,
    Threads,
    Net,
    Variant,
    /// A property of the current game, by its name after `game.`.
    Game(&'static str),
    /// An extension of UBGI that is always there.
    Extension(&'static str),
    /// Whether money games have no cube.
    Cubeless,
}

/// The largest number of threads.
pub(super) const MOST_THREADS: usize = 256;

/// Key, full name, type with its range, and description. A leading `!` marks keys that do not
/// change how the engine plays.
const ROWS: &[(Key, &str, &str, &str)] = &[
    (Key::Variant, "game.variant", "enum backgammon", "variant"),
    (Key::Game("length"), "game.length", "int 0..32767", "points of the match, 0 for money"),
    (Key::Game("score0"), "game.score0", "int 0..32767", "points of p0"),
    (Key::Game("score1"), "game.score1", "int 0..32767", "points of p1"),
    (Key::Game("turn"), "game.turn", "enum p0|p1", "player on roll in the position"),
    (Key::Game("crawford"), "game.crawford", "bool", "whether this is the Crawford game"),
    (Key::Game("jacoby"), "game.jacoby", "bool", "money: Jacoby rule"),
    (Key::Game("beavers"), "game.beavers", "bool", "money: beavers are allowed"),
    (Key::Game("cube"), "game.cube", "int 1..32768", "value of the cube"),
    (Key::Game("owner"), "game.owner", "enum center|p0|p1", "owner of the cube"),
    (Key::Plies, "engine.ply", "int 1..4", "search depth in plies; 1 is the static evaluation"),
    (
        Key::CubePlies,
        "engine.cube_ply",
        "int 1..4",
        "search depth of cube decisions, whatever the depth of play",
    ),
    (Key::Threads, "engine.threads", "int 1..256", "! threads"),
    (Key::Net, "engine.net", "string *", "net file"),
    (Key::Extension("eval"), "ext.eval", "bool", "! `eval gnubgid ID` answers five probabilities"),
    (Key::Extension("take"), "ext.take", "bool", "! `go cube` answers a doubled XGID"),
    (Key::Cubeless, "ext.cubeless", "bool", "money: no cube, plays by cubeless equity"),
];

impl Key {
    pub(super) const ALL: &[Key] = &{
        let mut all = [Key::Plies; ROWS.len()];
        let mut i = 0;
        while i < ROWS.len() {
            all[i] = ROWS[i].0;
            i += 1;
        }
        all
    };

    pub(super) fn named(name: &str) -> Option<Key> {
        ROWS.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    fn row(self) -> &'static (Key, &'static str, &'static str, &'static str) {
        ROWS.iter().find(|row| row.0 == self).unwrap_or(&ROWS[0])
    }

    pub(super) fn name(self) -> &'static str {
        self.row().1
    }

    /// The line that announces it, with its value.
    pub(super) fn line(self, value: &str) -> String {
        let (_, name, kind, what) = self.row();
        format!("key {name} {kind} {value} {what}")
    }
}

/// The key of an option of UBGI 0.1: a name in any case of letters, which may lack the part before
/// the dot.
pub(super) fn of_old_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let known = |key: &&Key| key.name().rsplit('.').next() == Some(name.as_str());
    match name.as_str() {
        "plies" | "eval_plies" => "engine.ply".to_owned(),
        _ => Key::ALL.iter().find(known).map_or(name, |key| key.name().to_owned()),
    }
}

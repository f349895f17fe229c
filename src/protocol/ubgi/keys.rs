//! The keys of `set`, `get` and `keys`: one row each.

/// What a controller can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Plies,
    Threads,
    Net,
    Variant,
    /// About the game on the table, by its name after `game.`.
    Game(&'static str),
    /// A part of the conversation that UBGI does not know.
    Extension(&'static str),
}

/// The most threads that can be asked for.
pub(super) const MOST_THREADS: usize = 256;

/// Key, full name, type with its range, and what it is; a leading `!` marks what does not change how the engine plays.
const ROWS: &[(Key, &str, &str, &str)] = &[
    (Key::Variant, "game.variant", "enum backgammon", "the game"),
    (Key::Game("length"), "game.length", "int 0..32767", "points of the match, 0 for money"),
    (Key::Game("score0"), "game.score0", "int 0..32767", "points of p0"),
    (Key::Game("score1"), "game.score1", "int 0..32767", "points of p1"),
    (Key::Game("turn"), "game.turn", "enum p0|p1", "who is on roll in the position"),
    (Key::Game("crawford"), "game.crawford", "bool", "this is the Crawford game"),
    (Key::Game("jacoby"), "game.jacoby", "bool", "money: gammons count once the cube was turned"),
    (Key::Game("beavers"), "game.beavers", "bool", "money: beavers are allowed"),
    (Key::Game("cube"), "game.cube", "int 1..32768", "what the cube shows"),
    (Key::Game("owner"), "game.owner", "enum center|p0|p1", "who may turn it"),
    (Key::Plies, "engine.ply", "int 1..4", "plies looked ahead; 1 is the static evaluation"),
    (Key::Threads, "engine.threads", "int 1..256", "! threads"),
    (Key::Net, "engine.net", "string *", "net file"),
    (Key::Extension("eval"), "ext.eval", "bool", "! `eval gnubgid ID` answers five probabilities"),
    (Key::Extension("take"), "ext.take", "bool", "! `go cube` answers a doubled XGID"),
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

    /// The line that announces it, with what it is set to.
    pub(super) fn line(self, value: &str) -> String {
        let (_, name, kind, what) = self.row();
        format!("key {name} {kind} {value} {what}")
    }
}

/// The key that an option of UBGI 0.1 means: its name may lack what stands before the dot, in any case of letters.
pub(super) fn of_old_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let known = |key: &&Key| key.name().rsplit('.').next() == Some(name.as_str());
    match name.as_str() {
        "plies" | "eval_plies" => "engine.ply".to_owned(),
        _ => Key::ALL.iter().find(known).map_or(name, |key| key.name().to_owned()),
    }
}

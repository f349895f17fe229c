//! Lines that begin with a number from 1 to 20: the messages of the client protocol (CLIP).

use super::types::{Channel, Chat, Message};

/// A line of the player list: message 5.
///
/// ```
/// use fibs::message::{Message, Parser};
///
/// let line = "5 ann bob - 1 0 1612.15 827 8 1040515752 192.168.143.5 3DFiBs -";
/// let messages = Parser::messages(line);
/// let [Message::Who(who)] = &messages[..] else { panic!("one player") };
/// assert_eq!((who.name.as_str(), who.experience), ("ann", Some(827)));
/// assert_eq!(who.opponent.as_deref(), Some("bob"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WhoLine {
    /// The player's name.
    pub name: String,
    /// The opponent, if the player is in a match.
    pub opponent: Option<String>,
    /// The player who is being watched.
    pub watching: Option<String>,
    /// Whether the player accepts invitations; may be set during a match.
    pub ready: bool,
    /// Whether the player is marked as away.
    pub away: bool,
    /// Rating; `None` if the field is not a number.
    pub rating: Option<f64>,
    /// Experience: points of all matches played; `None` if the field is not a number in reach.
    pub experience: Option<u32>,
    /// Seconds since the player's last command.
    pub idle: u32,
    /// When the player logged in, in the server's unit of time; 0 if the field is not a number.
    pub login: u64,
    /// Name of the player's client program.
    pub client: Option<String>,
}

/// The own settings at login: message 2.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnInfo {
    /// The own name, as the server spells it.
    pub name: String,
    /// The toggles of the message that can be read.
    pub toggles: Vec<(Toggle, bool)>,
    /// Experience: points of all matches played; `None` if the field is not a number in reach.
    pub experience: Option<u32>,
    /// The own rating; `None` if the field is not a number.
    pub rating: Option<f64>,
    /// The value of `set redoubles`.
    pub redoubles: String,
}

macro_rules! toggles {
    ($($variant:ident $name:literal $on:literal $off:literal,)+) => {
        /// A setting that `toggle` switches.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the server's own names")]
        pub enum Toggle { $($variant),+ }

        impl Toggle {
            /// All of them.
            pub const ALL: &[Toggle] = &[$(Toggle::$variant),+];

            /// Its name in commands and lists.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Toggle::$variant => $name),+ }
            }

            /// How the server's answer begins when the toggle is now on, and when it is now off.
            #[must_use]
            pub const fn answers(self) -> [&'static str; 2] {
                match self { $(Toggle::$variant => [$on, $off]),+ }
            }
        }
    };
}

toggles! {
    Allowpip "allowpip" "** You allow the use of the server's 'pip'" "** You don't allow the use of the server's 'pip'",
    Autoboard "autoboard" "** The board will be refreshed" "** The board won't be refreshed",
    Autodouble "autodouble" "** You agree that doublets during opening" "** You don't agree that doublets during opening",
    Automove "automove" "** Forced moves will be done" "** Forced moves won't be done",
    Bell "bell" "** Your terminal will ring the bell" "** Your terminal won't ring the bell",
    Crawford "crawford" "** You insist on playing with the Crawford rule" "** You would like to play without using the Crawford rule",
    Double "double" "** You will be asked if you want to double" "** You won't be asked if you want to double",
    Greedy "greedy" "** Will use automatic greedy" "** Won't use automatic greedy",
    Moreboards "moreboards" "** Will send rawboards after rolling" "** Won't send rawboards after rolling",
    Moves "moves" "** You want a list of moves after this game" "** You won't see a list of moves after this game",
    Notify "notify" "** You'll be notified when new users log in" "** You won't be notified when new users log in",
    Ratings "ratings" "** You'll see how the rating changes" "** You won't see how the rating changes",
    Ready "ready" "** You're now ready to invite" "** You're now refusing to play",
    Report "report" "** You will be informed about starting and ending" "** You won't be informed about starting and ending",
    Silent "silent" "** You won't hear what other players shout" "** You will hear what other players shout",
}

impl Toggle {
    /// The toggle of a name.
    ///
    /// ```
    /// use fibs::message::Toggle;
    ///
    /// assert_eq!(Toggle::named("crawford"), Some(Toggle::Crawford));
    /// assert_eq!(Toggle::Crawford.name(), "crawford");
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Toggle> {
        Toggle::ALL.iter().copied().find(|toggle| toggle.name() == name)
    }

    /// The toggle that a line of answer without its apostrophes is about, and whether it is on now.
    pub(super) fn answer(line: &str) -> Option<(Toggle, bool)> {
        if !line.starts_with("** ") {
            return None;
        }
        let line = line.replacen("You will be notified", "Youll be notified", 1).replacen(
            "the use the",
            "the use of the",
            1,
        );
        let find = |toggle: &Toggle| {
            let [on, off] = toggle.answers().map(|answer| answer.replace('\'', ""));
            let on = line.starts_with(&on);
            (on || line.starts_with(&off)).then_some((*toggle, on))
        };
        Toggle::ALL.iter().find_map(find)
    }
}

/// The toggles of message 2 by the place of their field.
const INFO: [(usize, Toggle); 13] = [
    (1, Toggle::Allowpip),
    (2, Toggle::Autoboard),
    (3, Toggle::Autodouble),
    (4, Toggle::Automove),
    (6, Toggle::Bell),
    (7, Toggle::Crawford),
    (8, Toggle::Double),
    (10, Toggle::Greedy),
    (11, Toggle::Moreboards),
    (12, Toggle::Moves),
    (13, Toggle::Notify),
    (15, Toggle::Ratings),
    (16, Toggle::Ready),
];

pub(super) fn parse(line: &str) -> Option<Message> {
    let (number, rest) = line.split_once(' ').unwrap_or((line, ""));
    if number.len() > 2 || !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let rest = rest.trim_start();
    let word = || rest.split_whitespace().next().map(str::to_owned);
    let chat = |channel| {
        let (from, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let (from, text) = (from.to_owned(), text.trim().to_owned());
        (!from.is_empty()).then_some(Message::Chat(Chat { channel, from, text }))
    };
    match number.parse().ok()? {
        1u8 => Some(Message::Welcome { name: word()? }),
        2 => own_info(rest).map(|info| Message::OwnInfo(Box::new(info))),
        3 if rest.is_empty() => Some(Message::MotdBegins),
        4 if rest.is_empty() => Some(Message::MotdEnds),
        5 => who(rest).map(|who| Message::Who(Box::new(who))),
        6 if rest.is_empty() => Some(Message::WhoEnds),
        7 => Some(Message::LogsIn { name: word()? }),
        8 => Some(Message::LogsOut { name: word()? }),
        9 => chat(Channel::Left),
        10 | 11 => Some(Message::Delivered { name: word()? }),
        12 => chat(Channel::Tell),
        13 => chat(Channel::Shout),
        14 => chat(Channel::Whisper),
        15 => chat(Channel::Kibitz),
        20 => chat(Channel::Alert),
        16..=19 => Some(Message::Echo),
        _ => None,
    }
}

fn some(word: &str) -> Option<String> {
    (word != "-").then(|| word.to_owned())
}

fn flag(word: &str) -> Option<bool> {
    match word {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

fn finite(word: &str) -> Option<f64> {
    word.parse().ok().filter(|n: &f64| n.is_finite())
}

fn who(rest: &str) -> Option<WhoLine> {
    let words: Vec<&str> = rest.split_whitespace().take(13).collect();
    let [name, opponent, watching, ready, away, rating, experience, idle, login, _host, client, ..] =
        *words.as_slice()
    else {
        return None;
    };
    // A field that cannot be read costs that field only: the others say who is there and free.
    Some(WhoLine {
        name: some(name)?,
        opponent: some(opponent),
        watching: some(watching),
        ready: flag(ready).unwrap_or(true),
        away: flag(away).unwrap_or(false),
        rating: finite(rating),
        experience: experience.parse().ok(),
        idle: idle.parse().unwrap_or(0),
        login: login.parse().unwrap_or(0),
        client: some(client),
    })
}

fn own_info(rest: &str) -> Option<OwnInfo> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    // Name and 20 settings; a time zone may hold anything but is there.
    if words.len() < 21 {
        return None;
    }
    // A field that cannot be read costs that field only.
    let fields = INFO.into_iter().chain([(18, Toggle::Report)]);
    let toggles = fields.filter_map(|(place, toggle)| Some((toggle, flag(words[place])?)));
    let toggles = toggles.collect();
    // `silent` is not taken from here: servers and documents disagree about which way round it is.
    Some(OwnInfo {
        name: words[0].to_owned(),
        toggles,
        experience: words[9].parse().ok(),
        rating: finite(words[14]),
        redoubles: words[17].to_owned(),
    })
}

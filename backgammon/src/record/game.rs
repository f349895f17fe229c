//! Recorded games: players, scoring, every turn and cube action, and the end.

use crate::{
    Cube, CubeOwner, Dice, GamePhase, GameState, MatchState, Outcome, Play, Position, Scoring,
    Seat, Stake, Turn, play_to,
};

/// The most characters of a player's name. Readers cut longer names, so that a file cannot fill the
/// memory with the name of each game.
pub const MAX_NAME: usize = 128;

/// A name, cut after [`MAX_NAME`] characters.
pub(super) fn cut_name(name: &str) -> String {
    let end = name.char_indices().nth(MAX_NAME).map_or(name.len(), |(end, _)| end);
    name[..end].trim_end().to_owned()
}

/// The facts of a game before its first roll.
///
/// ```
/// use backgammon::Scoring;
/// use backgammon::record::GameHeader;
///
/// let names = ["ann".to_owned(), "bob".to_owned()];
/// let header = GameHeader { names, scoring: Scoring::of_match(7, 0, 0, false)? };
/// assert_eq!(header.scoring.away(), Some((7, 7)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHeader {
    /// The players' names, X's first.
    pub names: [String; 2],
    /// Money, or the match with its score and whether this is the Crawford game; "own" is X,
    /// independent of who is on roll.
    pub scoring: Scoring,
}

/// Where a recorded game begins: the starting position, or a position that was set up.
///
/// ```
/// use backgammon::record::GameStart;
/// use backgammon::{Next, Scoring};
///
/// assert_eq!(GameStart::USUAL.state(Scoring::MONEY).next(), Next::OpeningRoll);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameStart {
    /// The board, seen by the player on roll, or by X before the first roll.
    pub position: Position,
    /// The player on roll; `None` if the first roll decides it.
    pub on_roll: Option<Seat>,
    /// The value of the cube, 1..=32768: above 1 after automatic doubles or in a position that was
    /// set up.
    pub cube: u32,
    /// The owner of the cube; `None` while it is centred.
    pub cube_owner: Option<Seat>,
}

impl GameStart {
    /// The starting position with the cube at 1.
    pub const USUAL: GameStart =
        GameStart { position: Position::START, on_roll: None, cube: 1, cube_owner: None };

    /// The same with a cube that can be: an impossible one becomes a centred one.
    pub(super) fn with_possible_cube(self) -> GameStart {
        let centred = Cube::new(self.cube, CubeOwner::of_seat(self.cube_owner, Seat::X)).is_err();
        if centred { GameStart { cube: 1, cube_owner: None, ..self } } else { self }
    }

    /// The state of the game there, before the first roll; `scoring` is seen by X. An impossible
    /// cube counts as a centred one.
    #[must_use]
    pub fn state(&self, scoring: Scoring) -> GameState {
        let on_roll = self.on_roll.unwrap_or(Seat::X);
        let owner = CubeOwner::of_seat(self.cube_owner, on_roll);
        let state = MatchState {
            scoring: if on_roll == Seat::X { scoring } else { scoring.flipped() },
            cube: Cube::new(self.cube, owner).unwrap_or(Cube::CENTRED),
            game: if self.on_roll.is_some() { GamePhase::Playing } else { GamePhase::NotStarted },
            on_roll,
            turn: Turn::ToRoll,
            resigned: None,
        };
        GameState { position: self.position, state }
    }
}

impl Default for GameStart {
    fn default() -> GameStart {
        GameStart::USUAL
    }
}

/// A roll and its play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordTurn {
    /// The player who rolled.
    pub player: Seat,
    /// The board before the roll, `player` on roll.
    pub before: Position,
    /// The roll.
    pub dice: Dice,
    /// The board after the play, the other player on roll; one of the results of `dice`.
    pub after: Position,
}

impl RecordTurn {
    /// The checker moves in their shortest form, found anew on each call; empty when the roll could
    /// not be played.
    #[must_use]
    pub fn play(&self) -> Play {
        play_to(&self.before, self.dice, &self.after).unwrap_or_default()
    }
}

/// An action in a game.
///
/// ```
/// use backgammon::record::{RecordEvent, read_record};
///
/// let text = b" 0 point match\n\n Game 1\n ann : 0   bob : 0\n  1) 31: 8/5 6/5\n";
/// let record = read_record(&text[..], "night.mat")?;
/// let RecordEvent::Turn(turn) = record.games[0].events()[0] else { panic!("a roll") };
/// assert_eq!((turn.dice.to_string(), turn.play().to_string()), ("31".into(), "8/5 6/5".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordEvent {
    /// A roll was played.
    Turn(RecordTurn),
    /// The player on roll turned the cube.
    Double {
        /// The player who turned it.
        player: Seat,
        /// Its new value, 2..=32768.
        value: u32,
    },
    /// The doubled player redoubled at once; if the doubler does so in answer to a beaver, it is a
    /// raccoon.
    Beaver {
        /// The player who turned it.
        player: Seat,
        /// Its new value, 4..=32768.
        value: u32,
    },
    /// The cube was accepted.
    Take {
        /// The player who accepted.
        player: Seat,
    },
    /// The double was refused, which ends the game.
    Drop {
        /// The player who refused.
        player: Seat,
    },
}

impl RecordEvent {
    /// The player who acted.
    #[must_use]
    pub const fn player(&self) -> Seat {
        match *self {
            RecordEvent::Turn(RecordTurn { player, .. })
            | RecordEvent::Double { player, .. }
            | RecordEvent::Beaver { player, .. }
            | RecordEvent::Take { player }
            | RecordEvent::Drop { player } => player,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordEnd {
    /// All checkers of one side are off.
    Natural {
        /// The side that has borne off.
        winner: Seat,
        /// A win, a gammon or a backgammon, for the winner.
        outcome: Outcome,
    },
    /// A double was refused.
    Dropped {
        /// The player who had doubled.
        winner: Seat,
    },
    /// A player resigned. A roll that was not played before that is not recorded.
    Resigned {
        /// The player who did not resign.
        winner: Seat,
        /// The stake, on a 1-cube.
        stake: Stake,
    },
    /// The record stops before the end of the game.
    Unfinished,
}

/// A place where a turn is lost, or where somebody has set a position up: the game goes on from
/// there. The cube is as before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordGap {
    /// The number of events before it; the event with this index is the first one after it.
    pub event: usize,
    /// The position from which the game goes on.
    pub start: GameStart,
}

/// A game of legal turns alone: only a [`super::Recorder`] creates one.
///
/// ```
/// use backgammon::record::{GameHeader, RecordEnd, Recorder};
/// use backgammon::{Scoring, Seat, Stake};
///
/// let names = ["ann".to_owned(), "bob".to_owned()];
/// let mut game = Recorder::new(GameHeader { names, scoring: Scoring::MONEY });
/// game.resign(Seat::X, Stake::Gammon)?;
/// let game = game.finish();
/// assert_eq!(game.end(), RecordEnd::Resigned { winner: Seat::O, stake: Stake::Gammon });
/// assert_eq!(game.won(), Some((Seat::O, 2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
    pub(super) header: GameHeader,
    pub(super) start: GameStart,
    pub(super) events: Vec<RecordEvent>,
    pub(super) gaps: Vec<RecordGap>,
    pub(super) end: RecordEnd,
    /// Seen by X.
    pub(super) cube: Cube,
    pub(super) cubeless: bool,
}

impl RecordedGame {
    /// Bytes of memory that the game takes, about.
    pub(super) fn size(&self) -> usize {
        let names: usize = self.header.names.iter().map(String::len).sum();
        size_of::<RecordedGame>()
            + names
            + self.events.len() * size_of::<RecordEvent>()
            + self.gaps.len() * size_of::<RecordGap>()
    }

    /// Names, score and stakes.
    #[must_use]
    pub const fn header(&self) -> &GameHeader {
        &self.header
    }

    /// Where it begins: [`GameStart::USUAL`] unless a position was set up.
    #[must_use]
    pub const fn start(&self) -> &GameStart {
        &self.start
    }

    /// Turns and cube actions, in order.
    #[must_use]
    pub fn events(&self) -> &[RecordEvent] {
        &self.events
    }

    /// Where turns are lost, in order: the board before the next event is not the one after the
    /// event before. Most games have none.
    #[must_use]
    pub fn gaps(&self) -> &[RecordGap] {
        &self.gaps
    }

    /// The gap before an event.
    pub(super) fn gap_before(&self, event: usize) -> Option<&GameStart> {
        self.gaps.iter().find(|gap| gap.event == event).map(|gap| &gap.start)
    }

    /// How it ended.
    #[must_use]
    pub const fn end(&self) -> RecordEnd {
        self.end
    }

    /// The value of the cube at the end, 1..=32768; a refused double does not count.
    #[must_use]
    pub const fn cube(&self) -> u32 {
        self.cube.value()
    }

    /// Whether it was played without a cube, so that no roll was a decision not to double.
    #[must_use]
    pub const fn is_cubeless(&self) -> bool {
        self.cubeless
    }

    /// The turns without the cube actions.
    pub fn turns(&self) -> impl Iterator<Item = &RecordTurn> {
        self.events.iter().filter_map(|event| match event {
            RecordEvent::Turn(turn) => Some(turn),
            _ => None,
        })
    }

    /// The board before each roll, its player on roll.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        self.turns().map(|turn| turn.before)
    }

    /// Who rolled first; `None` if there is no turn.
    #[must_use]
    pub fn first(&self) -> Option<Seat> {
        self.turns().next().map(|turn| turn.player)
    }

    /// The winner and the points won, cube included; `None` for an unfinished game. The match may
    /// need fewer points.
    #[must_use]
    pub fn won(&self) -> Option<(Seat, u32)> {
        match self.end {
            RecordEnd::Natural { winner, outcome } => {
                Some((winner, self.header.scoring.points(outcome, self.cube)))
            }
            RecordEnd::Dropped { winner } => Some((winner, self.cube())),
            RecordEnd::Resigned { winner, stake } => Some((winner, stake.points() * self.cube())),
            RecordEnd::Unfinished => None,
        }
    }
}

//! A match as the board shows it: everything seen by the person. The person's checkers are positive
//! and move from 24 down to 1.

use serde::Serialize;
use utoipa::ToSchema;

use crate::play::match_table::MatchTable;
use nonet_engine::backgammon::{Cube, CubeOwner, Dice, Position, Scoring, Seat, candidates};
use nonet_engine::engine::Engine;
use nonet_engine::eval::Evaluation;
use nonet_engine::game::{MatchSession, NextAction};
use nonet_report::answer::{CubeAnswer, HintAnswer, Said};

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Who {
    You,
    Nonet,
}

/// What the person can do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MatchTurn {
    /// Roll, or double.
    Roll,
    /// Play the dice.
    Play,
    /// Take, pass or beaver.
    Answer,
    /// The game is over: go on with the next one.
    NextGame,
    /// The match is over.
    Over,
}

/// What a player did, or what happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Deed {
    /// Won the opening roll.
    Opens,
    Plays,
    Doubles,
    Takes,
    Passes,
    Beavers,
    Resigns,
    WinsGame,
    WinsMatch,
}

/// Something that happened since the person's last decision, with the board after it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct MatchEvent {
    pub(crate) player: Who,
    pub(crate) what: Deed,
    /// In words.
    #[schema(example = "nonet rolls 31: 8/5 6/5")]
    pub(crate) words: String,
    /// The roll that was made or played.
    pub(crate) dice: Option<[u8; 2]>,
    /// A play in the usual notation; empty if the player cannot move.
    #[schema(example = "8/5 6/5")]
    pub(crate) play: Option<String>,
    /// The points of a game that was won.
    pub(crate) points: Option<u32>,
    /// The value of the cube after a double, a take or a beaver.
    pub(crate) cube: Option<u32>,
    /// The single checker moves of a play, from and to, seen by the person: 25 and 0 are bar and
    /// off of the person, 0 and 25 those of nonet.
    pub(crate) steps: Vec<[u8; 2]>,
    /// Whether the person who sees it has the light checkers: of two people, the one who decided.
    pub(crate) light: bool,
    pub(crate) board: Vec<i8>,
}

/// A legal play of the person.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct PlayView {
    /// In the usual notation; empty if the person cannot move.
    #[schema(example = "8/5 6/5")]
    pub(crate) play: String,
    /// The board afterwards, seen by the person.
    pub(crate) board: Vec<i8>,
    /// The person's chances after the play.
    pub(crate) evaluation: BarView,
}

/// The doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct CubeView {
    /// Its value before a double that is not answered.
    pub(crate) value: u32,
    /// Who may turn it; null if both may.
    pub(crate) owner: Option<Who>,
    /// Its value if the double on the table is taken; null without one.
    pub(crate) offered: Option<u32>,
}

impl CubeView {
    /// The cube as the person sees it, who is the player on roll in `cube`.
    pub(crate) fn new(cube: Cube, offered: Option<u32>) -> CubeView {
        let owner = match cube.owner() {
            CubeOwner::Centred => None,
            CubeOwner::Own => Some(Who::You),
            CubeOwner::Opponent => Some(Who::Nonet),
        };
        CubeView { value: cube.value(), owner, offered }
    }
}

/// The rules of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RulesView {
    /// Points to win the match; null for money.
    pub(crate) length: Option<u16>,
    /// Whether this is the Crawford game.
    pub(crate) crawford: bool,
    /// Money: gammons count only if the cube has been turned.
    pub(crate) jacoby: bool,
    /// Money: who is doubled may double again at once.
    pub(crate) beavers: bool,
}

/// The chances of the person before the next roll, without the cube, by the built-in net at 1-ply.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct BarView {
    /// Winning chances, 0..1.
    pub(crate) win: f32,
    /// Equity, -3..3.
    pub(crate) equity: f32,
}

impl BarView {
    pub(crate) fn of(value: &Evaluation) -> BarView {
        BarView { win: value.cumulative()[0], equity: value.equity() }
    }
}

/// A match as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct MatchView {
    /// The name of the match.
    pub(crate) id: String,
    /// Rises with every change; an action that names another one is refused.
    pub(crate) revision: u64,
    /// The person, and nonet; of two people, the one who decides first.
    pub(crate) names: [String; 2],
    /// Whether a second person plays instead of nonet.
    pub(crate) two_people: bool,
    /// Whether the person has the light checkers; of two people, the one who decides now.
    pub(crate) light: bool,
    pub(crate) level: &'static str,
    /// Depth of nonet's plays.
    pub(crate) plies: u8,
    /// Depth of nonet's cube decisions.
    pub(crate) cube_plies: u8,
    pub(crate) net: String,
    pub(crate) rules: RulesView,
    /// Points of the person and of nonet.
    pub(crate) score: [u32; 2],
    /// The number of the game, from 1.
    pub(crate) game: usize,
    /// 26 entries: the person's checkers are positive; 25 is their bar, 0 that of nonet.
    pub(crate) board: Vec<i8>,
    /// Checkers borne off.
    pub(crate) off: [u8; 2],
    pub(crate) pips: [u16; 2],
    pub(crate) cube: CubeView,
    pub(crate) turn: MatchTurn,
    /// The person's roll.
    pub(crate) dice: Option<[u8; 2]>,
    /// The person's legal plays.
    pub(crate) plays: Vec<PlayView>,
    pub(crate) may_double: bool,
    pub(crate) may_beaver: bool,
    pub(crate) may_undo: bool,
    /// Who has won the match.
    pub(crate) winner: Option<Who>,
    pub(crate) evaluation: Option<BarView>,
    /// The position as XGID, seen by its player on roll.
    pub(crate) xgid: String,
    /// What happened since the person's last decision.
    pub(crate) events: Vec<MatchEvent>,
}

/// A match in the list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct MatchRow {
    pub(crate) id: String,
    /// The person, and nonet.
    pub(crate) names: [String; 2],
    /// Points of the person and of nonet.
    pub(crate) score: [u32; 2],
    /// Points to win the match; null for money.
    pub(crate) length: Option<u16>,
    pub(crate) level: String,
    /// Whether the match is over.
    pub(crate) over: bool,
}

/// The best plays, or the cube decision.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct DecisionHint {
    /// The kind of idea behind the best decision, which it does not name; null without a decision.
    pub(crate) idea: Option<Said>,
    /// If the person has to play.
    pub(crate) plays: Option<HintAnswer>,
    /// If the person may double or has to answer.
    pub(crate) cube: Option<CubeAnswer>,
}

impl MatchTable {
    /// The chances for the evaluation bar; `None` once the game is over. `engine` is asked at
    /// 1-ply.
    fn evaluation(&self, engine: &Engine) -> Option<BarView> {
        let position = self.game().session().position();
        if position.outcome().is_some() {
            return None;
        }
        let value = engine.evaluate(&[*position])[0];
        let own = seen_by(self.game().session()) == self.game().person();
        Some(BarView::of(&if own { value } else { value.flipped() }))
    }

    /// The match in the list.
    pub(crate) fn row(&self, id: &str) -> MatchRow {
        let session = self.game().session();
        MatchRow {
            id: id.to_owned(),
            names: self.names(),
            score: self.game().points(),
            length: length(session.scoring(Seat::X)),
            level: self.game().settings().level.name.to_owned(),
            over: matches!(session.next_action(), NextAction::Over(_)),
        }
    }

    fn names(&self) -> [String; 2] {
        let (names, person) = (self.game().session().names(), self.game().person());
        [names[person.index()].clone(), names[person.other().index()].clone()]
    }

    /// The match as the board shows it.
    pub(crate) fn view(&self, id: &str, engine: &Engine) -> MatchView {
        let (session, person) = (self.game().session(), self.game().person());
        let board = self.board();
        let scoring = session.scoring(person);
        let cube = session.cube(person);
        let (turn, dice) = match session.next_action() {
            NextAction::Roll(_) => (MatchTurn::Roll, None),
            NextAction::Play(_, dice) => (MatchTurn::Play, Some(dice)),
            NextAction::Answer(_) => (MatchTurn::Answer, None),
            NextAction::NextGame => (MatchTurn::NextGame, None),
            NextAction::Over(_) => (MatchTurn::Over, None),
        };
        let plays = dice.map(|dice| candidates(&board, dice)).unwrap_or_default();
        let after: Vec<Position> = plays.iter().map(|one| one.after).collect();
        let rules = match scoring {
            Scoring::Money { jacoby, beavers } => {
                RulesView { length: None, crawford: false, jacoby, beavers }
            }
            Scoring::Match(score) => RulesView {
                length: Some(score.length()),
                crawford: score.is_crawford(),
                jacoby: false,
                beavers: false,
            },
        };
        let settings = self.game().settings();
        let may_double = turn == MatchTurn::Roll
            && self.game().context(person).is_ok_and(|context| context.may_double());
        let winner = match session.next_action() {
            NextAction::Over(winner) => Some(self.who(winner)),
            _ => None,
        };
        MatchView {
            id: id.to_owned(),
            revision: self.revision(),
            names: self.names(),
            two_people: settings.two_people,
            light: person == Seat::X,
            level: settings.level.name,
            plies: settings.plies.get(),
            cube_plies: settings.cube_plies.get(),
            net: settings.net.clone(),
            rules,
            score: self.game().points(),
            game: session.game_number(),
            board: board.points().to_vec(),
            off: [15 - board.own_left(), 15 - board.opponent_left()],
            pips: [board.pips(), board.opponent_pips()],
            cube: CubeView::new(cube, session.offered().map(|offer| offer.value)),
            turn,
            dice: dice.map(pair),
            plays: (plays.iter().zip(engine.evaluate(&after)))
                .map(|(one, value)| PlayView {
                    play: one.play.to_string(),
                    board: one.after.flipped().points().to_vec(),
                    evaluation: BarView::of(&value.flipped()),
                })
                .collect(),
            may_double,
            may_beaver: turn == MatchTurn::Answer && self.game().has_beavers(),
            may_undo: self.game().has_undo(),
            winner,
            evaluation: self.evaluation(engine),
            xgid: session.xgid(),
            events: self.events().to_vec(),
        }
    }
}

pub(crate) fn pair(dice: Dice) -> [u8; 2] {
    [dice.high(), dice.low()]
}

fn length(scoring: Scoring) -> Option<u16> {
    match scoring {
        Scoring::Money { .. } => None,
        Scoring::Match(score) => Some(score.length()),
    }
}

/// The player who sees the position of a session.
pub(crate) fn seen_by(session: &MatchSession) -> Seat {
    session.state().state.on_roll
}

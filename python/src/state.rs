//! `GameState`: a position with its cube, score and roll.

use nonet::Dice;
use nonet::backgammon::{CubeOwner, GameState, Position, Scoring};
use nonet::report::{BoardDiagram, Chart};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::arrays::row_of;
use crate::errors::invalid;

/// A position with cube, score and roll, seen by the player on roll.
///
/// ``GameState(text)`` reads one of these:
///
/// - a GNU Position ID (14 characters: a money game, the cube in the middle, before the roll);
/// - a GNU ID (``POSITION:MATCH``);
/// - an XGID.
///
/// States are immutable, can be compared and are hashable.
///
/// >>> import nonet
/// >>> state = nonet.GameState("4HPwATDgc/ABMA").with_dice("31")
/// >>> state.pips, state.dice
/// ((167, 167), (3, 1))
/// >>> state.play("8/5 6/5").position_id
/// 'sGfwATDgc/ABMA'
#[pyclass(frozen, eq, module = "nonet", name = "GameState")]
#[derive(Clone, PartialEq)]
pub(crate) struct PyGameState(Box<GameState>);

impl PyGameState {
    pub(crate) fn from_state(state: GameState) -> PyGameState {
        PyGameState(Box::new(state))
    }

    pub(crate) fn state(&self) -> &GameState {
        &self.0
    }
}

/// A state, the text of one, or a board row, which is a position of a money game.
pub(crate) enum StateArg<'py> {
    State(Bound<'py, PyGameState>),
    Text(String),
    Board(Bound<'py, PyAny>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for StateArg<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(state) = object.cast::<PyGameState>() {
            return Ok(StateArg::State(state.to_owned()));
        }
        Ok(match object.extract::<String>() {
            Ok(text) => StateArg::Text(text),
            Err(_) => StateArg::Board(object.to_owned()),
        })
    }
}

impl StateArg<'_> {
    pub(crate) fn read(&self) -> PyResult<GameState> {
        match self {
            StateArg::State(state) => Ok(state.get().state().clone()),
            StateArg::Text(text) => text.parse().map_err(invalid),
            StateArg::Board(board) if board.len().is_ok() => Ok(GameState::money(row_of(board)?)),
            StateArg::Board(other) => Err(PyTypeError::new_err(format!(
                "a state is a GameState, the text of an ID, or a board row of 26 numbers, not {}",
                other.get_type().name()?
            ))),
        }
    }
}

/// A roll: `"31"` or `(3, 1)`.
pub(crate) enum DiceArg {
    Text(String),
    Pair(i64, i64),
}

impl<'a, 'py> FromPyObject<'a, 'py> for DiceArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.extract::<String>() {
            return Ok(DiceArg::Text(text));
        }
        let pair = object.extract::<(i64, i64)>();
        pair.map(|(a, b)| DiceArg::Pair(a, b)).map_err(|_| {
            PyTypeError::new_err("a roll is a text such as '31' or a pair such as (3, 1)")
        })
    }
}

impl DiceArg {
    pub(crate) fn read(&self) -> PyResult<Dice> {
        match self {
            DiceArg::Text(text) => text.parse().map_err(invalid),
            DiceArg::Pair(a, b) => {
                let die = |n: i64| u8::try_from(n).ok();
                let dice = die(*a).zip(die(*b)).and_then(|(a, b)| Dice::new(a, b));
                dice.ok_or_else(|| {
                    invalid(format!("invalid roll ({a}, {b}): expected two dice from 1 to 6"))
                })
            }
        }
    }
}

#[pymethods]
impl PyGameState {
    #[new]
    fn new(text: &str) -> PyResult<PyGameState> {
        text.parse().map(PyGameState::from_state).map_err(invalid)
    }

    /// The start of a money game, before the first roll.
    #[staticmethod]
    fn start() -> PyGameState {
        PyGameState::from_state(GameState::money(Position::START))
    }

    /// A position of a money game from a board row, ``int8[26]`` as the package's docstring
    /// describes it, with the cube in the middle.
    #[staticmethod]
    #[pyo3(signature = (board, dice=None))]
    fn from_board(board: &Bound<'_, PyAny>, dice: Option<DiceArg>) -> PyResult<PyGameState> {
        let state = GameState::money(row_of(board)?);
        Ok(PyGameState::from_state(match dice {
            None => state,
            Some(dice) => state.with_dice(dice.read()?),
        }))
    }

    /// The GNU Position ID, 14 characters: the checkers alone.
    #[getter]
    fn position_id(&self) -> String {
        self.0.position_id()
    }

    /// The GNU ID, ``POSITION:MATCH``; beavers are not in it.
    #[getter]
    fn gnu_id(&self) -> String {
        self.0.gnu_id()
    }

    /// The XGID, with ``XGID=``.
    #[getter]
    fn xgid(&self) -> String {
        self.0.xgid()
    }

    /// The checkers as a board row, ``int8[26]``, as the package's docstring describes it.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        self.0.position.points().to_vec().into_pyarray(py)
    }

    /// The roll to play, the higher die first; ``None`` before the roll.
    #[getter]
    fn dice(&self) -> Option<(u8, u8)> {
        self.0.dice().map(|dice| (dice.high(), dice.low()))
    }

    /// Pip counts of the player on roll and of the opponent.
    #[getter]
    fn pips(&self) -> (u16, u16) {
        (self.0.position.pips(), self.0.position.opponent_pips())
    }

    /// The value of the cube: 1, 2, 4, ...
    #[getter]
    fn cube(&self) -> u32 {
        self.0.state.cube.value()
    }

    /// Who may double: ``"centred"`` (both), ``"own"`` (the player on roll) or ``"opponent"``.
    #[getter]
    fn cube_owner(&self) -> &'static str {
        match self.0.state.cube.owner() {
            CubeOwner::Centred => "centred",
            CubeOwner::Own => "own",
            CubeOwner::Opponent => "opponent",
        }
    }

    /// Points that win the match; ``None`` for money.
    #[getter]
    fn match_length(&self) -> Option<u16> {
        match self.0.state.scoring {
            Scoring::Match(score) => Some(score.length()),
            Scoring::Money { .. } => None,
        }
    }

    /// The points of the player on roll and of the opponent in the match; ``None`` for money.
    #[getter]
    fn score(&self) -> Option<(u16, u16)> {
        match self.0.state.scoring {
            Scoring::Match(score) => Some((score.own(), score.opponent())),
            Scoring::Money { .. } => None,
        }
    }

    /// Whether this is the Crawford game of a match.
    #[getter]
    fn crawford(&self) -> bool {
        matches!(self.0.state.scoring, Scoring::Match(score) if score.is_crawford())
    }

    /// Points on a cube at 1 for the player on roll, -3 to 3, if the checkers have ended the game;
    /// else ``None``.
    #[getter]
    fn points(&self) -> Option<i32> {
        self.0.position.outcome().map(nonet::backgammon::Outcome::points)
    }

    /// Whether a side has no checkers left.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.position.outcome().is_some()
    }

    /// The same position with this roll to play, ``"31"`` or ``(3, 1)``.
    fn with_dice(&self, dice: DiceArg) -> PyResult<PyGameState> {
        Ok(PyGameState::from_state(self.0.clone().with_dice(dice.read()?)))
    }

    /// The state after a play in notation, such as ``"8/5 6/5"``, ``"bar/22"`` or ``"6/off"``: the
    /// opponent on roll.
    ///
    /// Raises ``ValueError`` if there is no roll or the play is not legal.
    fn play(&self, play: &str) -> PyResult<PyGameState> {
        let dice = self.0.dice().ok_or_else(|| invalid(nonet::EngineError::NotRolled))?;
        let after = self.0.position.read_play(play, dice).map_err(invalid)?.after;
        Ok(PyGameState::from_state(self.0.after(after)))
    }

    /// Every legal play of the roll in notation, without evaluation; ``[""]`` if the roll cannot be
    /// played.
    fn legal_plays(&self) -> PyResult<Vec<String>> {
        let dice = self.0.dice().ok_or_else(|| invalid(nonet::EngineError::NotRolled))?;
        let plays = nonet::backgammon::candidates(&self.0.position, dice);
        Ok(plays.into_iter().map(|candidate| candidate.play.to_string()).collect())
    }

    fn __repr__(&self) -> String {
        let turn = match self.0.dice() {
            _ if self.0.position.outcome().is_some() => "the game is over".to_owned(),
            Some(dice) => format!("{dice} to play"),
            None => "to roll".to_owned(),
        };
        format!("<GameState {turn}; {}; {}>", self.0.state, self.0.xgid())
    }

    /// The board drawn in characters.
    fn __str__(&self) -> String {
        let turn = match self.0.dice() {
            Some(dice) => format!("X plays {dice}"),
            None => "X to roll".to_owned(),
        };
        format!("{}\n{turn}; {}", self.0.position, self.0.state)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.0.xgid().hash(&mut hasher);
        hasher.finish()
    }

    /// The XGID, so that ``pickle`` and ``copy`` work; it has no field for a resignation.
    fn __getnewargs__(&self) -> (String,) {
        (self.0.xgid(),)
    }

    /// The board as an SVG picture, which notebooks show.
    fn _repr_svg_(&self) -> PyResult<String> {
        let GameState { position, state } = &*self.0;
        let mut board = BoardDiagram::new(*position)
            .seat(state.on_roll)
            .cube(state.cube)
            .title(self.__repr__());
        if let Some(dice) = self.0.dice() {
            board = board.dice(dice);
        }
        board.render().map_err(invalid)
    }
}

//! The actions of a game, each from a state to the state after it.

use super::{Action, ActionError, Next};
use crate::{
    Candidate, CubeOffer, CubeOwner, Dice, GamePhase, GameState, MatchState, Position, Resignation,
    Results, Scoring, Seat, Side, Stake, Turn, candidates,
};

impl GameState {
    /// A game before its opening roll; `scoring` is seen by X.
    #[must_use]
    pub const fn start(scoring: Scoring) -> GameState {
        let state = MatchState { game: GamePhase::NotStarted, ..MatchState::new(scoring) };
        GameState { position: Position::START, state }
    }

    /// A game after its opening roll, with which `first` begins; `scoring` is seen by X.
    ///
    /// ```
    /// use backgammon::{Dice, GameState, Next, Scoring, Seat};
    ///
    /// let rolls = ["64", "52", "31", "66"].map(|roll| roll.parse::<Dice>());
    /// let mut rolls = rolls.into_iter().cycle();
    /// let mut game = GameState::opening(Scoring::MONEY, Seat::X, "31".parse()?)?;
    /// while game.result().is_none() {
    ///     game = match game.next() {
    ///         Next::Roll(Seat::O) if game.may_double() => game.double()?,
    ///         Next::Roll(_) => game.rolled(rolls.next().ok_or("a roll")??)?,
    ///         Next::Answer(_) => game.take()?,
    ///         Next::Play(..) => game.play(&game.legal_plays()[0].after)?,
    ///         Next::OpeningRoll | Next::Over(_) => break,
    ///     };
    ///     assert!(game.board(Seat::X).to_string().ends_with("to play"));
    /// }
    /// assert_eq!(game.state.cube.value(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ActionError::OpeningDouble`].
    pub fn opening(scoring: Scoring, first: Seat, dice: Dice) -> Result<GameState, ActionError> {
        GameState::start(scoring).opened(first, dice)
    }

    /// The game after the opening roll, with which `first` begins.
    ///
    /// # Errors
    /// [`ActionError`] if the game has begun, or for a double in the starting position.
    pub fn opened(&self, first: Seat, dice: Dice) -> Result<GameState, ActionError> {
        match self.next() {
            Next::OpeningRoll if dice.is_double() && self.position == Position::START => {
                Err(ActionError::OpeningDouble(dice))
            }
            Next::OpeningRoll => Ok(self.begun_by(first).with_dice(dice)),
            Next::Over(_) => Err(ActionError::Over),
            _ => Err(ActionError::Begun),
        }
    }

    /// The game with `first` on roll if it has not begun; else the same game.
    #[must_use]
    pub fn begun_by(&self, first: Seat) -> GameState {
        if self.state.game != GamePhase::NotStarted {
            return self.clone();
        }
        let mut game = if first == self.state.on_roll { self.clone() } else { self.flipped() };
        game.state.game = GamePhase::Playing;
        game
    }

    /// The same game seen by the other player, who is on roll then.
    fn flipped(&self) -> GameState {
        let mut game = self.after(self.position.flipped());
        game.state.game = self.state.game;
        game
    }

    /// What is decided next. An offer to resign that is not accepted is not considered.
    #[must_use]
    pub fn next(&self) -> Next {
        match (self.result(), self.state.game, self.state.turn) {
            (Some(result), _, _) => Next::Over(result),
            (None, GamePhase::NotStarted, _) => Next::OpeningRoll,
            (None, _, Turn::ToRoll) => Next::Roll(self.state.on_roll),
            (None, _, Turn::Rolled(dice)) => Next::Play(self.state.on_roll, dice),
            (None, _, Turn::Offered(offer)) => Next::Answer(self.seat(offer.answered_by())),
        }
    }

    /// The player on a side.
    pub(super) const fn seat(&self, side: Side) -> Seat {
        match side {
            Side::Own => self.state.on_roll,
            Side::Opponent => self.state.on_roll.other(),
        }
    }

    /// The state after a roll of the player on roll.
    ///
    /// # Errors
    /// [`ActionError`] if something else must be decided first.
    pub fn rolled(&self, dice: Dice) -> Result<GameState, ActionError> {
        match self.next() {
            Next::Roll(_) => Ok(self.clone().with_dice(dice)),
            next => Err(missing(next)),
        }
    }

    /// The legal plays of the roll, one for each board that they lead to; none if there is no roll
    /// to play.
    #[must_use]
    pub fn legal_plays(&self) -> Vec<Candidate> {
        match self.next() {
            Next::Play(_, dice) => candidates(&self.position, dice),
            _ => Vec::new(),
        }
    }

    /// The state after a play of the roll; `after` is the board that it leads to, the opponent on
    /// roll.
    ///
    /// # Errors
    /// [`ActionError`] if there is no roll to play, or no legal play leads to the board.
    pub fn play(&self, after: &Position) -> Result<GameState, ActionError> {
        self.play_among(after, &mut Results::default())
    }

    /// The same with a buffer for the legal boards.
    pub(crate) fn play_among(
        &self,
        after: &Position,
        results: &mut Results,
    ) -> Result<GameState, ActionError> {
        match self.next() {
            Next::Play(_, dice) if results.of(&self.position, dice).contains(after) => {
                Ok(self.after(*after))
            }
            Next::Play(_, dice) => Err(ActionError::NoSuchBoard(dice)),
            next => Err(missing(next)),
        }
    }

    /// Whether the player on roll may double now.
    #[must_use]
    pub fn may_double(&self) -> bool {
        self.double().is_ok()
    }

    /// The state after a double of the player on roll, which the opponent must answer.
    ///
    /// # Errors
    /// [`ActionError`] if the player may not double.
    pub fn double(&self) -> Result<GameState, ActionError> {
        let (scoring, cube) = (self.state.scoring, self.state.cube);
        match self.next() {
            Next::Roll(_) if cube.owner() == CubeOwner::Opponent => Err(ActionError::OpponentsCube),
            Next::Roll(_) if !cube.may_double() => Err(ActionError::HighestCube),
            Next::Roll(_) if !scoring.may_use_cube() => Err(ActionError::Crawford),
            Next::Roll(_) => Ok(self.with_turn(Turn::Offered(CubeOffer::Double))),
            Next::OpeningRoll => Err(ActionError::DoubleBeforeStart),
            Next::Play(..) => Err(ActionError::DoubleAfterRoll),
            next => Err(missing(next)),
        }
    }

    /// The state after the double or beaver is accepted: the player on roll, who doubled first,
    /// rolls.
    ///
    /// # Errors
    /// [`ActionError`] if no cube was offered.
    pub fn take(&self) -> Result<GameState, ActionError> {
        self.offer()?;
        let mut game = self.with_turn(Turn::ToRoll);
        game.state.cube = self.state.cube.doubled();
        Ok(game)
    }

    /// The state after the double or beaver is refused: the game is lost at the value of the cube
    /// before it.
    ///
    /// # Errors
    /// [`ActionError`] if no cube was offered.
    pub fn pass(&self) -> Result<GameState, ActionError> {
        self.offer()?;
        let mut game = self.clone();
        (game.state.game, game.state.resigned) = (GamePhase::Dropped, None);
        Ok(game)
    }

    /// The state after a beaver: the doubled player doubles again at once and keeps the cube. The
    /// same by the doubler in answer to it is a raccoon.
    ///
    /// # Errors
    /// [`ActionError`] in these cases:
    ///
    /// - No cube was offered.
    /// - Beavers are not played, as in a match.
    /// - The cube that was offered shows its highest value.
    pub fn beaver(&self) -> Result<GameState, ActionError> {
        self.offer()?;
        match self.state.scoring {
            Scoring::Money { beavers: false, .. } => Err(ActionError::NoBeavers),
            _ => self.beaver_in_money_games(),
        }
    }

    /// The same in every money game.
    pub(crate) fn beaver_in_money_games(&self) -> Result<GameState, ActionError> {
        let turned = self.state.cube.doubled();
        let offer = match self.offer()? {
            CubeOffer::Double | CubeOffer::Raccoon => CubeOffer::Beaver,
            CubeOffer::Beaver => CubeOffer::Raccoon,
        };
        if matches!(self.state.scoring, Scoring::Match(_)) {
            return Err(ActionError::BeaverInMatch);
        }
        if !turned.flipped().may_double() {
            return Err(ActionError::HighestCube);
        }
        let mut game = self.with_turn(Turn::Offered(offer));
        game.state.cube = turned;
        Ok(game)
    }

    /// The value of the cube if the double or beaver is accepted; `None` if none must be answered.
    #[must_use]
    pub fn offered_value(&self) -> Option<u32> {
        self.offer().ok().map(|_| self.state.cube.doubled().value())
    }

    /// The state after `player` resigns and the other one accepts, whoever is on roll.
    ///
    /// # Errors
    /// [`ActionError::Over`].
    pub fn resign(&self, player: Seat, stake: Stake) -> Result<GameState, ActionError> {
        if self.is_over() {
            return Err(ActionError::Over);
        }
        let by = if player == self.state.on_roll { Side::Own } else { Side::Opponent };
        let mut game = self.with_turn(Turn::ToRoll);
        game.state.game = GamePhase::Resigned;
        game.state.resigned = Some(Resignation { by, stake });
        Ok(game)
    }

    /// The state after an action.
    ///
    /// # Errors
    /// [`ActionError`] if the action is not allowed.
    pub fn apply(&self, action: Action) -> Result<GameState, ActionError> {
        match action {
            Action::Open(first, dice) => self.opened(first, dice),
            Action::Roll(dice) => self.rolled(dice),
            Action::Play(after) => self.play(&after),
            Action::Double => self.double(),
            Action::Take => self.take(),
            Action::Pass => self.pass(),
            Action::Beaver => self.beaver(),
            Action::Resign(player, stake) => self.resign(player, stake),
        }
    }

    fn with_turn(&self, turn: Turn) -> GameState {
        let state = MatchState { turn, resigned: None, ..self.state.clone() };
        GameState { position: self.position, state }
    }

    fn offer(&self) -> Result<CubeOffer, ActionError> {
        match (self.next(), self.state.turn) {
            (Next::Answer(_), Turn::Offered(offer)) => Ok(offer),
            (Next::Over(_), _) => Err(ActionError::Over),
            _ => Err(ActionError::NotOffered),
        }
    }
}

/// What is to be done before an action that is not the next one.
const fn missing(next: Next) -> ActionError {
    match next {
        Next::OpeningRoll => ActionError::NotBegun,
        Next::Roll(_) => ActionError::NotRolled,
        Next::Play(_, dice) => ActionError::Rolled(dice),
        Next::Answer(_) => ActionError::Offered,
        Next::Over(_) => ActionError::Over,
    }
}

"""Gymnasium environments."""

from __future__ import annotations

import secrets
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt
from gymnasium import Env, error, register, registry, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._arrays import MAX_RESULTS
from ._nonet import Engine, GameState, Games, Net

Array = npt.NDArray[Any]


#: The highest value of a board's observation: 15 checkers; a cube is at most 2 to the power of 15.
MOST = 15


def _space(observation: str, width: int) -> spaces.Box:
    if observation == "board":
        return spaces.Box(-15, MOST, (width,), np.int8)
    # Only the owner of a cube, the last value, may be negative.
    return spaces.Box(-1.0, np.inf, (width,), np.float32)


def _seed(seed: Optional[int]) -> int:
    return secrets.randbits(63) if seed is None else seed


class BackgammonVectorEnv(VectorEnv[Array, Array, Array]):
    """Thousands of games of backgammon at once, with or without the cube.

    An action is an index among the legal results of each game. They are in ``info["results"]``,
    ``int8[m, 26]`` board rows with the opponent on roll. Those of game ``i`` are from
    ``info["offsets"][i]`` to ``info["offsets"][i + 1]``. An agent evaluates all and takes
    ``nonet.lowest(values, info["offsets"])``. ``info["seat"]`` is the seat that decides, 0 or 1,
    and ``info["game"]`` the number of the game.

    ``opponent`` is one of these:

    - ``"self"``: the actions play both sides, each reward is that of the side that played;
    - ``"pubeval"`` or ``"random"``;
    - ``"champion"``, ``"expert"``, ``"swift"``, ``"small"`` or a net file, each with ``:1`` to
      ``:4`` for its plies;
    - a ``nonet.Net`` or a ``nonet.Engine``.

    Other than ``"self"`` it sits in seat 1 and plays between the actions.

    ``observation`` is seen by the player on roll, and is one of these:

    - ``"board"``, ``int8[28]``: the board row and the two dice, the higher one first;
    - an encoding of ``nonet.encode``, ``"inputs"`` for ``"contact"``, ``float32``: the inputs and
      the dice divided by 6.

    With ``cube`` these are money games with the cube, ``jacoby`` with the Jacoby rule. Before a
    roll a player who may double decides: action 0 rolls, 1 doubles. A player who has been doubled
    takes (0) or passes (1). ``info["decision"]`` says what is to be decided: 0 a play, 1 whether to
    double, 2 the answer. Only a play has results.

    Observations with a cube end with three more values:

    - the decision;
    - the logarithm of the cube's value to base 2;
    - its owner (1 the player who decides, 0 none, -1 the other).

    The board and the cube are seen by the player who decides, ``info["seat"]``, and rewards count
    the cube.

    The reward is 0 until the end of a game, then its points, -3 to 3. A game that ends is followed
    by the next one in the same step. Its last observation, with dice of 0, is in
    ``info["final_obs"]`` where ``info["_final_obs"]`` is true.

    Game ``g`` of a seed has the dice of game ``g`` of the program. ``dice`` names the kind of
    game: ``"training"`` (nonet train), ``"match"`` (one seat of nonet eval) or ``"record"`` (nonet
    record). Place ``k`` plays games ``k``, ``k + n``, ``k + 2n`` and so on. With ``strict`` an
    action that is no legal index is an error, else it is taken modulo the number of legal results.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self,
        num_envs: int = 1024,
        opponent: Union[str, Net, Engine] = "self",
        observation: str = "board",
        *,
        dice: str = "training",
        strict: bool = True,
        threads: int = 0,
        cube: bool = False,
        jacoby: bool = False,
    ) -> None:
        rival = None if isinstance(opponent, str) and opponent == "self" else opponent
        self._games = Games(num_envs, rival, observation, dice, strict, threads, cube, jacoby)
        self._first = 0
        self._dice_seed: Optional[int] = None
        self.num_envs = num_envs
        self.render_mode = None
        self.single_observation_space = _space(observation, self._games.width())
        self.single_action_space = spaces.Discrete(MAX_RESULTS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: Optional[Any] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begins a game at each place.

        Without ``seed`` the games go on after those before; the first reset then draws a seed.
        """
        super().reset(seed=seed)
        if seed is not None or self._dice_seed is None:
            self._dice_seed, self._first = _seed(seed), 0
        self._games.reset(self._dice_seed, self._first)
        self._first += self.num_envs
        return self._games.observation(), self._games.info()

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Plays one result in each game: observations, rewards, terminated, truncated, info."""
        if self._dice_seed is None:
            raise error.ResetNeeded("the first call must be reset()")
        rewards, terminated, truncated = self._games.step(np.ascontiguousarray(actions, np.int64))
        ended = terminated | truncated
        final = self._games.renew(self.num_envs) if ended.any() else None
        info = self._games.info()
        last_round = int(info["game"].max()) // self.num_envs
        self._first = max(self._first, last_round * self.num_envs + self.num_envs)
        if final is not None:
            info["final_obs"], info["_final_obs"] = final, ended
        return self._games.observation(), rewards, terminated, truncated, info


class BackgammonEnv(Env[Array, np.int64]):
    """One game of backgammon at a time.

    It is as ``BackgammonVectorEnv`` with one place, without its autoreset. ``info["results"]`` are
    the legal results, ``int8[m, 26]`` with the opponent on roll. ``info["action_mask"]``,
    ``int8[3060]``, has their indices; where the cube is decided the mask has two. Another action is
    an error. Without ``strict`` it is taken modulo the number of results: then every action of the
    space is legal, as checkers of environments want it. ``render_mode="ansi"`` draws the board in
    characters.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        opponent: Union[str, Net, Engine] = "self",
        observation: str = "board",
        *,
        dice: str = "training",
        strict: bool = True,
        cube: bool = False,
        jacoby: bool = False,
        render_mode: Optional[str] = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"unknown render mode '{render_mode}': expected ansi")
        rival = None if isinstance(opponent, str) and opponent == "self" else opponent
        self._games = Games(1, rival, observation, dice, strict, 1, cube, jacoby)
        self._next = 0
        self._dice_seed: Optional[int] = None
        self._over = True
        self.render_mode = render_mode
        self._board = observation == "board"
        self.observation_space = _space(observation, self._games.width())
        self.action_space = spaces.Discrete(MAX_RESULTS)

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begins the next game of the seed; ``seed`` begins with its game 0."""
        super().reset(seed=seed)
        if seed is not None or self._dice_seed is None:
            self._dice_seed, self._next = _seed(seed), 0
        self._games.reset(self._dice_seed, self._next)
        self._next += 1
        self._over = False
        return self._games.observation()[0], self._info()

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Plays a result: observation, reward, terminated, truncated, info."""
        if self._over:
            raise error.ResetNeeded("the game is over or has not begun: call reset() first")
        rewards, terminated, truncated = self._games.step(np.array([action], np.int64))
        self._over = bool(terminated[0] or truncated[0])
        seen = self._games.observation()[0]
        return seen, float(rewards[0]), bool(terminated[0]), bool(truncated[0]), self._info()

    def _info(self) -> dict[str, Any]:
        info = self._games.info()
        mask = np.zeros(MAX_RESULTS, np.int8)
        mask[: 0 if self._over else int(self._games.counts()[0])] = 1
        one = {
            "results": info["results"],
            "action_mask": mask,
            "seat": int(info["seat"][0]),
            "game": int(info["game"][0]),
        }
        if "decision" in info:
            one["decision"] = int(info["decision"][0])
        return one

    def render(self) -> Optional[str]:
        """The board in characters, seen by the player on roll, with ``render_mode="ansi"``."""
        if self.render_mode != "ansi":
            return None
        board, dice = self._games.boards()
        state = GameState.from_board(board[0])
        return str(state.with_dice((int(dice[0][0]), int(dice[0][1]))) if dice[0][0] else state)


if "nonet/Backgammon-v0" not in registry:
    register(id="nonet/Backgammon-v0", entry_point="nonet._gym:BackgammonEnv")

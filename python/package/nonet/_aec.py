"""The PettingZoo environment."""

from __future__ import annotations

import secrets
from typing import Any, Optional

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ._arrays import MAX_RESULTS, flip
from ._gym import MOST
from ._nonet import GameState, Games


class BackgammonAECEnv(AECEnv):  # type: ignore[misc, type-arg, unused-ignore]
    """A game of backgammon between ``"player_0"`` and ``"player_1"``; the dice decide who begins.

    An observation is a ``dict`` of two arrays:

    - ``"observation"``, ``int8[28]``: the board row as its player sees it and the two dice (0 while
      the other one is on roll);
    - ``"action_mask"``, ``int8[3060]``: 1 for each index among the legal results.

    ``infos[agent]["results"]`` lists the legal results as rows with the other player on roll.
    Rewards are the points of the game, -3 to 3, at its end. Game ``g`` after a reset with a seed
    has the dice of game ``g`` of the program, as ``nonet.BackgammonVectorEnv`` explains.

    With ``cube``, and ``jacoby``, it is a money game with the cube as explained there. Then the
    observation is ``int8[31]``, and ``infos[agent]["decision"]`` says what is to be decided.
    """

    metadata = {
        "render_modes": ["ansi"],
        "name": "nonet_backgammon_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        *,
        dice: str = "training",
        cube: bool = False,
        jacoby: bool = False,
        render_mode: Optional[str] = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f"unknown render mode '{render_mode}': expected ansi")
        self.render_mode = render_mode
        self._games = Games(1, None, "board", dice, True, 1, cube, jacoby)
        self._cube = cube
        self._dice_seed: Optional[int] = None
        self._next = 0
        self.possible_agents = ["player_0", "player_1"]
        self.agents = list(self.possible_agents)
        seen = spaces.Dict(
            {
                "observation": spaces.Box(-15, MOST, (self._games.width(),), np.int8),
                "action_mask": spaces.Box(0, 1, (MAX_RESULTS,), np.int8),
            }
        )
        self._seen = {agent: seen for agent in self.possible_agents}
        self._acts = {agent: spaces.Discrete(MAX_RESULTS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same space for both players."""
        return self._seen[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same space for both players."""
        return self._acts[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        """Begins the next game of the seed; ``seed`` begins with its game 0."""
        if seed is not None or self._dice_seed is None:
            self._dice_seed, self._next = (secrets.randbits(63) if seed is None else seed), 0
        self._games.reset(self._dice_seed, self._next)
        self._next += 1
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self._turn()

    def _turn(self) -> None:
        info = self._games.info()
        self.agent_selection = self.possible_agents[int(info["seat"][0])]
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection]["results"] = info["results"]
        if self._cube:
            self.infos[self.agent_selection]["decision"] = int(info["decision"][0])

    def observe(self, agent: str) -> dict[str, Any]:
        """The board as ``agent`` sees it, with the mask of legal indices."""
        seen = self._games.observation()[0]
        mask = np.zeros(MAX_RESULTS, np.int8)
        over = any(self.terminations.values()) or any(self.truncations.values())
        # After the last play the board is that of the player who would be next.
        on_roll = self.agent_selection if not over else self._next_player
        if agent != on_roll:
            waits = np.zeros_like(seen)
            waits[:26] = flip(seen[None, :26])[0]
            if self._cube:
                waits[-2:] = seen[-2], -seen[-1]
            return {"observation": waits, "action_mask": mask}
        mask[: 0 if over else int(self._games.counts()[0])] = 1
        return {"observation": seen, "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        """Plays the result with this index for the selected player."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        rewards, terminated, truncated = self._games.step(np.array([action], np.int64))
        self._cumulative_rewards[agent] = 0.0
        other = self.possible_agents[1 - self.possible_agents.index(agent)]
        points = float(rewards[0])
        self.rewards = {agent: points, other: -points}
        if terminated[0] or truncated[0]:
            self._next_player = other
            self.terminations = {one: bool(terminated[0]) for one in self.agents}
            self.truncations = {one: bool(truncated[0]) for one in self.agents}
            self.infos = {one: {} for one in self.agents}
            self.agent_selection = other
        else:
            self._turn()
        self._accumulate_rewards()

    def render(self) -> Optional[str]:
        """The board in characters, seen by the player on roll, with ``render_mode="ansi"``."""
        if self.render_mode != "ansi":
            return None
        board, dice = self._games.boards()
        state = GameState.from_board(board[0])
        return str(state.with_dice((int(dice[0][0]), int(dice[0][1]))) if dice[0][0] else state)

    def close(self) -> None:
        """Nothing is open."""

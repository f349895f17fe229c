"""Checks against engines that others wrote, where they are installed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import nonet
from nonet import GameState

gnubg = pytest.importorskip(
    "gnubg_nn",
    reason="gnubg-nn is not installed: nothing is compared with it (pip install gnubg-nn)",
)


def board_of_gnubg(board: npt.NDArray[np.int8]) -> list[list[int]]:
    """Two rows of 25, the opponent's first.

    They are points 1 to 24 and the bar, each side counting its own.
    """
    return [[max(0, -int(n)) for n in board[24::-1]], [max(0, int(n)) for n in board[1:]]]


def test_position_ids_are_those_of_gnubg(boards: npt.NDArray[np.int8]) -> None:
    for board in boards[::97]:
        position_id = GameState.from_board(board).position_id
        assert gnubg.position_id(board_of_gnubg(board)) == position_id
        assert gnubg.board_from_position_id(position_id) == board_of_gnubg(board)


def test_legal_results_are_as_many_as_gnubgs(boards: npt.NDArray[np.int8]) -> None:
    rng = np.random.default_rng(5)
    unfinished = boards[nonet.classify(boards) != 255][::31]
    dice = rng.integers(1, 7, (len(unfinished), 2))
    _, offsets = nonet.legal_results(unfinished, dice)
    for board, (a, b), count in zip(unfinished, dice, np.diff(offsets)):
        theirs = gnubg.moves(board_of_gnubg(board), int(a), int(b))
        # gnubg gives no move where there is none, nonet the same board with the opponent on roll.
        assert max(1, len(theirs)) == count


def test_evaluations_are_near_gnubgs(quick: nonet.Engine) -> None:
    env = nonet.BackgammonVectorEnv(40)
    seen, info = env.reset(seed=1)
    found = []
    for _ in range(50):
        found.append(seen[:, :26])
        actions = nonet.lowest(quick.evaluate(info["results"])[:, 5], info["offsets"])
        seen, _, _, _, info = env.step(actions)
    boards = np.concatenate(found)
    ours = quick.evaluate(boards)[:, :5]
    theirs = np.array([gnubg.probabilities(board_of_gnubg(board), 0) for board in boards])
    assert np.sqrt(np.mean((ours - theirs) ** 2)) < 0.04
    assert np.corrcoef(ours[:, 0], theirs[:, 0])[0, 1] > 0.99

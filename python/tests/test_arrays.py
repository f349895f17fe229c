"""Arrays: layouts, the same numbers as single answers, and refusals."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt
import pytest

import nonet
from nonet import Engine, GameState

Boards = npt.NDArray[np.int8]


def test_evaluations_are_those_of_single_positions(quick: Engine) -> None:
    state = GameState.start().with_dice("31")
    moves = {tuple(move.after.board): move for move in quick.moves(state, cubeless=True)}
    results, offsets = nonet.legal_results(state.board[None], "31")
    values = quick.evaluate(results)
    assert values.shape == (len(moves), 6) and values.dtype == np.float32
    assert list(offsets) == [0, len(moves)]
    for result, value in zip(results, values):
        win, win_gammon, _, lose_gammon, _ = moves[tuple(result)].chances
        assert value[5] == pytest.approx(-moves[tuple(result)].cubeless, abs=1e-6)
        assert value[[0, 1, 3]] == pytest.approx([1 - win, lose_gammon, win_gammon], abs=1e-6)


def test_the_equity_of_the_heads_is_the_mean_of_both_ways(boards: Boards, quick: Engine) -> None:
    values, heads = quick.evaluate(boards), quick.heads(boards)
    points = heads[:, 1:] @ np.array([1, 2, 3, -1, -2, -3], np.float32)
    assert values[:, 5] == pytest.approx((heads[:, 0] + points) / 2, abs=1e-5)
    assert len(nonet.COLUMNS) == 6 and len(nonet.HEADS) == 7


def test_finished_games_are_exact(quick: Engine) -> None:
    won = np.zeros((1, 26), np.int8)
    won[0, 0] = -15
    assert quick.evaluate(won)[0] == pytest.approx([1, 1, 1, 0, 0, 3])
    assert quick.evaluate(nonet.flip(won))[0] == pytest.approx([0, 0, 0, 1, 1, -3])
    assert nonet.classify(won)[0] == 255 and not nonet.encode(won).any()
    assert len(nonet.legal_results(won, "31")[0]) == 0


def test_the_number_of_threads_changes_no_bit(boards: Boards) -> None:
    many = np.tile(boards, (4, 1))
    one, two = (Engine(1, bearoff=False, threads=threads).evaluate(many) for threads in (1, 3))
    assert np.array_equal(one, two)
    assert np.array_equal(nonet.encode(many, threads=1), nonet.encode(many, threads=3))
    dice = np.random.default_rng(1).integers(1, 7, (len(many), 2))
    (a, a_offsets), (b, b_offsets) = (nonet.legal_results(many, dice, threads=n) for n in (1, 3))
    assert np.array_equal(a, b) and np.array_equal(a_offsets, b_offsets)


def test_deeper_evaluations_are_those_of_the_search(quick: Engine) -> None:
    deep = quick.evaluate(nonet.START[None], ply=2)[0]
    # The mean over the rolls of the best results, by hand.
    total = 0.0
    for low, high in combinations_with_replacement(range(1, 7), 2):
        results, _ = nonet.legal_results(nonet.START[None], (low, high))
        total += -float(quick.evaluate(results)[:, 5].min()) * (1 if low == high else 2) / 36
    assert deep[5] == pytest.approx(total, abs=1e-4)


def test_legal_results_have_the_published_counts_and_the_opponent_on_roll() -> None:
    rolls = list(combinations_with_replacement(range(1, 7), 2))
    boards = np.tile(nonet.START, (21, 1))
    results, offsets = nonet.legal_results(boards, np.array(rolls))
    # 447 results of the 21 rolls, as any correct generator finds.
    assert len(results) == offsets[-1] == 447
    for i, (low, high) in enumerate(rolls):
        mine = results[offsets[i] : offsets[i + 1]]
        assert len(np.unique(mine, axis=0)) == len(mine)
        state = GameState.start().with_dice((low, high))
        plays = {tuple(state.play(play).board) for play in state.legal_plays()}
        assert plays == {tuple(row) for row in mine}


def test_a_dance_has_one_result() -> None:
    state = GameState("XGID=aBBBBBBA-----------------A:0:0:1:00:0:0:0:0:10")
    closed = nonet.flip(state.board[None])
    results, _ = nonet.legal_results(closed, "66")
    assert np.array_equal(results, state.board[None])


def test_no_roll_has_more_results_than_the_bound(boards: Boards) -> None:
    spread = np.zeros((1, 26), np.int8)
    spread[0, 8:23] = 1
    spread[0, 1] = -15
    for die in range(1, 7):
        assert len(nonet.legal_results(spread, (die, die))[0]) <= nonet.MAX_RESULTS
    assert nonet.flip(nonet.flip(boards)).tobytes() == boards.tobytes()


def test_inputs_are_named_and_say_what_stands_on_the_board() -> None:
    inputs = nonet.encode(nonet.START[None])[0]
    named = dict(zip(nonet.input_names(), inputs))
    assert len(named) == 393 == len(inputs)
    assert named["own point 24: 2 or more"] == 1 and named["own point 6: beyond 4"] == 0.5
    assert named["own pips"] == pytest.approx(1.67)
    widths = {name: len(nonet.input_names(name)) for name in ("contact", "race", "endgame", "raw")}
    assert widths == {"contact": 393, "race": 277, "endgame": 68, "raw": 248}


def test_every_board_has_a_class(boards: Boards) -> None:
    classes = nonet.classify(boards)
    unfinished = classes != 255
    assert set(classes[unfinished]) <= set(range(len(nonet.CLASSES)))
    assert nonet.CLASSES[nonet.classify(nonet.START[None])[0]] == "default"
    over = ((boards > 0).sum(1) == 0) | ((boards < 0).sum(1) == 0)
    assert np.array_equal(over, ~unfinished)


def test_the_lowest_value_of_each_segment_is_chosen() -> None:
    values = np.array([3, 1, 1, 5, 2], np.float32)
    assert list(nonet.lowest(values, [0, 3, 5])) == [1, 1]
    assert list(nonet.lowest(values, [0, 3, 3, 5])) == [1, 0, 1]
    with pytest.raises(ValueError, match="invalid segment 1, 3 to 2"):
        nonet.lowest(values, [0, 3, 2])
    with pytest.raises(ValueError, match="invalid segment 0, 0 to 6"):
        nonet.lowest(values, [0, 6])


def test_wrong_arrays_are_refused_in_words(quick: Engine) -> None:
    two = np.tile(nonet.START, (2, 1))
    with pytest.raises(ValueError, match=r"invalid boards of shape \(26,\): expected \(n, 26\)"):
        quick.evaluate(nonet.START)
    with pytest.raises(ValueError, match=r"invalid boards of shape \(2, 25\)"):
        quick.evaluate(two[:, 1:])
    with pytest.raises(ValueError, match="invalid boards of type float64: expected whole numbers"):
        quick.evaluate(two.astype(float))
    with pytest.raises(ValueError, match="expected numbers of checkers"):
        quick.evaluate(two.astype(int) + 512)
    wrong = np.tile(nonet.START, (3000, 1))
    wrong[1234, 25] = -1
    wrong[2500, 25] = -1
    bar = "invalid board in row 1234: invalid bar of the player on roll"
    with pytest.raises(ValueError, match=bar):
        quick.evaluate(wrong)
    shape = r"invalid dice of shape \(3, 2\): expected \(2,\) or \(2, 2\)"
    with pytest.raises(ValueError, match=shape):
        nonet.legal_results(two, [[1, 2]] * 3)
    with pytest.raises(ValueError, match="invalid dice: expected whole numbers from 1 to 6"):
        nonet.legal_results(two, (0, 7))
    with pytest.raises(ValueError, match="unknown encoding 'all': expected one of endgame"):
        nonet.encode(two, "all")


def test_any_order_in_memory_gives_the_same(boards: Boards, quick: Engine) -> None:
    values = quick.evaluate(boards)
    assert np.array_equal(quick.evaluate(np.asfortranarray(boards)), values)
    assert np.array_equal(quick.evaluate(boards.astype(np.int64)), values)
    assert np.array_equal(quick.evaluate(boards[::2]), values[::2])
    assert quick.evaluate(np.empty((0, 26), np.int8)).shape == (0, 6)

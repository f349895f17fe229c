"""States: IDs, boards, plays, pictures."""

from __future__ import annotations

import base64
import copy
import pickle
import xml.etree.ElementTree as ElementTree

import numpy as np
import numpy.typing as npt
import pytest

import nonet
from nonet import GameState

XGID = "XGID=-a-B--E-C---dD---c-e----A-:1:1:1:52:2:4:0:7:10"


def position_id(board: npt.NDArray[np.int8]) -> str:
    """A Position ID by the description of the format in GNU Backgammon's manual.

    It is written for this test.
    """
    bits = ""
    own = [int(n) for n in board[1:26]]
    their = [-int(n) for n in board[24::-1]]
    # The opponent of the player on roll comes first. Each point is a 1 for every checker and then a
    # 0 at the end.
    for side in (their, own):
        bits += "".join("1" * max(0, n) + "0" for n in side)
    data = bytes(int(bits[i : i + 8][::-1].rjust(8, "0"), 2) for i in range(0, 80, 8))
    return base64.b64encode(data).decode().rstrip("=")


def test_the_three_kinds_of_id_are_read_and_written() -> None:
    state = GameState(XGID)
    assert state.xgid == XGID
    assert (state.dice, state.cube, state.cube_owner) == ((5, 2), 2, "own")
    assert (state.match_length, state.score, state.crawford) == (7, (2, 4), False)
    assert GameState(state.gnu_id).gnu_id == state.gnu_id
    money = GameState(state.position_id)
    assert (money.match_length, money.score, money.dice) == (None, None, None)
    assert np.array_equal(money.board, state.board)


def test_board_rows_have_the_documented_layout(boards: npt.NDArray[np.int8]) -> None:
    assert np.array_equal(GameState.start().board, nonet.START)
    for board in boards[::50]:
        assert GameState.from_board(board).position_id == position_id(board)
    bar = GameState("XGID=-a-B--E-C---dD---c-e----A-:0:0:1:00:0:0:0:0:10").board
    assert bar[25] == 0 and bar[24] == 1 and bar[1] == -1


def test_wrong_texts_are_value_errors_in_words() -> None:
    with pytest.raises(ValueError, match="invalid GNU Position ID '4HPwATDgc': invalid length 9"):
        GameState("4HPwATDgc")
    with pytest.raises(ValueError, match=r"invalid roll \(7, 1\): expected two dice from 1 to 6"):
        GameState.start().with_dice((7, 1))
    with pytest.raises(ValueError, match="invalid roll '77'"):
        GameState.start().with_dice("77")
    with pytest.raises(ValueError, match="illegal play '8/4 8/4': expected a legal play of 31"):
        GameState.start().with_dice("31").play("8/4 8/4")
    with pytest.raises(ValueError, match="dice have not been rolled"):
        GameState.start().play("8/5 6/5")
    sixteen = np.zeros(26, np.int8)
    sixteen[6] = 16
    with pytest.raises(ValueError, match="invalid number of checkers 16"):
        GameState.from_board(sixteen)


def test_after_a_play_the_opponent_is_on_roll() -> None:
    state = GameState(XGID).with_dice("31")
    after = state.play(state.legal_plays()[0])
    assert (after.dice, after.score, after.cube_owner) == (None, (4, 2), "opponent")
    assert after.pips[1] == state.pips[0] - 4


def test_a_finished_game_knows_its_points() -> None:
    board = np.zeros(26, np.int8)
    board[24] = -15
    lost = GameState.from_board(nonet.flip(board[None])[0])
    assert lost.is_over and lost.points == -2
    assert "the game is over" in repr(lost)


def test_states_are_equal_hashed_copied_and_pickled_by_their_content() -> None:
    state = GameState(XGID)
    assert state == GameState(XGID) and state != state.with_dice("11")
    assert len({state, GameState(XGID)}) == 1
    assert pickle.loads(pickle.dumps(state)) == state == copy.deepcopy(state)


def test_repr_is_a_line_str_a_board_and_notebooks_get_a_picture() -> None:
    state = GameState(XGID)
    assert repr(state) == f"<GameState 52 to play; match to 7, X 2, O 4; cube 2 owned by X; {XGID}>"
    assert str(state).count("\n") == 13 and "X plays 52" in str(state)
    picture = ElementTree.fromstring(state._repr_svg_())
    # Each checker is a copy of one of two drawn ones, `#cx` and `#co`.
    used = [element.get("href", "") for element in picture.iter() if element.tag.endswith("use")]
    shown = int(np.minimum(np.abs(state.board), 5).sum())
    assert sum(name in ("#cx", "#co") for name in used) == shown

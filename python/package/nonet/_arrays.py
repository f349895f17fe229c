"""Arrays of boards: checked here, computed in Rust."""

from __future__ import annotations

from typing import Any, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _nonet

Int8 = npt.NDArray[np.int8]
Float32 = npt.NDArray[np.float32]
Int64 = npt.NDArray[np.int64]
Dice = Union[str, Tuple[int, int], npt.ArrayLike]

#: The columns of ``Engine.evaluate``: chances, each including the greater ones, and the equity in
#: points per game.
COLUMNS = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon", "equity")

#: The columns of ``Engine.heads`` and the outputs of a net. They are the average result in points
#: per game, and the six ends of a game one by one.
HEADS = ("average", "win", "win_gammon", "win_backgammon", "lose", "lose_gammon", "lose_backgammon")

#: A bound on the results of one roll. It is the number of ways to divide the four moves of a double
#: among 15 checkers, 18 over 4.
MAX_RESULTS = 3060

#: The start of a game, ``int8[26]``; cannot be written to.
START: Int8 = np.array(
    [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0],
    dtype=np.int8,
)
START.setflags(write=False)


def as_boards(boards: Any) -> Int8:
    """``boards`` as ``int8[n, 26]`` in the order of C; a copy only where it is not that already."""
    array = np.asarray(boards)
    if array.ndim != 2 or array.shape[1] != 26:
        if array.size == 0:
            return np.empty((0, 26), np.int8)
        raise ValueError(
            f"invalid boards of shape {array.shape}: expected (n, 26), one row for each board"
        )
    if array.dtype.kind not in "iu":
        raise ValueError(f"invalid boards of type {array.dtype}: expected whole numbers, int8")
    with np.errstate(all="ignore"):
        small = array.astype(np.int8, copy=False)
    if small is not array and not np.array_equal(small, array):
        raise ValueError("invalid boards: expected numbers of checkers, -15 to 15")
    return np.ascontiguousarray(small)


def as_dice(dice: Any, n: int) -> npt.NDArray[np.uint8]:
    """``dice`` as ``uint8[n, 2]``: one roll for all boards, or one for each."""
    if isinstance(dice, str):
        dice = _nonet.GameState.start().with_dice(dice).dice
    array = np.asarray(dice)
    if array.dtype.kind not in "iu":
        raise ValueError(f"invalid dice of type {array.dtype}: expected whole numbers from 1 to 6")
    if array.shape not in ((2,), (n, 2)):
        raise ValueError(f"invalid dice of shape {array.shape}: expected (2,) or ({n}, 2)")
    if array.size and (array.min() < 1 or array.max() > 6):
        raise ValueError("invalid dice: expected whole numbers from 1 to 6")
    return np.ascontiguousarray(np.broadcast_to(array.astype(np.uint8), (n, 2)))


def encode(boards: npt.ArrayLike, encoding: str = "contact", *, threads: int = 0) -> Float32:
    """The inputs of a net for each board: ``float32[n, inputs]`` of ``int8[n, 26]``.

    These are the encodings:

    - ``"contact"``: the 393 inputs of Wiering, Patist & Mannen for positions with contact, which
      describe any position;
    - ``"race"``: 277 inputs for positions without contact;
    - ``"endgame"``: 68 inputs for bearoffs on both sides;
    - ``"raw"``: 248 inputs for the checkers alone.

    ``input_names`` names the inputs, ``Net.encodings`` says which net reads which encoding.
    Finished games have zeros.
    """
    return _nonet.encode(as_boards(boards), encoding, threads)


def input_names(encoding: str = "contact") -> list[str]:
    """What each input of an encoding is, in order: ``"own point 24: 2 or more"``."""
    return _nonet.input_names(encoding)


def classify(boards: npt.ArrayLike, *, threads: int = 0) -> npt.NDArray[np.uint8]:
    """The strategic class of each board, ``uint8[n]``.

    It is an index in ``nonet.CLASSES``, 255 for a finished game.
    """
    return _nonet.classify(as_boards(boards), threads)


def flip(boards: npt.ArrayLike) -> Int8:
    """The same boards seen by the other player, ``int8[n, 26]``."""
    return _nonet.flip(as_boards(boards))


def legal_results(boards: npt.ArrayLike, dice: Dice, *, threads: int = 0) -> tuple[Int8, Int64]:
    """All distinct boards after a legal play.

    The two arrays are ``results``, ``int8[m, 26]``, and ``offsets``, ``int64[n + 1]``. The results
    of board ``i`` are ``results[offsets[i]:offsets[i + 1]]``, in an order that depends on board and
    roll alone. They have the **opponent** on roll. A roll that cannot be played has one result, a
    finished game has none. ``dice`` is ``"31"``, ``(3, 1)``, or ``[n, 2]`` with a roll for each
    board.
    """
    rows = as_boards(boards)
    return _nonet.legal_results(rows, as_dice(dice, len(rows)), threads)


def lowest(values: npt.ArrayLike, offsets: Union[Int64, Sequence[int]]) -> Int64:
    """The index, within each segment of ``values``, of its lowest value.

    It is ``int64[n]`` of ``values``, ``float32[m]``, and ``offsets``, ``int64[n + 1]``. With the
    equities of results and their offsets these are the best plays, because results have the
    opponent on roll. The index of an empty segment is 0. Where a decision about the cube stands
    instead of a play, 0 is to roll, or to take.
    """
    return _nonet.lowest(
        np.ascontiguousarray(values, dtype=np.float32),
        np.ascontiguousarray(offsets, dtype=np.int64),
    )

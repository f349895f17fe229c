"""Training runs from Python."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, cast

import numpy as np
import numpy.typing as npt

from . import _nonet
from ._nonet import Net

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import TrainOptions

#: Options with keywords of Python as names: ``lambda_`` and ``from_``.
_WORDS = {"lambda_": "lambda", "from_": "from"}

#: The figures of a team in a test.
_FIGURES = ("ppg", "stderr", "wins", "points")


@dataclass(frozen=True)
class Training:
    """A finished or stopped training run."""

    #: The result: the winner of the play-off, or the best team by the tests.
    net: Net
    #: The last weights.
    last: Net
    #: The learning curve, one entry a test, ``float64``.
    #:
    #: It has ``games`` learned from, ``alpha`` and ``lambda``. Of the last weights it has ``ppg``
    #: (points per game against the opponent of the tests), ``stderr``, ``wins`` and ``points``
    #: (shares won, 0 to 1). Those of the moving average are ``average_ppg`` and so on, not a number
    #: where there is none. Against further opponents of ``against="pubeval,random"`` it has those
    #: of the team that stands for the run, as ``random_ppg``.
    curve: dict[str, npt.NDArray[np.float64]]
    #: Games learned from.
    games: int
    #: Whether a callback stopped it.
    stopped: bool
    #: The command that makes this run.
    command: str
    #: Everything that the run counted, as in its checkpoint.
    progress: dict[str, Any] = field(repr=False)

    def frame(self) -> Any:
        """The curve as a ``pandas.DataFrame``; needs pandas."""
        import pandas

        return pandas.DataFrame(self.curve)


def _row(test: Mapping[str, Any], against: str) -> dict[str, float]:
    row = {name: float(test[name]) for name in ("games", "alpha", "lambda")}
    others = test.get("others", [])
    # The command of a UBGI engine may hold commas: such an engine comes last.
    names = [f"{name.strip()}_" for name in against.split(",", len(others))[1:]]
    teams = [("", test["last"]), ("average_", test["ema"] or {}), *zip(names, others)]
    for prefix, result in teams:
        row.update({f"{prefix}{name}": float(result.get(name, np.nan)) for name in _FIGURES})
    return row


def train(
    spec: Optional[Mapping[str, Any]] = None,
    *,
    on_test: Optional[Callable[[dict[str, float]], Optional[bool]]] = None,
    progress: Optional[Callable[[int, int], Any]] = None,
    play_off: bool = True,
    threads: int = 0,
    **options: Unpack[TrainOptions],
) -> Training:
    """Trains a team of nets, as ``nonet train`` does.

    The same options and the same seed give the same net, whatever the number of threads. Options
    are the keys of ``nonet.TRAIN_OPTIONS``, in ``spec`` or by name, with ``lambda_`` and ``from_``
    for the two that are words of Python:
    ``nonet.train(games=20_000, preset="small", alpha="0.1..0.01", seed=2)``.
    ``nonet train --help`` explains each.

    ``on_test`` gets each row of the learning curve when its test has been played. The run waits for
    its answer, and ends after this test if that is ``False``. So it ends after the same number of
    games each time. Such a run has no play-off and no last match: ``net`` is the best team by the
    tests. ``stopped`` is true then, also if the test was the last one. An exception of ``on_test``
    ends the run without a result, and so does Ctrl-C.

    ``progress`` is called with the games learned from and their number. ``play_off=False`` leaves
    out the matches at the end that choose and measure the result. An opponent in another program
    that fails is a ``RuntimeError``, also in the last match.
    """
    given: dict[str, Any] = {**(spec or {}), **cast("dict[str, Any]", options)}
    merged = {_WORDS.get(key, key): value for key, value in given.items()}
    for key in ("alpha", "lambda"):
        if key in merged:
            merged[key] = str(merged[key])

    against = str(merged.get("against", "pubeval"))

    def tested(text: str) -> Optional[bool]:
        return None if on_test is None else on_test(_row(json.loads(text), against))

    text = json.dumps(merged)
    net, last, facts = _nonet.train(text, tested if on_test else None, progress, play_off, threads)
    known = json.loads(facts)
    rows = [_row(test, against) for test in known["progress"]["history"]]
    names = rows[0].keys() if rows else ("games", "alpha", "lambda", *_FIGURES)
    return Training(
        net=net,
        last=last,
        curve={name: np.array([row[name] for row in rows]) for name in names},
        games=known["progress"]["games"],
        stopped=known["stopped"],
        command=known["command"],
        progress=known["progress"],
    )

"""The backgammon engine nonet.

It has plays, cube decisions, rollouts, analyses, arrays, environments and training.

**Board rows.** A position is a row of 26 ``int8``, seen by the player on roll:

- ``row[1]`` to ``row[24]`` are the points, counted from the own home board (1 to 6);
- own checkers are positive there, the opponent's negative;
- ``row[25]`` is the own bar, 0 or more;
- ``row[0]`` is the opponent's bar, 0 or less.

Checkers that are missing to the 15 of a side have been borne off. ``nonet.START`` is the start of
a game.

**Results.** A *result* is the board after a play, a row with the *opponent* on roll. Its
evaluation is the opponent's, and the lowest equity is the best play.

**Plies.** 1-ply is the static evaluation of every legal result (gnubg's 0-ply). Equities are
points per game on a cube at 1.

Errors are exceptions: ``ValueError`` for arguments, ``OSError`` for files. Long work releases the
interpreter's lock and can be interrupted by Ctrl-C. Only ``reset`` and ``step`` of the
environments do not look at signals: Ctrl-C takes effect after such a call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._analysis import Analysis
from ._arrays import (
    COLUMNS,
    HEADS,
    MAX_RESULTS,
    START,
    classify,
    encode,
    flip,
    input_names,
    legal_results,
    lowest,
)
from ._nets import load_safetensors, save_safetensors
from ._nonet import (
    ANALYSIS_SCHEMA,
    CLASSES,
    PRESETS,
    TRAIN_OPTIONS,
    CubeDecision,
    CubeRollout,
    Deck,
    Engine,
    GameState,
    Move,
    Net,
    Rollout,
    Series,
    __version__,
    play_games,
)
from ._training import Training, train

if TYPE_CHECKING:
    from ._aec import BackgammonAECEnv
    from ._gym import BackgammonEnv, BackgammonVectorEnv

__all__ = [
    "ANALYSIS_SCHEMA",
    "CLASSES",
    "COLUMNS",
    "HEADS",
    "MAX_RESULTS",
    "PRESETS",
    "START",
    "TRAIN_OPTIONS",
    "Analysis",
    "BackgammonAECEnv",
    "BackgammonEnv",
    "BackgammonVectorEnv",
    "CubeDecision",
    "CubeRollout",
    "Deck",
    "Engine",
    "GameState",
    "Move",
    "Net",
    "Rollout",
    "Series",
    "Training",
    "__version__",
    "classify",
    "encode",
    "flip",
    "input_names",
    "legal_results",
    "load_safetensors",
    "lowest",
    "play_games",
    "save_safetensors",
    "train",
]

# Environments need packages that the engine does not: they are imported when they are asked for.
_OPTIONAL = {
    "BackgammonEnv": ("_gym", "gymnasium"),
    "BackgammonVectorEnv": ("_gym", "gymnasium"),
    "BackgammonAECEnv": ("_aec", "pettingzoo"),
}


def __getattr__(name: str) -> Any:
    if name not in _OPTIONAL:
        raise AttributeError(f"module 'nonet' has no attribute '{name}'")
    from importlib import import_module

    module, package = _OPTIONAL[name]
    try:
        found = getattr(import_module(f"nonet.{module}"), name)
    except ImportError as error:
        raise ImportError(
            f"nonet.{name} needs {package}, which cannot be imported ({error}):"
            f" pip install 'nonet[{package}]'"
        ) from error
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)

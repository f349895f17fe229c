"""What the tests share: positions, and the program `nonet` for comparisons of answers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Callable

import numpy as np
import numpy.typing as npt
import pytest

import nonet

ROOT = Path(__file__).resolve().parents[2]

Program = Callable[..., Any]


@pytest.fixture(scope="session")
def program() -> Program:
    """Runs the program with `--json` and returns its answer.

    `NONET` names it; else it is looked for in target/ and on the path.
    """
    places = [
        os.environ.get("NONET"),
        ROOT / "target/release/nonet",
        ROOT / "target/debug/nonet",
        shutil.which("nonet"),
    ]
    found = next((str(place) for place in places if place and Path(place).is_file()), None)
    if found is None:
        if "NONET_WANT_PROGRAM" in os.environ:
            pytest.fail(
                "the program nonet is missing: build it with cargo build, or name it in NONET"
            )
        pytest.skip("the program nonet is not built: nothing is compared with it")

    def run(*words: object) -> Any:
        command = [found, *map(str, words), "--json"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return lines[0] if len(lines) == 1 else lines

    return run


@pytest.fixture(scope="session")
def quick() -> nonet.Engine:
    """The champion at 1-ply without the bearoff databases."""
    return nonet.Engine(ply=1, bearoff=False)


@pytest.fixture(scope="session")
def boards() -> npt.NDArray[np.int8]:
    """Positions of random games: openings, contact, races, bearoffs."""
    env = nonet.BackgammonVectorEnv(40, "self", "board")
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=3)
    found = [info["results"]]
    for _ in range(160):
        counts = np.diff(info["offsets"])
        _, _, _, _, info = env.step(rng.integers(0, counts))
        found.append(info["results"][:: 7])
    return np.concatenate(found)

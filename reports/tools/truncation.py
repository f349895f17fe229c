"""Rolls out 100 positions of all classes to the end and truncated, with the same dice.

    python3 reports/tools/truncation.py NONET > reports/truncation/rollouts.jsonl

NONET is the program. A line of output is a position and its equities with and without the cube.
What is in the output already (`--resume FILE`) is not computed again.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

GAMES, SEED = 576, 1
PLIES = (7, 11, 0)  # 0: to the end
POSITIONS, CLASSES = 100, 9


def answer(program: str, *words: object) -> dict[str, Any]:
    done = subprocess.run(
        [program, *map(str, words), "--json"], check=True, capture_output=True, text=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def positions(program: str) -> list[tuple[str, str]]:
    """The first reference decisions of each class that are not decided, 12 or 11 of each."""
    lines = Path("nets/decisions.txt").read_text().splitlines()
    ids = dict.fromkeys(line.split(" ")[0] for line in lines[1:] if not line.startswith("#"))
    by_class: dict[str, list[str]] = {}
    for position in ids:
        static = answer(program, "cube", position, "--ply", 1)
        if abs(static["cubeless"]) < 0.9:
            by_class.setdefault(static["class"], []).append(position)
        if len(by_class) == CLASSES and all(len(found) >= 12 for found in by_class.values()):
            break
    turns = [
        (found[turn], name)
        for turn in range(12)
        for name, found in sorted(by_class.items())
        if turn < len(found)
    ]
    return turns[:POSITIONS]


def main() -> None:
    program = sys.argv[1]
    done: set[str] = set()
    if "--resume" in sys.argv:
        text = Path(sys.argv[sys.argv.index("--resume") + 1]).read_text()
        done = {json.loads(line)["id"] for line in text.splitlines()}
    for position, name in positions(program):
        if position in done:
            continue
        row: dict[str, Any] = {"id": position, "class": name}
        for plies in PLIES:
            options = ("--games", GAMES, "--seed", SEED, "--truncate", plies)
            rolled = answer(program, "rollout", position, *options)["rollouts"][0]
            row[f"truncate_{plies}"] = {
                name: round(rolled[name], 5) for name in ("equity", "stderr", "cubeless")
            }
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()

"""Explains decisions of all classes, and asks a search a ply deeper about the named rolls.

    python3 reports/tools/why.py NONET PLY COUNT > reports/why/explanations.jsonl

NONET is the program, PLY the depth, COUNT the decisions of each class, in the order of
nets/decisions.txt. A decision counts if the best play is 0.02 to 0.5 points better than the second
best. Those are not asked of which the first judge of the file says, without a cube, that it is less
than 0.01 or more than 0.6 points.

A line of output is a decision with two kinds of parts. One is the part of the difference that the
named rolls make at this depth and a ply deeper. The other is the part of the static difference that
the named themes make. The deeper part is null if the deeper search prefers the other play. Both
parts of rolls are null if no roll is named.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Optional

CLASSES = 9
LEAST, MOST = 0.02, 0.5
ASKED_LEAST, ASKED_MOST = 0.01, 0.6


def judged(play: str) -> float:
    """The equity after a play by the first judge: six chances of the opponent in 16 bits each."""
    win, gammon, backgammon, loss, lost_gammon, lost_backgammon = (
        int(play[at : at + 4], 16) / 65535 for at in range(0, 24, 4)
    )
    return loss + 2 * lost_gammon + 3 * lost_backgammon - win - 2 * gammon - 3 * backgammon


def is_asked(plays: list[str]) -> bool:
    """Whether the first judge puts the second best play about as far behind as it may be."""
    best, second = ([*sorted(map(judged, plays), reverse=True), 0.0, 0.0])[:2]
    return ASKED_LEAST <= best - second <= ASKED_MOST


def why(program: str, *words: object) -> Optional[dict[str, Any]]:
    """The answer; None where the roll has one legal play."""
    command = [program, "why", *map(str, words), "--json", "--no-bearoff", "--threads", "1"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0 and "one legal play" in done.stderr:
        return None
    done.check_returncode()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def part(answer: dict[str, Any], named: set[str]) -> Optional[float]:
    """The part of the difference that these rolls make; None without a difference or rolls."""
    if answer["rolls_loss"] <= 0.0005 or not named:
        return None
    share = sum(roll["share"] for roll in answer["rolls"] if roll["dice"] in named)
    return round(share / answer["rolls_loss"], 4)


def main() -> None:
    program, ply, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    lines = Path("nets/decisions.txt").read_text().splitlines()
    rows = [line.split(" ") for line in lines[1:] if not line.startswith("#")]
    decisions = [row[:2] for row in rows if is_asked(row[3:])]
    found: dict[str, int] = {}
    for position, dice in decisions:
        if len(found) == CLASSES and min(found.values()) >= count:
            break
        answer = why(program, position, dice, "--ply", ply)
        if answer is None or not LEAST <= answer["worse"]["loss"] <= MOST:
            continue
        name = answer["better"]["class"]
        if found.get(name, 0) >= count:
            continue
        found[name] = found.get(name, 0) + 1
        named = {roll["dice"] for roll in answer["rolls"] if roll["named"]}
        better, worse = answer["better"]["play"], answer["worse"]["play"]
        deeper = (
            why(program, position, dice, "--ply", ply + 1, "--instead", worse) if named else None
        )
        same = deeper is not None and [
            deeper["better"]["play"],
            deeper["worse"]["play"],
        ] == [better, worse]
        row = {
            "id": position,
            "dice": dice,
            "class": name,
            "ply": ply,
            "loss": round(answer["worse"]["loss"], 4),
            "named": sorted(named),
            "part": part(answer, named),
            "part_deeper": part(deeper, named) if same and deeper is not None else None,
            "static_difference": answer["static_difference"],
            "decisive": [theme["theme"] for theme in answer["themes"] if theme["decisive"]],
            "decisive_part": answer["decisive_part"],
        }
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()

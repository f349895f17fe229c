"""Speeds of nonet and of gnubg-nn on one core, turn by turn in one sitting: reports/speed.md.

    python reports/tools/speed_comparison.py --nonet target/release/nonet \
        [--older PROGRAM --net FILE] [--rounds 10] [--seconds 1] OUT.csv

Needs gnubg-nn (PyPI), which can be called from Python alone, one position a call. Each round runs
`nonet speed champion`, with --older also an older program and this one with the net of FILE, and
then gnubg-nn. As in `nonet speed`, the positions are those of games of PubEval against itself, each
with a random roll. gnubg-nn keeps its answers, so it is timed once on each position; `nonet speed`
says the best of the rounds within its seconds.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import time
from itertools import islice
from pathlib import Path
from typing import Any, Callable, Iterator

import gnubg_nn

NAMES = ("static", "decision", "decision2")
# Decisions of a round at each depth. 2-ply of nonet is what GNU Backgammon calls 1-ply.
DECISIONS = {"static": 300, "decision": 600, "decision2": 100}
START = "4HPwATDgc/ABMA"
Board = list[list[int]]  # the opponent's checkers and those of the player on roll


def of_nonet(program: str, net: str, seconds: float) -> dict[str, float]:
    """Units a second by `nonet speed`."""
    said = subprocess.run(
        [program, "speed", net, "--json", "--seconds", str(seconds)],
        check=True,
        capture_output=True,
    )
    figures = json.loads(said.stdout)
    return {name: figures[name] for name in NAMES}


def rate(units: list[Any], work: Callable[[Any], Any]) -> float:
    """Units a second."""
    start = time.perf_counter()
    for unit in units:
        work(unit)
    return len(units) / (time.perf_counter() - start)


def pubeval_decisions(dice: random.Random) -> Iterator[tuple[Board, int, int]]:
    """Positions of games of PubEval against itself, each with a random roll, without end."""
    while True:
        board = gnubg_nn.board_from_position_id(START)
        while True:
            yield board, dice.randint(1, 6), dice.randint(1, 6)
            one, two = dice.randint(1, 6), dice.randint(1, 6)
            move = gnubg_nn.pub_best_move(board, one, two)
            theirs, ours = list(board[0]), list(board[1])
            for source, target in zip(move[::2], move[1::2]):
                ours[source] -= 1
                if target >= 0:
                    ours[target] += 1
                    if theirs[23 - target]:
                        theirs[23 - target] = 0
                        theirs[24] += 1
            if not any(ours):
                break
            board = [ours, theirs]


def of_gnubg_nn(decisions: Iterator[tuple[Board, int, int]]) -> dict[str, float]:
    """The same by gnubg-nn, and how many results a decision has."""
    taken = {name: list(islice(decisions, count)) for name, count in DECISIONS.items()}
    results = [
        [list(side) for side in reversed(gnubg_nn.board_from_position_key(key))]
        for decision in taken["static"]
        for key in gnubg_nn.moves(*decision)
    ]
    return {
        "static": rate(results, lambda board: gnubg_nn.probabilities(board, 0)),
        "decision": rate(taken["decision"], lambda decision: gnubg_nn.best_move(*decision, n=0)),
        "decision2": rate(taken["decision2"], lambda decision: gnubg_nn.best_move(*decision, n=1)),
        "results": len(results) / len(taken["static"]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nonet", required=True, help="the program")
    parser.add_argument("--older", help="an older program")
    parser.add_argument("--net", help="the net that both programs are timed with")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("out", type=Path, help="file of all figures")
    args = parser.parse_args()
    if (args.older is None) != (args.net is None):
        parser.error("--older and --net need each other")
    decisions = pubeval_decisions(random.Random(args.seed))
    with args.out.open("w") as out:
        out.write("round,program,measure,value\n")
        for index in range(args.rounds):
            figures = {"champion": of_nonet(args.nonet, "champion", args.seconds)}
            if args.older:
                figures["older program"] = of_nonet(args.older, args.net, args.seconds)
                figures["this program"] = of_nonet(args.nonet, args.net, args.seconds)
            figures["gnubg-nn"] = of_gnubg_nn(decisions)
            for program, values in figures.items():
                for name, value in values.items():
                    out.write(f"{index + 1},{program},{name},{value:.1f}\n")
            out.flush()


if __name__ == "__main__":
    main()

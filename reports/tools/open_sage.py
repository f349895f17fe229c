#!/usr/bin/env python3
r"""Open Sage in the place of GNU Backgammon, for the matches against it in nets/LEDGER.md.

    python3 -m venv sage && sage/bin/pip install bgsage
    printf '#!/bin/sh\nexec sage/bin/python reports/tools/open_sage.py\n' > sage/engine
    chmod +x sage/engine
    GNUBG=$PWD/sage/engine nonet eval built-in --against gnubg:1 --games 1000

The adapter reads commands until `external HOST:PORT` and listens there. It answers each board line
(the FIBS board of `fibs/`) with a play. Open Sage's production model says the highest equity after
that play, by its static evaluation (its 1-ply). The adapter plays cubeless money games; every other
line of settings is passed over. One process answers 45 to 90 games a second. Run these commands in
the root of the repository.
"""

import socket
import sys
from functools import lru_cache

from bgsage import default_weights  # pip install bgsage, which brings bgbot_cpp

import bgbot_cpp

BAR = 25
POINTS = slice(6, 32)
DICE = slice(33, 35)


def strategy():
    """The production model."""
    weights = default_weights()
    return bgbot_cpp.create_strategy(
        weights.strategy_type, weights.weight_paths_list, weights.hidden_sizes_list
    )


def named(point):
    """A point as plays are written."""
    return "bar" if point == BAR else "off" if point <= 0 else str(point)


def moves_to(board, target, dice):
    """Checker moves that lead from a board to another with these dice, or None."""

    @lru_cache(maxsize=None)
    def rest(board, dice):
        if board == target:
            return ()
        for die in dict.fromkeys(dice):
            left = list(dice)
            left.remove(die)
            for move in bgbot_cpp.possible_single_die_moves(list(board), die):
                further = rest(tuple(move["board"]), tuple(left))
                if further is not None:
                    return ((move["from"], move["to"]), *further)
        return None

    return rest(tuple(board), tuple(dice))


def best_play(model, line):
    """The answer to a board line: a play, or an empty line if no checker can move."""
    fields = line.strip().split(":")
    points = [int(field) for field in fields[POINTS]]
    # A board line writes the opponent's checkers on the bar as a negative number, Open Sage as a
    # positive one.
    points[0] = -points[0]
    first, second = (int(field) for field in fields[DICE])
    results = [list(result) for result in bgbot_cpp.possible_moves(points, first, second)]
    best = max(results, key=lambda result: model.evaluate_board(result, points)["equity"])
    dice = [first] * 4 if first == second else [first, second]
    moves = moves_to(points, tuple(best), dice)
    if moves is None:
        raise ValueError(f"no checker moves lead from {points} to {best} with {dice}")
    return " ".join(f"{named(origin)}/{named(end)}" for origin, end in moves)


def address():
    """Where to listen: what the command `external` names."""
    for command in sys.stdin:
        words = command.split()
        if words[:1] == ["external"]:
            host, port = words[1].rsplit(":", 1)
            return host, int(port)
    sys.exit("open_sage.py: the input ended before `external HOST:PORT`")


def main():
    model = strategy()
    with socket.create_server(address()) as server:
        connection, _ = server.accept()
        with connection, connection.makefile("rw", newline="\n") as stream:
            for line in stream:
                if not line.startswith("board:"):
                    stream.write(
                        f"Error: expected a line beginning with board:, got {line.strip()!r}\n"
                    )
                else:
                    stream.write(best_play(model, line) + "\n")
                stream.flush()


if __name__ == "__main__":
    main()

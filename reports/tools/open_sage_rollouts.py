#!/usr/bin/env python3
r"""Open Sage as a third judge: rolls out the plays that `disputed_plays` or `back_games` wrote.

    sage/bin/python reports/tools/open_sage_rollouts.py PLAYS.csv GAMES SEED THREADS OUT.csv [PLIES]

`reports/tools/open_sage.py` says how to set Open Sage up. The production model rolls out each play.
A rollout has GAMES games with variance reduction and 1-ply plays, without the cube. It is cut off
after PLIES plies (11; 0 plays to the end). OUT.csv gets the number of each decision, its plays,
their static equities and those of the rollouts. The seed of decision i is SEED + i. The same
command goes on after the last decision.
"""

import base64
import csv
import os
import sys
import time

from bgsage import default_weights  # pip install bgsage, which brings bgbot_cpp
from bgsage.weights import bearoff_db_path

import bgbot_cpp

BAR = 25
TRUNCATE = "11"
FIELDS = ["number", "afters", "Open Sage", "by Open Sage"]


def sides(position_id):
    """The checkers of the player on roll and of the other one, on points 1 to 24 and on the bar.

    Each player's points are counted by that player.
    """
    bits = base64.b64decode(position_id + "==")
    stream = [byte >> bit & 1 for byte in bits for bit in range(8)]
    counts = [0]
    for bit in stream:
        if bit:
            counts[-1] += 1
        else:
            counts.append(0)
    # A position ID begins with the player who is not on roll.
    return counts[25:50], counts[:25]


def board(own, other):
    """Open Sage's board: point 25 is the own bar, point 0 the other's.

    The other's checkers on points are negative.
    """
    points = [0] * 26
    for point in range(1, BAR):
        points[point] = own[point - 1]
    for point in range(1, BAR):
        if other[point - 1]:
            assert points[BAR - point] == 0
            points[BAR - point] = -other[point - 1]
    points[BAR], points[0] = own[24], other[24]
    return points


def rows_left(path, out, fields):
    """The columns of the file OUT, and the disputed rows of PATH that OUT has not yet.

    OUT is begun if it is not there.
    """
    with open(path, newline="") as file:
        disputed = [row for row in csv.DictReader(file) if row["by nonet"]]
    if not os.path.exists(out):
        with open(out, "w") as file:
            file.write(",".join(fields) + "\n")
        return fields, disputed
    with open(out, newline="") as file:
        text = file.read()
    if not text.endswith("\n"):
        sys.exit(f"the last row of {out} is torn: remove it")
    kept = csv.DictReader(text.splitlines())
    done = {row["number"] for row in kept}
    return kept.fieldnames or fields, [row for row in disputed if row["number"] not in done]


def tell(place, left, started):
    """Tells how many decisions are done, and how long the rest will take."""
    seconds = time.monotonic() - started
    to_go = seconds / place * (len(left) - place)
    print(
        f"{place} of {len(left)} decisions, {seconds:.0f} s, {to_go:.0f} s to go", file=sys.stderr
    )


def main():
    path, games, seed, threads, out, plies = (*sys.argv[1:], TRUNCATE)[:6]
    weights = default_weights()
    judge = bgbot_cpp.create_rollout(
        weights.strategy_type,
        weights.weight_paths_list,
        weights.hidden_sizes_list,
        n_trials=int(games),
        truncation_depth=int(plies),
        decision_ply=1,
        n_threads=int(threads),
        seed=int(seed),
    )
    static = bgbot_cpp.create_strategy(
        weights.strategy_type, weights.weight_paths_list, weights.hidden_sizes_list
    )
    bearoff = bgbot_cpp.BearoffDB()
    if not bearoff.load(bearoff_db_path()):
        sys.exit("open_sage_rollouts.py: Open Sage's bearoff database cannot be read")
    bgbot_cpp.rollout_set_bearoff_db(judge, bearoff)
    fields, left = rows_left(path, out, FIELDS)
    started = time.monotonic()
    for place, row in enumerate(left, 1):
        before = board(*sides(row["position"]))
        judge.set_seed(int(seed) + int(row["number"]))
        statics, values = [], []
        for after in row["afters"].split(";"):
            # The opponent is on roll after the play.
            other, own = sides(after)
            after = board(own, other)
            statics.append(static.evaluate_board(after, before)["equity"])
            values.append(judge.evaluate_board(after, before)["equity"])
        told = [";".join(f"{value:.5f}" for value in of) for of in (statics, values)]
        cells = dict(zip(FIELDS, [row["number"], row["afters"], *told]))
        with open(out, "a") as file:
            # A file that was begun before has the columns of its head.
            file.write(",".join(cells[field] for field in fields) + "\n")
        if place % 40 == 0 or place == len(left):
            tell(place, left, started)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
r"""Open Sage as a third judge of decisions of matches: rolls out what `match_rollouts` wrote.

    sage/bin/python reports/tools/open_sage_match_rollouts.py DECISIONS.csv \
        PLAY_GAMES CUBE_GAMES SEED THREADS OUT.csv

`reports/tools/open_sage.py` says how to set Open Sage up. The production model rolls out each play,
or no double and a double that is taken. Each rollout has PLAY_GAMES or CUBE_GAMES games with cube
and score, variance reduction and 1-ply decisions. Half of the games are cut off after 11 plies,
half after 12. OUT.csv gets the number of each disputed decision and its values. The seed of
decision i is SEED + i. The same command goes on after the last decision.
"""

import sys
import time

from bgsage.analyzer import BgBotAnalyzer  # pip install bgsage

from open_sage_rollouts import board, rows_left, sides, tell

TRUNCATE = 11
OWNERS = {"0": "centered", "1": "player", "-1": "opponent"}


def judge(games, plies, seed, threads):
    """A judge with half of the games in its rollouts."""
    return BgBotAnalyzer(
        eval_level="rollout",
        n_trials=games // 2,
        truncation_depth=plies,
        decision_ply=1,
        parallel_threads=threads,
        seed=seed,
    )


def points(text):
    """Open Sage's board of an XGID with X on roll."""
    count = lambda letter: 0 if letter == "-" else ord(letter.lower()) - ord("a") + 1
    signed = [count(letter) * (1 if letter.isupper() else -1) for letter in text]
    # The bar of the other player is no negative number.
    return [-signed[0], *signed[1:]]


def match_state(xgid):
    """The board, and what Open Sage is told of cube and score."""
    text, cube, owner, turn, _, own, other, crawford, length, _ = xgid.removeprefix(
        "XGID="
    ).split(":")
    assert turn == "1" and int(length) > 0, xgid
    told = {
        "cube_value": 2 ** int(cube),
        "cube_owner": OWNERS[owner],
        "away1": int(length) - int(own),
        "away2": int(length) - int(other),
        "is_crawford": crawford == "1",
        "jacoby": False,
    }
    return points(text), told


def values(row, games, seed, threads):
    """The equities of the plays for their player, or of no double and a double that is taken."""
    judges = [judge(games, plies, seed, threads) for plies in (TRUNCATE, TRUNCATE + 1)]
    before, told = match_state(row["xgid"])
    if row["kind"] != "play":
        told = {**told, "beaver": False}
        results = [one.cube_action(before, **told) for one in judges]
        both = [[result.equity_nd, result.equity_dt] for result in results]
    else:
        both = []
        for one in judges:
            equities = []
            for after in row["options"].split(";"):
                # The opponent is on roll after the play.
                other, own = sides(after)
                one.set_seed(seed)
                equities.append(one.post_move_analytics(board(own, other), **told).cubeful_equity)
            both.append(equities)
    return [sum(pair) / 2 for pair in zip(*both)]


def main():
    path, play_games, cube_games, seed, threads, out = sys.argv[1:]
    _, left = rows_left(path, out, ["number", "by Open Sage"])
    started = time.monotonic()
    for place, row in enumerate(left, 1):
        games = int(play_games if row["kind"] == "play" else cube_games)
        found = values(row, games, int(seed) + int(row["number"]), int(threads))
        with open(out, "a") as file:
            file.write(f"{row['number']},{';'.join(f'{value:.5f}' for value in found)}\n")
        if place % 20 == 0 or place == len(left):
            tell(place, left, started)


if __name__ == "__main__":
    main()

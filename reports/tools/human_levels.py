"""Fits how people choose plays, and compares it with noise on held-out matches.

Needs the Python package `nonet` and numpy:

    python reports/tools/human_levels.py reports/human-levels [CACHE.jsonl]

Reads plays.csv in that folder. Writes held_out.csv, a row for each play of the held-out matches,
and leave_one_out.csv, a row for each match when the fit leaves it out. Prints the weights, the
tables of reports/human-levels.md and the PR of a strength. CACHE keeps the ranked plays between
runs.
"""

import csv
import json
import math
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

import nonet

HELD_OUT = {3, 6, 9, 12, 15}
SMALL_LOSS = 0.02
MIDDLE = 6.0
PRIOR_PLAYS = 30  # the weight of the mean in a player's strength, in plays
RIDGE = 10.0
# PR and noise of the levels (reports/levels.md), the strongest first.
LEVELS = np.log([(2.89, 0.03), (5.65, 0.05), (11.91, 0.085), (21.45, 0.14), (33.40, 0.22)])
NAMES = [
    "points lost", "ln(1 + loss / 0.02)", "the same by strength", "the same in a race", "hits",
    "hits loose at home", "points on a blot", "home points made", "far points made",
    "home points given up", "outer points given up", "points 13 to 17 given up",
    "blots in direct shots at home", "blots in direct shots outside",
    "blots in direct shots in front", "blots", "checkers above three on a point",
    "checkers that leave the back", "splits from the 24 point", "checkers from the midpoint",
    "checkers borne off", "one checker moves both dice", "doubles in pairs", "points in a row",
]
FREE = 2  # the ridge leaves the first two weights alone


def looks(was, is_, dice):
    """The counts of a play that need no net, in the order of NAMES from the fifth on."""
    own, mine = np.maximum(was, 0), np.maximum(is_, 0)
    rear = max((p for p in range(1, 26) if was[p] > 0), default=0)
    front = min((p for p in range(25) if was[p] < 0), default=25)
    contact = rear > front
    made = [p for p in range(1, 25) if mine[p] >= 2 > own[p]]
    broken = [p for p in range(1, 25) if own[p] >= 2 > mine[p]]
    hit = [p for p in range(1, 25) if was[p] == -1 and is_[p] >= 1]
    blots = [p for p in range(1, 25) if is_[p] == 1]
    shot = [p for p in blots if any(is_[q] < 0 for q in range(max(0, p - 6), p))]
    left = [n for n in own[1:] - mine[1:] if n > 0]
    double = dice[0] == dice[1]
    row = longest = 0
    for p in range(1, 25):
        row = row + 1 if mine[p] >= 2 else 0
        longest = max(longest, row)
    return contact, [
        is_[0] < was[0],
        any(is_[p] == 1 and p <= 6 for p in hit),
        any(is_[p] >= 2 for p in hit),
        sum(p <= 6 for p in made),
        sum(13 <= p <= 17 or p > 22 for p in made),
        sum(p <= 6 for p in broken),
        sum(7 <= p <= 12 for p in broken),
        sum(13 <= p <= 17 for p in broken),
        sum(p <= 6 for p in shot),
        sum(7 <= p <= 17 for p in shot),
        sum(p >= 18 for p in shot),
        contact * len(blots),
        contact * int(np.maximum(mine[1:25] - 3, 0).sum()),
        contact * max(0, int(own[19:25].sum() - mine[19:25].sum())),
        was[24] == 2 and is_[24] == 1,
        max(0, own[13] - mine[13]),
        own.sum() - mine.sum(),
        contact and not double and sum(left) == 1,
        double and all(n % 2 == 0 for n in left),
        contact * longest,
    ]


def ranked(rows, cache):
    """All legal plays of each row with the position after them and their equity at 3 plies."""
    if cache and cache.exists():
        return [json.loads(line) for line in cache.open()]
    engine = nonet.Engine(ply=3)
    plays = [
        [(m.play, m.after.position_id, m.equity) for m in engine.moves(row["xgid"])]
        for row in rows
    ]
    if cache:
        cache.write_text("".join(json.dumps(each) + "\n" for each in plays))
    return plays


class Decision:
    def __init__(self, row, plays):
        self.match, self.game, self.player = (int(row[k]) for k in ("match", "game", "player"))
        state = nonet.GameState(row["xgid"])
        equity = np.array([play[2] for play in plays])
        self.loss = equity.max() - equity
        self.made = [play[0] for play in plays].index(row["play"])
        self.lost = float(self.loss[self.made])
        counts = []
        for _, after, _ in plays:
            is_ = -nonet.GameState(after).board.astype(int)[::-1]
            self.contact, seen = looks(state.board.astype(int), is_, state.dice)
            counts.append(seen)
        self.looks = np.array(counts, dtype=float)

    def design(self, strength=None, looks=True):
        strength = math.log((strength or self.strength) / MIDDLE)
        small = np.log1p(self.loss / SMALL_LOSS)
        losses = [-self.loss, -small, small * strength, -small * (not self.contact)]
        return np.column_stack(losses + ([self.looks] if looks else []))


def set_strengths(decisions):
    """The PR of a player's plays in the other games of the match, drawn to the mean."""
    fitted = [d.lost for d in decisions if d.match not in HELD_OUT]
    mean = sum(fitted) / len(fitted)
    sums = defaultdict(lambda: np.zeros(2))
    for d in decisions:
        for key in ((d.match, d.player), (d.match, d.player, d.game)):
            sums[key] += (d.lost, 1)
    for d in decisions:
        key = (d.match, d.player)
        lost, plays = sums[key] - sums[(*key, d.game)]
        d.strength = 500 * (lost + PRIOR_PLAYS * mean) / (plays + PRIOR_PLAYS)


def fit(designs, made, ridge):
    """The weights of a conditional logit, by Newton's method."""
    scale = np.sqrt(np.mean(np.concatenate([(x - x.mean(0)) ** 2 for x in designs]), 0)) + 1e-9
    x = np.concatenate(designs) / scale
    start = np.cumsum([0] + [len(each) for each in designs])
    of = np.repeat(np.arange(len(designs)), np.diff(start))
    chosen = np.array(made) + start[:-1]
    penalty = np.full(x.shape[1], ridge)
    penalty[:FREE] = 0.0
    weights = np.zeros(x.shape[1])
    for _ in range(100):
        appeal = x @ weights
        odds = np.exp(appeal - np.maximum.reduceat(appeal, start[:-1])[of])
        chance = odds / np.add.reduceat(odds, start[:-1])[of]
        mean = np.add.reduceat(x * chance[:, None], start[:-1])
        slope = x[chosen].sum(0) - mean.sum(0) - penalty * weights
        curve = (x * chance[:, None]).T @ x - mean.T @ mean + np.diag(penalty + 1e-8)
        step = np.linalg.solve(curve, slope)
        weights += step * min(1.0, 2.0 / np.abs(step).max())
        if np.abs(step).max() < 1e-9:
            return weights / scale
    raise RuntimeError("the fit does not end")


def softmax(design, weights):
    appeal = design @ weights
    odds = np.exp(appeal - appeal.max())
    return odds / odds.sum()


GRID = np.linspace(-6, 6, 61)
NORMAL = np.exp(-GRID**2 / 2)
TABLE = np.linspace(-12, 12, 4801)
BELOW = np.array([0.5 * math.erfc(-x / math.sqrt(2)) for x in TABLE])


def noisy(loss, sigma, share):
    """The chances of plays with normal noise in their equities, mixed with a uniform share."""
    near = np.flatnonzero(loss < 9 * sigma)
    gaps = (loss[None, near] - loss[near, None]) / sigma
    logs = np.log(np.maximum(np.interp(GRID[:, None, None] + gaps, TABLE, BELOW), 1e-30))
    own = np.arange(len(near))
    chance = (np.exp(logs.sum(2) - logs[:, own, own]) * NORMAL[:, None]).sum(0)
    all_ = np.full(len(loss), share / len(loss))
    all_[near] += (1 - share) * chance / chance.sum()
    return all_


def sigma_of_levels(pr):
    """The noise of the level of this PR, between levels and below the last by a power."""
    (x0, y0), (x1, y1) = LEVELS[:2]
    x = math.log(pr)
    if x < x0:
        return math.exp(y0 + (y1 - y0) / (x1 - x0) * (x - x0))
    return math.exp(np.interp(x, LEVELS[:, 0], LEVELS[:, 1]))


def likelihood(chances, decisions):
    return float(np.mean([math.log(c[d.made]) for c, d in zip(chances, decisions)]))


def models(fitted):
    """The models by name, fitted to these decisions: from a decision to chances."""
    shares = [0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12]

    def best(d, share):
        chance = np.full(len(d.loss), share / len(d.loss))
        chance[0] += 1 - share
        return chance

    def levels(d, share):
        return noisy(d.loss, sigma_of_levels(d.strength), share)

    def free(d, at, power, share):
        return noisy(d.loss, at * (d.strength / MIDDLE) ** power, share)

    def choose(chances, options, some):
        value = lambda option: likelihood([chances(d, *option) for d in some], some)
        return max(options, key=value)

    (b,) = choose(best, [(s,) for s in shares], fitted)
    (l,) = choose(levels, [(s,) for s in shares], fitted[::3])
    grid = [(a, p, s) for a in (0.03, 0.045, 0.06, 0.08) for p in (0.3, 0.6) for s in shares[2:6]]
    f = choose(free, grid, fitted[::5])
    print(f"uniform shares: best {b}, levels {l}; fitted noise {f}", flush=True)
    def by_strength(d):
        return np.column_stack([-d.loss, -d.loss * math.log(d.strength / MIDDLE)])

    made = [d.made for d in fitted]
    linear = fit([by_strength(d) for d in fitted], made, 0.0)
    curved = fit([d.design(looks=False) for d in fitted], made, RIDGE)
    people = fit([d.design() for d in fitted], made, RIDGE)
    return people, {
        "best play": lambda d: best(d, b),
        "noise of the levels": lambda d: levels(d, l),
        "noise, fitted": lambda d: free(d, *f),
        "softmax of the loss": lambda d: softmax(by_strength(d), linear),
        "loss, curved": lambda d: softmax(d.design(looks=False), curved),
        "people": lambda d: softmax(d.design(), people),
    }


def main():
    folder = Path(sys.argv[1])
    rows = list(csv.DictReader((folder / "plays.csv").open()))
    plays = ranked(rows, Path(sys.argv[2]) if len(sys.argv) > 2 else None)
    decisions = [Decision(*each) for each in zip(rows, plays)]
    set_strengths(decisions)
    fitted = [d for d in decisions if d.match not in HELD_OUT]
    held = [d for d in decisions if d.match in HELD_OUT]
    weights, by_name = models(fitted)
    for name, weight in zip(NAMES, weights):
        print(f"{name:32} {weight:8.3f}")
    with (folder / "held_out.csv").open("w") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(
            ["match", "lost"]
            + [
                f"{name}: {what}"
                for name in by_name
                for what in ("log-likelihood", "first", "loss")
            ]
            + ["chance of 0.02", "chance of 0.08"]
        )
        for d in held:
            row = [d.match, round(d.lost, 4)]
            for chances in by_name.values():
                c = chances(d)
                row += [round(math.log(c[d.made]), 4), int(c.argmax() == d.made)]
                row.append(round(float(c @ d.loss), 4))
            row += [round(float(c[d.loss >= small].sum()), 4) for small in (0.02, 0.08)]
            out.writerow(row)
    with (folder / "leave_one_out.csv").open("w") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["match", "plays", "PR", "people", "noise of the levels"])
        for match in sorted({d.match for d in decisions}):
            rest = [d for d in decisions if d.match != match]
            w = fit([d.design() for d in rest], [d.made for d in rest], RIDGE)
            mine = [d for d in decisions if d.match == match]
            people = likelihood([softmax(d.design(), w) for d in mine], mine)
            noise = likelihood([by_name["noise of the levels"](d) for d in mine], mine)
            pr = 500 * np.mean([d.lost for d in mine])
            out.writerow([match, len(mine), f"{pr:.1f}", f"{people:.4f}", f"{noise:.4f}"])
    for strength in (2, 3.22, 6.17, 9.53, 15.22):
        loss = [(d.match, softmax(d.design(strength), weights) @ d.loss) for d in decisions]
        mean = np.mean([each for _, each in loss])
        matches = defaultdict(float)
        for match, each in loss:
            matches[match] += each - mean
        n = len(matches)
        error = math.sqrt(sum(x * x for x in matches.values()) * n / (n - 1)) / len(loss)
        print(f"strength {strength:5.2f}: PR {500 * mean:.2f} ± {1.96 * 500 * error:.2f}")


main()

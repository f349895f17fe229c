"""Trains nets at hypergammon by many rules, and compares each with the solved values.

    python3 reports/tools/exact_ladder.py NONET FILE RUNS SEEDS [VARIANT...]

NONET is the program, FILE the solved values (`nonet bearoff --gnubg hypergammon --out FILE`), RUNS
the file of the results, SEEDS how many seeds each variant has. A line of RUNS is one net: its
variant, seed, games, the seconds of processor time that training took, and its errors. Nets that are
there already are not made again, so an interrupted call goes on where it was.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

GAMES = (1000, 5000, 20000)
POSITIONS = 5000

# What all runs share: one net after the other, tests that choose nothing.
BASE = "--starts hypergammon --start-chance 1 --batch 1 --ema 0 --eval-games 4 --final-games 0 --threads 1"
RATE = "--alpha 0.1..0.003"


def variants(file: str) -> dict[str, str]:
    """The options of each variant. All have the preset small, TD(0.6) and self-play unless named."""
    best = f"--expert exact:{file}"
    return {
        **{f"lambda {x}": f"--preset small --lambda {x}" for x in (0, 0.3, 0.6, 0.8, 0.9, 1)},
        "TD-directed": "--preset small --lambda 0.6 --method td-directed",
        "TDLeaf": "--preset small --lambda 0.6 --method tdleaf",
        "RootStrap": "--preset small --method rootstrap",
        "one net": "--preset single --lambda 0.6",
        "one net of 80": "--preset single80 --lambda 0.6",
        "one net, raw inputs": "--preset single-raw --lambda 0.6",
        "one net of 80, raw inputs": "--preset single-raw80 --lambda 0.6",
        # At the rate of the others its values grow without end.
        "one net, no hidden layer": "--preset single-linear --lambda 0.6 --alpha 0.01..0.0003",
        "nine nets": "--preset large --lambda 0.6",
        "against best play": f"--preset small --lambda 0.6 --source expert {best}",
        "observing best play": f"--preset small --lambda 0.6 --source observe {best}",
        "true values, best play": f"--preset small --lambda 0 --source observe --targets expert {best}",
        "true values, self-play": f"--preset small --lambda 0 --targets expert {best}",
    }


def made(runs: Path) -> set[tuple[str, int, int]]:
    """The nets whose errors are known."""
    if not runs.exists():
        return set()
    rows = [json.loads(line) for line in runs.read_text().splitlines()]
    return {(row["variant"], row["seed"], row["games"]) for row in rows}


def errors(program: str, file: str, options: str, seed: int, games: int) -> dict[str, Any]:
    """Trains a net and measures it."""
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/run"
        rate = "" if "--alpha" in options else RATE
        train = f"{program} train {BASE} {rate} {options} --games {games} --eval-every {games} --seed {seed} --out {out}"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(train.split(), check=True, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        score = f"{program} benchmark {out} --exact {file} --positions {POSITIONS} --json --threads 1"
        done = subprocess.run(score.split(), check=True, capture_output=True, text=True)
    return {"seconds": round(seconds, 2), "errors": json.loads(done.stdout)["errors"]}


def main() -> None:
    program, file, runs, seeds, *chosen = sys.argv[1:]
    known = made(Path(runs))
    for seed in range(1, int(seeds) + 1):
        for variant, options in variants(file).items():
            for games in GAMES:
                if (chosen and variant not in chosen) or (variant, seed, games) in known:
                    continue
                found = errors(program, file, options, seed, games)
                row = {"variant": variant, "seed": seed, "games": games, **found}
                with Path(runs).open("a") as rows:
                    rows.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()

"""Trains nets at hypergammon by many rules, and compares each with the solved values.

    python3 reports/tools/exact_ladder.py NONET FILE RUNS SEEDS [--cube] [VARIANT...]

NONET is the program, FILE the solved values (`nonet bearoff --gnubg hypergammon --out FILE`), RUNS
the CSV file of the results, SEEDS how many seeds each variant has. A row of RUNS is one net at one
depth of play: its variant, seed, games, the seconds of processor time that training took, and its
errors. The weights after the last game are measured: the tests of a run begin at the start of
backgammon, and choose by that. Nets that are there already are not made again, so an interrupted
call goes on where it was.

With --cube a row is what the cube decisions of a net lose after the most games, at one depth, on
one sample of positions. The variant "true chances" decides by the cube model on the solved chances.
"""

from __future__ import annotations

import csv
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

GAMES = (1000, 5000, 20000, 100000)
POSITIONS = 5000
# Nets of these variants also play at 2-ply after the last games, at fewer positions.
DEEP = (
    "lambda 0.6",
    "TD-directed",
    "TDLeaf",
    "RootStrap",
    "RootStrap(0.6)",
    "rollouts",
    "one net of 80",
    "one net of 80 with raw inputs",
)
DEEP_POSITIONS = 2000

SAMPLES = [
    (sample, phase) for sample in ("visited", "uniform") for phase in ("all", "contact", "race")
]
COLUMNS = [
    f"{sample} {phase} {what}" for sample, phase in SAMPLES for what in ("bias", "error", "er")
]
HEAD = ",".join(["variant", "seed", "games", "seconds", "plies", "positions", *COLUMNS])

TRUE = "true chances"
CUBE = ("double_er", "wrong_doubles", "answer_er", "wrong_answers")
CUBE_HEAD = ",".join(["variant", "seed", "games", "seconds", "sample", "plies", "positions", *CUBE])

# What all runs share: a step after each game, no average of the weights, short tests.
BASE = (
    "--starts hypergammon --start-chance 1 --batch 1 --ema 0"
    " --eval-games 4 --final-games 0 --threads 1"
)
# The target of a position of these classes is the rest of its game without the luck of the rolls.
CLASSES = "endgame race no-back prime backgame holding own-home opp-home default"
RATE = "--alpha 0.1..0.003"


def variants(file: str) -> dict[str, str]:
    """The options of each variant.

    All have the preset small, TD(0.6) and self-play unless named.
    """
    best = f"--expert exact:{file}"
    return {
        **{f"lambda {x}": f"--preset small --lambda {x}" for x in (0, 0.3, 0.6, 0.8, 0.9, 1)},
        "TD-directed": "--preset small --lambda 0.6 --method td-directed",
        "TDLeaf": "--preset small --lambda 0.6 --method tdleaf",
        "RootStrap": "--preset small --method rootstrap",
        "RootStrap(0.6)": "--preset small --method rootstrap --lookahead-lambda 0.6",
        "rollouts": f"--preset small --method rootstrap --rollout-classes {CLASSES}",
        "one net": "--preset single --lambda 0.6",
        "one net of 80": "--preset single80 --lambda 0.6",
        "one net with raw inputs": "--preset single-raw --lambda 0.6",
        "one net of 80 with raw inputs": "--preset single-raw80 --lambda 0.6",
        # At the rate of the others its values grow without end.
        "one net without a hidden layer": (
            "--preset single-linear --lambda 0.6 --alpha 0.01..0.0003"
        ),
        "nine nets": "--preset large --lambda 0.6",
        "plain TD": "--preset small --lambda 0.6 --successor own-turn",
        "against best play": f"--preset small --lambda 0.6 --source expert {best}",
        "plain TD against best play": (
            f"--preset small --lambda 0.6 --source expert {best} --successor own-turn"
        ),
        "observing best play": f"--preset small --lambda 0.6 --source observe {best}",
        "true values of best play": (
            f"--preset small --lambda 0 --source observe --targets expert {best}"
        ),
        "true values of self-play": f"--preset small --lambda 0 --targets expert {best}",
    }


def made(runs: Path, head: str) -> set[tuple[str, int, int]]:
    """The nets with known errors."""
    if not runs.exists():
        runs.write_text(head + "\n")
    with runs.open() as rows:
        return {
            (row["variant"], int(row["seed"]), int(row["games"])) for row in csv.DictReader(rows)
        }


def train(program: str, options: str, seed: int, games: int, out: str) -> float:
    """Trains a net. Returns the seconds of processor time."""
    rate = "" if "--alpha" in options else RATE
    call = (
        f"{program} train {BASE} {rate} {options}"
        f" --games {games} --eval-every {games} --seed {seed} --out {out}"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(call.split(), check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def judged(program: str, file: str, player: str, positions: int) -> dict:
    """What `nonet benchmark --exact` says of a player."""
    call = f"{program} benchmark {player} --exact {file} --positions {positions} --json --threads 1"
    done = subprocess.run(call.split(), check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def errors(program: str, file: str, net: str, positions: int) -> list[str]:
    """The cells of a net's errors, in the order of the columns."""
    found = {
        (row["sample"], row["phase"]): row
        for row in judged(program, file, net, positions)["errors"]
    }
    rows = [found[key] for key in SAMPLES]
    return [f"{row[what]['mean']:.5g}" for row in rows for what in ("bias", "error", "er")]


def cube_lines(program: str, file: str, player: str, first: list) -> str:
    """The rows of a player's cube decisions, each after `first`."""
    lines = ""
    for row in judged(program, file, player, POSITIONS)["cube"]:
        mean = lambda what: row[what]["mean"] if isinstance(row[what], dict) else row[what]
        cells = [
            *first,
            row["sample"],
            row["plies"],
            row["positions"],
            *(f"{mean(what):.5g}" for what in CUBE),
        ]
        lines += ",".join(str(cell) for cell in cells) + "\n"
    return lines


def lines_of(program: str, file: str, net: str, variant: str, games: int, first: list) -> str:
    """The rows of a net's errors, each after `first`."""
    depths = [(1, net, POSITIONS)]
    if variant in DEEP and games == GAMES[-1]:
        depths.append((2, f"{net}:2", DEEP_POSITIONS))
    lines = ""
    for plies, player, positions in depths:
        cells = [*first, plies, positions, *errors(program, file, player, positions)]
        lines += ",".join(str(cell) for cell in cells) + "\n"
    return lines


def main() -> None:
    program, file, path, seeds, *chosen = sys.argv[1:]
    of_cube = "--cube" in chosen
    chosen = [variant for variant in chosen if variant != "--cube"]
    runs = Path(path)
    known = made(runs, CUBE_HEAD if of_cube else HEAD)
    if of_cube and (TRUE, 0, 0) not in known:
        with runs.open("a") as rows:
            rows.write(cube_lines(program, file, f"exact:{file}", [TRUE, 0, 0, "0"]))
    for seed in range(1, int(seeds) + 1):
        for variant, options in variants(file).items():
            for games in GAMES[-1:] if of_cube else GAMES:
                if (chosen and variant not in chosen) or (variant, seed, games) in known:
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    out, net = f"{folder}/run", f"{folder}/run/last.nonet"
                    seconds = train(program, options, seed, games, out)
                    first = [variant, seed, games, f"{seconds:.2f}"]
                    if of_cube:
                        lines = cube_lines(program, file, net, first)
                    else:
                        lines = lines_of(program, file, net, variant, games, first)
                with runs.open("a") as rows:
                    rows.write(lines)


if __name__ == "__main__":
    main()

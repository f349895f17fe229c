"""Measures work over NATS and the same work on threads: the raw data of reports/distributed.md.

    python3 measure.py NONET FOLDER OUT.csv [PART ...]

Without a PART everything is measured. The parts are the names in WORK, `costs`, `clock` and
`killed`. Every pair has a seed of its own, or the store would hold the nets of the pair before.

Every run on two threads is followed by the same run over NATS. The run over NATS has a coordinator
of one thread and a worker of one thread (PAIRS pairs, 3 unless the variable says otherwise). So
both runs have two threads at work, and a busy machine slows both. The overhead is the ratio of
processor times (user and system). It divides the sum of coordinator, server and worker by the time
of the two threads. The times by the clock have such a ratio, too.

`costs` are those of one game, from the difference between a long and a short run. The coordinator
then does no part (--only-coordinate). reports/tools/src/bin/many_machines.rs simulates with these
costs. SCALE=0.2 makes all runs shorter. Needs nats-server, and `NONET bearoff` once.
"""

import csv
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import time

NONET, FOLDER, OUT = sys.argv[1:4]
# Parts of the measurement by name; without one, all.
ONLY = sys.argv[4:]
PORT = int(os.environ.get("PORT", "47400"))
os.makedirs(FOLDER, exist_ok=True)
SERVER = shutil.which("nats-server") or "/usr/sbin/nats-server"
rows = []


def note(name, value, unit, how):
    rows.append([name, value, unit, how])
    print(f"{name},{value},{unit},{how}", flush=True)
    with open(OUT, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["name", "value", "unit", "how"], *rows])


def cpu_of(process):
    """Processor time of a running process, in seconds."""
    fields = open(f"/proc/{process.pid}/stat", encoding="utf-8").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def server(port):
    # What an earlier measurement has stored would not have to be sent again.
    shutil.rmtree(f"{FOLDER}/store", ignore_errors=True)
    process = subprocess.Popen(
        [SERVER, "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", f"{FOLDER}/store"],
        stderr=subprocess.DEVNULL,
    )
    time.sleep(1)
    if process.poll() is not None:
        sys.exit(f"nats-server does not start: is port {port} taken? PORT chooses another")
    return process


def worker(url, number):
    return subprocess.Popen(
        [NONET, "worker", "--nats", url, "--threads", "1", "--name", f"worker-{number}"],
        stderr=subprocess.DEVNULL,
    )


def run(words, *more):
    """Wall time, processor time of the process itself, and what it said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run([NONET, *words, *more], capture_output=True, text=True, check=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = re.search(
        r"(\d+) parts done by workers, (\d+) here; (\d+) redelivered, (\d+) sent again"
        r".*verified; ([\d.]+) MB",
        done.stderr,
    )
    return wall, cpu, [float(n) for n in said.groups()] if said else None


def series(games, seed, ply=2, net="champion"):
    return ["eval", net, "--ply", str(ply), "--games", str(games), "--seed", str(seed), "--json"]


def stage(*words):
    """A stage of the champion's recipe from the champion, with hardly any tests."""

    def command(games, seed):
        folder = f"{FOLDER}/run"
        shutil.rmtree(folder, ignore_errors=True)
        return [
            "train", "--from", "nets/champion.nonet", "--games", str(games), "--ema", "15000",
            "--eval-every", str(games), "--eval-at", "0", "--eval-games", "4", "--final-games", "0",
            "--seed", str(seed), "--against", "random", "--out", folder, *words,
        ]  # fmt: skip

    return command


STARTS = "backgame,bearoff-contact,several-caught,closed-board,deep-backgame"
LOOKAHEAD = stage(
    "--method", "rootstrap", "--bearoff", "--lookahead-lambda", "0.5", "--epsilon", "0.1",
    "--alpha", "0.001", "--starts", STARTS, "--start-chance", "0.15", "--batch", "200",
    "--epochs", "12", "--replay", "1000000", "--optimizer", "adam",
)  # fmt: skip


def rollout(games, seed):
    return [
        "rollout", "4HPwATDgc/ABMA", "31",
        "--games", str(games), "--plays", "3", "--seed", str(seed),
    ]  # fmt: skip


# Name, command by games, games. The stages are those of the recipe `champion`; its last three
# differ in rates and starts, not in their work.
WORK = [
    ("series 2-ply", series, 1600),
    (
        "series 1-ply small net",
        lambda games, seed: series(games, seed, 1, "nets/small.nonet"),
        51200,
    ),
    ("rollout", rollout, 1728),
    ("stage selfplay", stage("--alpha", "0.003"), 6400),
    ("stage lookahead", LOOKAHEAD, 1600),
]
# What the simulation needs: name, command by games, games of a short and of a long run.
COSTS = [
    ("series 2-ply", series, 400, 1600),
    (
        "series 1-ply small net",
        lambda games, seed: series(games, seed, 1, "nets/small.nonet"),
        12800,
        51200,
    ),
    ("training run", LOOKAHEAD, 400, 1600),
    ("rollout", rollout, 144, 1296),
]
PAIRS = int(os.environ.get("PAIRS", "3"))
SCALE = float(os.environ.get("SCALE", "1"))


def main():
    url = f"nats://127.0.0.1:{PORT}"
    nats = server(PORT)
    workers = [worker(url, 1)]
    try:
        measure(url, nats, workers)
    finally:
        for process in [*workers, nats]:
            process.terminate()


def measure(url, nats, workers):
    time.sleep(1)
    for name, words, games in WORK:
        if ONLY and name not in ONLY:
            continue
        games = max(2, int(games * SCALE) // 2 * 2)
        ratios, walls, parts = [], [], {}
        for pair in range(1, PAIRS + 1):
            how = f"{games} games, pair {pair}"
            near, here, _ = run(words(games, pair), "--threads", "2")
            marks = cpu_of(nats), cpu_of(workers[0])
            far, coordinator, said = run(
                words(games, pair), "--threads", "1", "--nats", url, "--verify", "0"
            )
            shares = {
                "threads": here,
                "coordinator": coordinator,
                "server": cpu_of(nats) - marks[0],
                "worker": cpu_of(workers[0]) - marks[1],
            }
            for what, seconds in shares.items():
                note(
                    f"{name}, overhead: {what}",
                    f"{seconds / games:.6f}",
                    "processor seconds a game",
                    how,
                )
            ratios.append((shares["coordinator"] + shares["server"] + shares["worker"]) / here)
            walls.append(far / near)
            parts = {
                "done by the worker": said[0],
                "done by the coordinator": said[1],
                "bytes": said[4] * 1e6,
            }
            note(
                f"{name}, overhead: overhead",
                f"{100 * (ratios[-1] - 1):.1f}",
                "% of processor time",
                how,
            )
            note(
                f"{name}, overhead: by the clock",
                f"{walls[-1]:.3f}",
                "times that of two threads",
                how,
            )
        for what, value in parts.items():
            note(f"{name}, overhead: {what}", f"{value / games:.5f}", "a game", f"{games} games")
        note(
            f"{name}, overhead: median",
            f"{100 * (statistics.median(ratios) - 1):.1f}",
            "% of processor time",
            f"of {PAIRS} pairs",
        )
        note(
            f"{name}, overhead: median by the clock",
            f"{statistics.median(walls):.3f}",
            "times that of two threads",
            f"of {PAIRS} pairs",
        )
    for name, words, few, many in COSTS if not ONLY or "costs" in ONLY else []:
        few, many = (max(2, int(games * SCALE) // 2 * 2) for games in (few, many))
        found = {}
        for games in [few, many]:
            _, here, _ = run(words(games, games), "--threads", "1")
            marks = cpu_of(nats), cpu_of(workers[0])
            _, coordinator, said = run(
                words(games, games),
                "--threads",
                "1",
                "--nats",
                url,
                "--verify",
                "0",
                "--only-coordinate",
            )
            found[games] = [
                here,
                coordinator,
                cpu_of(nats) - marks[0],
                cpu_of(workers[0]) - marks[1],
                said[0] + said[1],
                said[4] * 1e6,
            ]
        slopes = [(b - a) / (many - few) for a, b in zip(found[few], found[many])]
        how = f"from {few} and {many} games, the coordinator does no part"
        for what, slope in zip(["threads", "coordinator", "server", "worker"], slopes):
            note(f"{name}: {what}", f"{slope:.6f}", "processor seconds a game", how)
        note(f"{name}: parts", f"{slopes[4]:.5f}", "parts a game", how)
        note(f"{name}: bytes", f"{slopes[5]:.0f}", "bytes a game", how)
    if not ONLY or "clock" in ONLY:
        by_the_clock(url, workers)
    if not ONLY or "killed" in ONLY:
        killed(url, workers)


def by_the_clock(url, workers):
    """1 to 8 workers on this machine.

    Then one worker over lines of several delays and bandwidths.
    """
    games = max(20, int(1600 * SCALE) // 2 * 2)
    wall, _, _ = run(series(games, 4), "--threads", "1")
    note("series 2-ply: one thread without NATS", f"{games / wall:.1f}", "games/s", "by the clock")
    for count in [1, 2, 3, 4, 6, 8]:
        while len(workers) < count:
            workers.append(worker(url, len(workers) + 1))
        time.sleep(1.5)
        wall, _, said = run(
            series(games, 4), "--threads", "1", "--nats", url, "--verify", "0", "--only-coordinate"
        )
        note(
            f"series 2-ply: {count} workers",
            f"{games / wall:.1f}",
            "games/s",
            f"by the clock, {os.cpu_count()} processors",
        )
    stop(workers)
    folder = os.path.dirname(os.path.abspath(__file__))
    for place, (delay, rate) in enumerate([(0, 1000), (5, 1000), (20, 100), (20, 10), (100, 100)]):
        port = PORT + 1 + place
        link = subprocess.Popen(
            [sys.executable, f"{folder}/link.py", str(port), str(PORT), str(delay), str(rate)]
        )
        time.sleep(1)
        workers.append(worker(f"nats://127.0.0.1:{port}", f"far-{place}"))
        time.sleep(2)
        wall, _, said = run(
            series(games, 4), "--threads", "1", "--nats", url, "--verify", "0", "--only-coordinate"
        )
        how = f"by the clock; {delay} ms each way, {rate} Mbit/s, the net included"
        note(
            f"series 2-ply: one worker, {delay} ms, {rate} Mbit/s",
            f"{games / wall:.1f}",
            "games/s",
            how,
        )
        stop(workers)
        link.terminate()
    workers.append(worker(url, 1))
    time.sleep(2)


def stop(workers):
    for other in workers:
        other.send_signal(signal.SIGTERM)
    for other in workers:
        other.wait()
    workers.clear()
    # A worker that left is forgotten.
    time.sleep(1)


def killed(url, workers):
    """How much longer the same work takes if one of two workers is killed in the middle."""
    games = max(20, int(1600 * SCALE) // 2 * 2)
    while len(workers) < 2:
        workers.append(worker(url, len(workers) + 1))
    time.sleep(2)
    whole = None
    for case in ["undisturbed", "one killed in the middle"]:
        words = [
            NONET, *series(games, 4),
            "--threads", "1", "--nats", url, "--verify", "0", "--only-coordinate",
        ]  # fmt: skip
        start = time.monotonic()
        doing = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if whole:
            time.sleep(whole / 2)
            workers.pop().kill()
        doing.wait()
        seconds = time.monotonic() - start
        note(f"series 2-ply, two workers: {case}", f"{seconds:.2f}", "s", "by the clock")
        if whole:
            # The survivor does the second half alone.
            lost = seconds - 1.5 * whole
            note(
                "series 2-ply, two workers: lost by the kill",
                f"{lost:.2f}",
                "s",
                "beyond what one worker takes for the second half",
            )
        whole = seconds


main()

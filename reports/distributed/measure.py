"""Measures work over NATS beside work on threads: the raw data of reports/distributed.md.

python3 measure.py NONET FOLDER OUT.csv [PART ...]

Everything: no PART. The parts are the names in WORK, and `clock`. Every run on one thread is followed by the same run over NATS with
one worker of one thread (PAIRS pairs, 3 unless the variable says otherwise), so that a busy machine slows both; the overhead is the ratio of processor times (user and system)
of coordinator, server and worker together to that of the thread. SCALE=0.2 makes all runs shorter. Needs nats-server, and `NONET bearoff` once.
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
    process = subprocess.Popen([SERVER, "-a", "127.0.0.1", "-p", str(port), "-js", "-sd", f"{FOLDER}/store"], stderr=subprocess.DEVNULL)
    time.sleep(1)
    return process


def worker(url, number):
    return subprocess.Popen([NONET, "worker", "--nats", url, "--threads", "1", "--name", f"worker-{number}"], stderr=subprocess.DEVNULL)


def run(words, *more):
    """Wall time, processor time of the process itself, and what it said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run([NONET, *words, *more], capture_output=True, text=True, check=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = re.search(r"(\d+) parts done by workers, (\d+) here; (\d+) redelivered, (\d+) sent again.*verified; ([\d.]+) MB", done.stderr)
    return wall, cpu, [float(n) for n in said.groups()] if said else None


def series(games, ply=2, net="built-in"):
    return ["eval", net, "--ply", str(ply), "--games", str(games), "--seed", "4", "--json"]


def stage(*words):
    """A stage of the champion's recipe from the champion, with hardly any tests."""

    def command(games):
        folder = f"{FOLDER}/run"
        shutil.rmtree(folder, ignore_errors=True)
        return ["train", "--from", "nets/champion.nonet", "--games", str(games), "--ema", "15000", "--eval-every", str(games), "--eval-at", "0", "--eval-games", "4",
                "--final-games", "0", "--seed", "5", "--against", "random", "--out", folder, *words]

    return command


def replayed(alpha, epochs, *words):
    return stage("--method", "rootstrap", "--alpha", alpha, "--batch", "200", "--epochs", epochs, "--replay", "500000", "--optimizer", "adam", *words)


def rollout(games):
    return ["rollout", "4HPwATDgc/ABMA", "31", "--games", str(games), "--plays", "3"]


# Name, command by games, games. The stages are those of src/train/recipes/champion.toml.
WORK = [
    ("series 2-ply", series, 1600),
    ("series 1-ply small net", lambda games: series(games, 1, "nets/small.nonet"), 51200),
    ("rollout", rollout, 1728),
    ("stage selfplay", stage("--alpha", "0.003"), 6400),
    ("stage lookahead", stage("--method", "rootstrap", "--epsilon", "0.15", "--alpha", "0.002", "--batch", "16"), 1600),
    ("stage wide", replayed("0.001", "12", "--epsilon", "0.15"), 1600),
    ("stage long", replayed("0.001", "12", "--epsilon", "0.1", "--bearoff"), 1600),
    ("stage races", replayed("0.001", "24", "--epsilon", "0.1", "--bearoff", "--classes", "endgame,race"), 3200),
]
PAIRS = int(os.environ.get("PAIRS", "3"))
SCALE = float(os.environ.get("SCALE", "1"))


def main():
    url = f"nats://127.0.0.1:{PORT}"
    nats = server(PORT)
    workers = [worker(url, 1)]
    time.sleep(1)
    for name, words, games in WORK:
        if ONLY and name not in ONLY:
            continue
        games = max(2, int(games * SCALE) // 2 * 2)
        ratios, walls, parts = [], [], {}
        for pair in range(1, PAIRS + 1):
            how = f"{games} games, pair {pair}"
            near, here, _ = run(words(games), "--threads", "1")
            marks = cpu_of(nats), cpu_of(workers[0])
            far, coordinator, said = run(words(games), "--threads", "1", "--nats", url, "--verify", "0")
            shares = {"threads": here, "coordinator": coordinator, "server": cpu_of(nats) - marks[0], "worker": cpu_of(workers[0]) - marks[1]}
            for what, seconds in shares.items():
                note(f"{name}: {what}", f"{1e3 * seconds / games:.4f}", "processor ms a game", how)
            ratios.append((shares["coordinator"] + shares["server"] + shares["worker"]) / here)
            walls.append(far / near)
            parts = {"done by the worker": said[0], "done by the coordinator": said[1], "bytes": said[4] * 1e6}
            note(f"{name}: overhead", f"{100 * (ratios[-1] - 1):.1f}", "% of processor time", how)
            note(f"{name}: by the clock", f"{walls[-1]:.3f}", "times that of one thread", how)
        for what, value in parts.items():
            note(f"{name}: {what}", f"{value / games:.5f}", "a game", f"{games} games")
        note(f"{name}: overhead, median", f"{100 * (statistics.median(ratios) - 1):.1f}", "% of processor time", f"of {PAIRS} pairs")
        note(f"{name}: by the clock, median", f"{statistics.median(walls):.3f}", "times that of one thread", f"of {PAIRS} pairs")
    if ONLY and "clock" not in ONLY:
        nats.terminate()
        workers[0].terminate()
        return
    # 1 to 8 workers on this machine.
    games = 60
    start, _, _ = run(series(games), "--threads", "1")
    note("series 2-ply: one thread without NATS", f"{games / start:.1f}", "games/s", "by the clock")
    for count in [1, 2, 4, 8]:
        while len(workers) < count:
            workers.append(worker(url, len(workers) + 1))
        time.sleep(1.5)
        wall, _, _ = run(series(games), "--threads", "1", "--nats", url, "--verify", "0")
        note(f"series 2-ply: {count} workers", f"{games / wall:.1f}", "games/s", "by the clock")
    # One of two workers is killed half a second after the work has begun: how much longer it takes.
    for other in workers[2:]:
        other.send_signal(signal.SIGTERM)
    for other in workers[2:]:
        other.wait()
    workers = workers[:2]
    time.sleep(5)
    for case in ["undisturbed", "one killed"]:
        doing = subprocess.Popen([NONET, *series(games), "--nats", url, "--verify", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        start = time.monotonic()
        if case != "undisturbed":
            time.sleep(0.7)
            workers[1].kill()
        doing.wait()
        note(f"series 2-ply, two workers, {case}", f"{time.monotonic() - start:.2f}", "s", "by the clock")
    # Over a slow line: 20 ms each way, 100 megabits a second.
    folder = os.path.dirname(os.path.abspath(__file__))
    link = subprocess.Popen([sys.executable, f"{folder}/link.py", str(PORT + 1), str(PORT), "20", "100"])
    time.sleep(1)
    near, _, _ = run(series(games), "--nats", url, "--verify", "0")
    note("series 2-ply, one near worker", f"{near:.2f}", "s", "by the clock")
    workers[0].send_signal(signal.SIGTERM)
    workers[0].wait()
    far = worker(f"nats://127.0.0.1:{PORT + 1}", "far")
    time.sleep(6)
    wall, _, _ = run(series(games), "--nats", url, "--verify", "0")
    note("series 2-ply, one far worker", f"{wall:.2f}", "s", "by the clock; 20 ms each way, 100 Mbit/s")
    for process in [far, link, nats]:
        process.terminate()


main()

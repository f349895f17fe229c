"""Measures work over NATS beside work on threads: the raw data of reports/distributed.md.

python3 measure.py NONET FOLDER OUT.csv [PART ...]

Times of the processor (user and system, children waited for) are robust on a busy machine; times by the clock are not, so each pair of
runs stands side by side and only ratios count. Everything runs at one thread a worker. Needs nats-server.
"""

import csv
import os
import re
import resource
import shutil
import signal
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


def training(games):
    folder = f"{FOLDER}/run"
    shutil.rmtree(folder, ignore_errors=True)
    return ["train", "--from", "nets/champion.nonet", "--method", "rootstrap", "--epsilon", "0.1", "--games", str(games), "--batch", "200",
            "--epochs", "12", "--replay", "600000", "--optimizer", "adam", "--alpha", "0.002", "--eval-every", str(games), "--eval-at", "0",
            "--eval-games", "4", "--final-games", "0", "--seed", "5", "--against", "random", "--out", folder]


def rollout(games):
    return ["rollout", "4HPwATDgc/ABMA", "31", "--games", str(games), "--plays", "3"]


WORK = [
    ("series 2-ply", series, 20, 60),
    ("series 1-ply small net", lambda games: series(games, 1, "nets/small.nonet"), 2560, 12800),
    ("training run", training, 200, 400),
    ("rollout", rollout, 144, 432),
]


def main():
    url = f"nats://127.0.0.1:{PORT}"
    nats = server(PORT)
    workers = [worker(url, 1)]
    time.sleep(1)
    # Processor time of a game: the difference between a long and a short run, so that the start of the program does not count.
    for name, words, few, many in WORK:
        if ONLY and name not in ONLY:
            continue
        found = {}
        for games in [few, many]:
            _, here, _ = run(words(games), "--threads", "1")
            marks = cpu_of(nats), cpu_of(workers[0])
            _, coordinator, said = run(words(games), "--threads", "1", "--nats", url, "--verify", "0")
            found[games] = [here, coordinator, cpu_of(nats) - marks[0], cpu_of(workers[0]) - marks[1], said[0] + said[1], said[4] * 1e6]
        slopes = [(b - a) / (many - few) for a, b in zip(found[few], found[many])]
        how = f"from {few} and {many} games"
        for what, slope, unit in zip(["threads", "coordinator", "server", "worker"], slopes, ["s"] * 4):
            note(f"{name}: {what}", f"{slope:.6f}", "processor seconds a game", how)
        note(f"{name}: parts", f"{slopes[4]:.5f}", "parts a game", how)
        note(f"{name}: bytes", f"{slopes[5]:.0f}", "bytes a game", how)
        note(f"{name}: overhead", f"{100 * (sum(slopes[1:4]) / slopes[0] - 1):.1f}", "% of processor time", how)
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

"""Measures work over NATS beside work on threads: the raw data of reports/distributed.md.

python3 measure.py NONET FOLDER OUT.csv

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
PORT = 47400
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


SERIES = ["eval", "built-in", "--ply", "2", "--games", "240", "--seed", "4", "--json"]
RUN = ["train", "--from", "nets/champion.nonet", "--method", "rootstrap", "--epsilon", "0.1", "--games", "400", "--batch", "200",
       "--epochs", "12", "--replay", "600000", "--optimizer", "adam", "--alpha", "0.002", "--eval-every", "400", "--eval-at", "0",
       "--eval-games", "2", "--final-games", "0", "--seed", "5", "--against", "random"]
ROLLOUT = ["rollout", "4HPwATDgc/ABMA", "31", "--games", "432", "--plays", "3"]


def work(name, words, number):
    if name == "run":
        folder = f"{FOLDER}/run-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        return [*words, "--out", folder]
    return words


def main():
    url = f"nats://127.0.0.1:{PORT}"
    nats = server(PORT)
    workers = [worker(url, 1)]
    time.sleep(1)
    # Overhead: one thread here, against one worker of one thread; the processor time of all processes together.
    for name, words in [("series", SERIES), ("run", RUN), ("rollout", ROLLOUT)]:
        for pair in range(2 if name != "run" else 1):
            wall, cpu, _ = run(work(name, words, f"here-{pair}"), "--threads", "1")
            note(f"{name}_threads_cpu_{pair}", round(cpu, 3), "s", "one thread")
            note(f"{name}_threads_wall_{pair}", round(wall, 3), "s", "one thread")
            marks = cpu_of(nats), cpu_of(workers[0])
            wall, cpu, said = run(work(name, words, f"there-{pair}"), "--threads", "1", "--nats", url, "--verify", "0")
            note(f"{name}_nats_cpu_coordinator_{pair}", round(cpu, 3), "s", "one worker")
            note(f"{name}_nats_cpu_server_{pair}", round(cpu_of(nats) - marks[0], 3), "s", "one worker")
            note(f"{name}_nats_cpu_worker_{pair}", round(cpu_of(workers[0]) - marks[1], 3), "s", "one worker")
            note(f"{name}_nats_wall_{pair}", round(wall, 3), "s", "one worker")
            note(f"{name}_parts_{pair}", said[0] + said[1], "parts", f"{said[1]:.0f} done here")
            note(f"{name}_bytes_{pair}", said[4] * 1e6, "bytes", "sent and received by the coordinator")
    # 1 to 8 workers on this machine.
    for count in [1, 2, 4, 8]:
        while len(workers) < count:
            workers.append(worker(url, len(workers) + 1))
        time.sleep(1.5)
        wall, _, _ = run(SERIES, "--threads", "1", "--nats", url, "--verify", "0")
        note(f"series_games_per_second_{count}_workers", round(240 / wall, 1), "games/s", "by the clock, start of the program included")
    # A worker is killed half a second after the work has begun: how much longer it takes.
    for other in workers[2:]:
        other.send_signal(signal.SIGTERM)
    for other in workers[2:]:
        other.wait()
    workers = workers[:2]
    time.sleep(5)
    for case in ["undisturbed", "one of two killed"]:
        doing = subprocess.Popen([NONET, *SERIES, "--nats", url, "--verify", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        start = time.monotonic()
        if case != "undisturbed":
            time.sleep(0.5)
            workers[1].kill()
        doing.wait()
        note(f"series_wall_{case.replace(' ', '_')}", round(time.monotonic() - start, 2), "s", "two workers at the start")
    # Over a slow line: 20 ms each way, 100 megabits a second.
    link = subprocess.Popen([sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "link.py"), str(PORT + 1), str(PORT), "20", "100"])
    time.sleep(1)
    workers[0].send_signal(signal.SIGTERM)
    workers[0].wait()
    far = worker(f"nats://127.0.0.1:{PORT + 1}", "far")
    time.sleep(6)
    wall, _, _ = run(SERIES, "--nats", url, "--verify", "0")
    note("series_wall_far_worker", round(wall, 2), "s", "one worker, 20 ms each way, 100 Mbit/s")
    for process in [far, link, nats]:
        process.terminate()


main()

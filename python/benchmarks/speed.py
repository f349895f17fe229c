"""Speeds of the arrays and of the environment.

The speeds of the Rust program and of other packages that are installed are measured, too.

    python python/benchmarks/speed.py [--nonet PATH] [--seconds 2] [--cpu]

Positions are the results of 600 rolls in games of the champion, in order, as `nonet speed` has
them. Each figure is the best of several rounds. Those of environments are means, after 60 steps:
games that have begun together are in the same phase at first. With --cpu it is work in a second of
the processor's time instead, on one thread, which a busy machine changes less.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from typing import Any, Callable

import numpy as np

import nonet


clock = time.perf_counter


def best(seconds: float, work: Callable[[], int]) -> float:
    """Units a second, the best of several rounds."""
    top, until = 0.0, clock() + seconds
    while clock() < until or top == 0.0:
        start = clock()
        done = work()
        top = max(top, done / (clock() - start))
    return top


def mean(seconds: float, work: Callable[[], int]) -> float:
    """Units a second over all rounds."""
    done, start = 0, clock()
    while clock() < start + seconds or not done:
        done += work()
    return done / (clock() - start)


def decisions(count: int) -> tuple[Any, Any]:
    """Results of rolls in games of the champion against itself, and their offsets."""
    engine = nonet.Engine(ply=1, bearoff=False)
    env = nonet.BackgammonVectorEnv(count, dice="match")
    _, info = env.reset(seed=1)
    results, offsets = info["results"], info["offsets"]
    for turn in range(40):
        actions = nonet.lowest(engine.evaluate(info["results"])[:, 5], info["offsets"])
        _, _, _, _, info = env.step(actions)
        if turn % 8 == 7:
            offsets = np.append(offsets, info["offsets"][1:] + offsets[-1])
            results = np.concatenate([results, info["results"]])
    return results, offsets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nonet", help="the program, for its own figures")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--cpu", action="store_true", help="by the processor's time, on one thread")
    args = parser.parse_args()
    global clock
    clock = time.process_time if args.cpu else time.perf_counter
    rows: list[tuple[str, float]] = []

    def measure(
        name: str,
        work: Callable[[], int],
        rate: Callable[[float, Callable[[], int]], float] = best,
    ) -> None:
        rows.append((name, rate(args.seconds, work)))
        print(f"{name:<58} {rows[-1][1]:>12,.0f} /s", flush=True)

    boards, offsets = decisions(100)
    print(f"{len(boards)} positions of {len(offsets) - 1} decisions")
    for threads in (1,) if args.cpu else (1, 0):
        word = "1 thread" if threads == 1 else "all threads"
        for bearoff in (False, True):
            engine = nonet.Engine(ply=1, bearoff=bearoff, threads=threads)
            more = ", bearoff databases" if bearoff else ""
            measure(f"evaluate, champion{more}, {word}", lambda: len(engine.evaluate(boards)))
        measure(f"encode, 393 inputs, {word}", lambda: len(nonet.encode(boards, threads=threads)))
        dice = np.random.default_rng(1).integers(1, 7, (len(boards), 2), np.uint8)
        measure(
            f"legal_results, results, {word}",
            lambda: len(nonet.legal_results(boards, dice, threads=threads)[0]),
        )
        for opponent in ("self", "pubeval", "champion"):
            for observation in ("board", "inputs"):
                env = nonet.BackgammonVectorEnv(2048, opponent, observation, threads=threads)
                env.reset(seed=1)
                actions = np.zeros(2048, np.int64)
                for _ in range(60):
                    env.step(actions)

                def steps() -> int:
                    for _ in range(4):
                        env.step(actions)
                    return 4 * 2048

                measure(f"vector env, first result, {opponent}, {observation}, {word}", steps, mean)
    if args.nonet and not args.cpu:
        words = [args.nonet, "speed", "champion", "--json", "--seconds", str(args.seconds)]
        text = subprocess.run(words, check=True, capture_output=True)
        figures = json.loads(text.stdout)
        for name in ("static", "inputs", "results"):
            print(f"nonet speed champion: {name:<36} {figures[name]:>12,.0f} /s")
        ours = dict(rows)["evaluate, champion, 1 thread"]
        print(f"evaluate / nonet speed static: {ours / figures['static']:.2f}")
    few = np.unique(boards, axis=0)[:4000]
    single = nonet.Engine(ply=1, bearoff=False, threads=1)

    def one_by_one() -> int:
        for board in few:
            single.evaluate(board[None])
        return len(few)

    measure("evaluate, champion, 1 thread, one row a call", one_by_one)
    peers(few, measure)


def peers(boards: Any, measure: Callable[[str, Callable[[], int]], None]) -> None:
    """The same of other packages, where they are installed."""
    try:
        import gnubg_nn
    except ImportError as error:
        print(f"gnubg-nn is not compared ({error})")
    else:
        # The opponent's points come first; each side counts its own, the bar last.
        rows = [
            [[max(0, -int(n)) for n in row[24::-1]], [max(0, int(n)) for n in row[1:]]]
            for row in boards
        ]

        # Once, since it keeps its answers.
        start = clock()
        for row in rows:
            gnubg_nn.probabilities(row, 0)
        rate = len(rows) / (clock() - start)
        print(f"{'gnubg-nn: probabilities at 0-ply, one position a call':<58} {rate:>12,.0f} /s")
    try:
        import bgsage
    except ImportError as error:
        print(f"bgsage is not compared ({error})")
    else:
        listed = [
            {"board": row.tolist(), "cube_value": 1, "cube_owner": "centered"} for row in boards
        ]
        for threads in (1,) if clock is time.process_time else (1, 0):

            def of_bgsage() -> int:
                return len(bgsage.batch_evaluate(listed, eval_level="1ply", n_threads=threads))

            word = "1 thread" if threads else "all threads"
            measure(f"bgsage: batch_evaluate at 1ply, {word}", of_bgsage)
    try:
        import pyspiel
    except ImportError as error:
        print(f"OpenSpiel is not compared ({error})")
    else:
        game = pyspiel.load_game("backgammon")

        def of_openspiel() -> int:
            plays = 0
            for _ in range(5):
                state = game.new_initial_state()
                while not state.is_terminal():
                    if state.is_chance_node():
                        outcomes = state.chance_outcomes()
                        state.apply_action(outcomes[plays % len(outcomes)][0])
                    else:
                        state.apply_action(state.legal_actions()[0])
                        plays += 1
            return plays

        measure("OpenSpiel: plays of one game after the other, first action", of_openspiel)
    peer_pgx(measure)


def peer_pgx(measure: Callable[[str, Callable[[], int]], None]) -> None:
    """pgx plays many games at once, compiled by JAX; an action moves one checker."""
    try:
        import jax
        import jax.numpy as jnp
        import pgx
        from pgx.experimental import auto_reset
    except ImportError as error:
        print(f"pgx is not compared ({error})")
        return
    env = pgx.make("backgammon")
    games, steps = 2048, 20
    keys = jax.random.split(jax.random.PRNGKey(1), games)
    state = jax.jit(jax.vmap(env.init))(keys)
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit  # type: ignore[untyped-decorator, unused-ignore]
    def play(state: Any, key: Any) -> Any:
        """20 actions in each game, and how often the player on roll changed."""

        def once(carry: Any, key: Any) -> Any:
            action = jnp.argmax(carry.legal_action_mask, axis=-1)
            after = step(carry, action, jax.random.split(key, games))
            return after, (after.current_player != carry.current_player).sum()

        state, turns = jax.lax.scan(once, state, jax.random.split(key, steps))
        return state, turns.sum()

    key = jax.random.PRNGKey(2)
    held = [play(state, key)[0]]

    def of_pgx() -> int:
        held[0], turns = play(held[0], key)
        return int(turns)

    measure("pgx: turns of 2,048 games at once, first action", of_pgx)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What depth, a shared first layer, ensembles and a larger teacher are worth on frozen data.

    cargo run --release -p nonet-measure --bin frozen_positions -- 1200000 20000 1 frozen
    python3 -m venv fits && fits/bin/pip install jax numpy
    fits/bin/python reports/tools/deep_fits.py frozen POSITIONS FITS SEED FILE.csv

The program's nets have at most two hidden layers, and each net has its own first layer. So these
nets are fitted by JAX, nearly as `reports/tools/src/frozen.rs` fits its own (here a pass leaves
out what does not fill a last step): SiLU units, first weights uniform in
-0.1..0.1, Adam with 256 positions a step, ten passes, a rate that falls from 0.004 to 0.00004. The
loss is the squared error of the equity. FILE gets the columns of the program `architectures`, but
for the time: it has the number of weights that one position uses.

Predictions, committed before the first fit, in thousandths of a point lost a roll after 300,000
positions:

- A third layer of 32 units (512-32-32) changes 512-32 by less than 0.3.
- 512-256-128 is ahead of 512-32, by less than 0.5.
- With raw inputs 512-512-256-128 stays behind 512-32 with all inputs.
- With raw inputs depth pays: 512-256-128 is ahead of 512-64 by more than 0.5.
- A shared first layer of 128-16 lies between one net and nets by class.
- The mean of four nets of 128-16 is ahead of one of them by more than 0.5.
- 128-16 taught by 512-256-128 is ahead of 128-16 taught by the equities, by less than 0.5.
"""

import sys
import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

PASSES, BATCH, RATE, LARGEST = 10, 256, 0.004, 0.1
RAW = "raw"
# Name, inputs, sharing, units of the hidden layers.
ARCHITECTURES = [
    ("by class, 128-16", "all", "by class", [128, 16]),
    ("one, 128-16", "all", "one", [128, 16]),
    ("shared first layer, 128-16", "all", "shared", [128, 16]),
    ("one, 512-32", "all", "one", [512, 32]),
    ("shared first layer, 512-32", "all", "shared", [512, 32]),
    ("one, 512-32-32", "all", "one", [512, 32, 32]),
    ("one, 512-256-128", "all", "one", [512, 256, 128]),
    ("one, raw, 512-64", RAW, "one", [512, 64]),
    ("one, raw, 512-256-128", RAW, "one", [512, 256, 128]),
    ("one, raw, 512-512-256-128", RAW, "one", [512, 512, 256, 128]),
]
# Name, the architecture of the averaged fits, and the number of fits.
ENSEMBLE = ("four of one, 128-16", "one, 128-16", 4)
# Name, teacher, student.
TAUGHT = ("one, 128-16, taught by one, 512-256-128", "one, 512-256-128", "one, 128-16")
# The inputs of a side in the order of the encoding: 124 raw ones, then the others.
SIDE, RAW_OF_SIDE = 196, 124


def first_weights(key, inputs, sharing, units, classes):
    """A list of (weights, biases); those of one class each lead with the class."""
    sizes = [inputs, *units, 1]
    layers = []
    for depth, (below, above) in enumerate(zip(sizes, sizes[1:])):
        lead = (classes,) if sharing == "shared" and depth > 0 else ()
        key, one, two = jax.random.split(key, 3)
        draw = partial(jax.random.uniform, minval=-LARGEST, maxval=LARGEST)
        layers.append((draw(one, (*lead, below, above)), draw(two, (*lead, above))))
    return layers


def values(layers, inputs, classes):
    """The equities of positions, `[batch]`, in points."""
    units = inputs
    for depth, (weights, biases) in enumerate(layers):
        if weights.ndim == 3:
            # All classes' units, of which each position takes those of its own class.
            every = jnp.einsum("bi,cij->bcj", units, weights) + biases
            sums = jnp.take_along_axis(every, classes[:, None, None], axis=1)[:, 0]
        else:
            sums = units @ weights + biases
        units = jax.nn.silu(sums) if depth + 1 < len(layers) else sums
    return units[:, 0]


def loss(layers, inputs, classes, equities):
    return jnp.mean((equities - values(layers, inputs, classes)) ** 2)


@jax.jit
def step(state, inputs, classes, equities, rate):
    layers, mean, square, count = state
    gradient = jax.grad(loss)(layers, inputs, classes, equities)
    count = count + 1
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
    square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, square, gradient)
    of_mean, of_square = 1 - 0.9**count, 1 - 0.999**count

    def moved(weight, m, s):
        return weight - rate * (m / of_mean) / (jnp.sqrt(s / of_square) + 1e-8)

    return jax.tree.map(moved, layers, mean, square), mean, square, count


def fit(inputs, classes, equities, sharing, units, kinds, seed):
    layers = first_weights(jax.random.key(seed), inputs.shape[1], sharing, units, kinds)
    zeros = jax.tree.map(jnp.zeros_like, layers)
    state = (layers, zeros, zeros, 0.0)
    rng = np.random.default_rng(seed)
    steps = len(inputs) // BATCH
    assert steps > 0, f"{len(inputs)} positions of a class: too few for a step"
    for number in range(PASSES):
        order = rng.permutation(len(inputs))
        for i in range(steps):
            rate = RATE * 0.01 ** ((number * steps + i + 1) / (PASSES * steps))
            at = order[i * BATCH : (i + 1) * BATCH]
            state = step(state, inputs[at], classes[at], equities[at], rate)
    return state[0]


def all_values(layers, inputs, classes):
    parts = range(0, len(inputs), 4096)
    return np.concatenate(
        [np.asarray(values(layers, inputs[i : i + 4096], classes[i : i + 4096])) for i in parts]
    )


def main():
    folder, positions, fits, seed, path = sys.argv[1:]
    positions, fits, seed = int(positions), int(fits), int(seed)
    load = lambda name: np.load(f"{folder}/{name}.npy", mmap_mode="r")
    names = open(f"{folder}/classes.txt").read().split("\n")
    raw = [side * SIDE + i for side in (0, 1) for i in range(RAW_OF_SIDE)]
    learned = {"all": np.array(load("learned-inputs")[:positions])}
    measured = {"all": np.array(load("rolls-inputs"))}
    learned[RAW], measured[RAW] = learned["all"][:, raw], measured["all"][:, raw]
    classes = load("learned-classes")[:positions].astype(np.int32)
    equities = np.array(load("learned-equities")[:positions])
    of_results = load("rolls-classes").astype(np.int32)
    right = np.array(load("rolls-equities"), dtype=np.float64)
    roll = load("rolls-of").astype(np.int64)
    before = load("rolls-before").astype(np.int64)
    kinds = len(names)
    starts = np.flatnonzero(np.r_[True, roll[1:] != roll[:-1]])
    ends = np.r_[starts[1:], len(roll)]

    def at_rolls(found):
        """Points lost at each roll, and the mean squared error of its results."""
        lost, square = np.empty(len(starts)), np.empty(len(starts))
        for number, (a, b) in enumerate(zip(starts, ends)):
            # The equities are the opponent's: the least is best.
            lost[number] = right[a:b][np.argmin(found[a:b])] - right[a:b].min()
            square[number] = np.mean((found[a:b] - right[a:b]) ** 2)
        return lost, square

    def weights_of(name):
        _, inputs, _, units = next(one for one in ARCHITECTURES if one[0] == name)
        sizes = [learned[inputs].shape[1], *units, 1]
        return sum((below + 1) * above for below, above in zip(sizes, sizes[1:]))

    def fitted(name, number, targets):
        _, inputs, sharing, units = next(one for one in ARCHITECTURES if one[0] == name)
        begun = time.time()
        if sharing == "by class":
            layers, found = None, np.empty(len(of_results), dtype=np.float32)
            for kind in np.unique(of_results):
                own, there = np.flatnonzero(classes == kind), np.flatnonzero(of_results == kind)
                alone = (learned[inputs][own], classes[own], targets[own], "one", units, kinds)
                of_class = fit(*alone, seed + number)
                found[there] = all_values(of_class, measured[inputs][there], of_results[there])
        else:
            layers = fit(learned[inputs], classes, targets, sharing, units, kinds, seed + number)
            found = all_values(layers, measured[inputs], of_results)
        lost = at_rolls(found)[0].sum()
        seconds = time.time() - begun
        print(f"{name}, fit {number}: {lost:.2f} points lost, {seconds:.0f} s", flush=True)
        return layers, found

    rows, found_by, layers_by = [], {}, {}
    for name, *_ in ARCHITECTURES:
        more = ENSEMBLE[2] if name == ENSEMBLE[1] else fits
        done = [fitted(name, number, equities) for number in range(max(fits, more))]
        layers_by[name] = done[0][0]
        found_by[name] = [found for _, found in done]
        each = [at_rolls(found) for found in found_by[name][:fits]]
        rows.append((name, weights_of(name), *np.mean(each, axis=0)))
        save(path, rows, before, names)
    name, of, count = ENSEMBLE
    lost = at_rolls(np.mean(found_by[of][:count], axis=0))
    rows.append((name, count * weights_of(of), *lost))
    name, teacher, student = TAUGHT
    targets = all_values(layers_by[teacher], learned["all"], classes)
    each = [at_rolls(fitted(student, number, targets)[1]) for number in range(fits)]
    rows.append((name, weights_of(student), *np.mean(each, axis=0)))
    save(path, rows, before, names)


def save(path, rows, before, names):
    with open(path, "w") as file:
        file.write("architecture,weights,class,rolls,lost,lost_squared,more,more_squared,")
        file.write("error_squared\n")
        for name, weights, lost, square in rows:
            more = lost - rows[0][2]
            for place, slug in enumerate(names):
                at = before == place
                if at.any():
                    sums = [np.sum(part[at]) for part in (lost, lost**2, more, more**2, square)]
                    cells = ",".join(f"{one:.6f}" for one in sums)
                    file.write(f'"{name}",{weights},{slug},{at.sum()},{cells}\n')


if __name__ == "__main__":
    main()

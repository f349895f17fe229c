"""TD(lambda) in NumPy: a small net learns backgammon by self-play on the environment.

It is tested against random play.

    pip install gymnasium && python python/examples/td_lambda.py [--steps 3000] [--plot curve.svg]

256 games run at once; each step plays one turn in all of them. The traces are those of Sutton
(1988), one for each game, and are cleared where a game ends. The net has the raw inputs (how many
checkers stand where), one hidden layer and the chance to win as its output. Gammons count as wins.
"""

import argparse

import numpy as np

import nonet

parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
)
parser.add_argument("--steps", type=int, default=3000, help="turns of all games")
parser.add_argument("--games", type=int, default=256, help="games at once")
parser.add_argument(
    "--tests", type=int, default=6, help="tests against random play, 256 games each"
)
parser.add_argument("--plot", help="write the learning curve to this file; needs matplotlib")
args = parser.parse_args()

rng = np.random.default_rng(1)
n, inputs, hidden, alpha, lam = args.games, 248, 20, 0.8, 0.7
w = [
    rng.normal(0, 0.1, (inputs, hidden)),
    np.zeros(hidden),
    rng.normal(0, 0.1, hidden),
    np.zeros(()),
]


def value(x):
    """The chance to win of the player on roll, and the hidden units."""
    h = 1 / (1 + np.exp(-(x @ w[0] + w[1])))
    return 1 / (1 + np.exp(-(h @ w[2] + w[3]))), h


def choose(info):
    """The results that are worst for the opponent, who is on roll in them."""
    return nonet.lowest(value(nonet.encode(info["results"], "raw"))[0], info["offsets"])


def test(seed):
    """Points a game against random play."""
    env = nonet.BackgammonVectorEnv(256, "random")
    _, info = env.reset(seed=seed)
    points: list[float] = []
    while len(points) < 256:
        _, reward, ended, _, info = env.step(choose(info))
        points.extend(reward[ended])
    return np.mean(points)


env = nonet.BackgammonVectorEnv(n, "self", "raw")
seen, info = env.reset(seed=1)
traces = [np.zeros((n, *part.shape)) for part in w]
curve = []
for step in range(args.steps):
    if step % max(1, args.steps // args.tests) == 0:
        curve.append((step, test(step)))
        points = curve[-1][1]
        print(
            f"{step:>6} turns of {n} games: {points:+.2f} points a game against random play",
            flush=True,
        )
    x = seen[:, :-2].astype(float)
    v, h = value(x)
    slope = v * (1 - v)
    back = slope[:, None] * w[2] * h * (1 - h)
    gradients = (x[:, :, None] * back[:, None, :], back, slope[:, None] * h, slope)
    for trace, gradient in zip(traces, gradients):
        # The sides alternate: what the other side gained, this one lost.
        trace *= -lam
        trace += gradient
    seen, reward, ended, _, info = env.step(choose(info))
    target = np.where(ended, 1.0, 1 - value(seen[:, :-2])[0])
    for part, trace in zip(w, traces):
        part += alpha / n * np.tensordot(target - v, trace, axes=1)
        trace[ended] = 0
curve.append((args.steps, test(args.steps)))
print(f"{args.steps:>6} turns of {n} games: {curve[-1][1]:+.2f} points a game against random play")
if args.plot:
    try:
        import matplotlib
    except ImportError:
        print("no plot: matplotlib is not installed (pip install matplotlib)")
    else:
        matplotlib.use("svg")
        from matplotlib import pyplot

        pyplot.plot(*zip(*curve), marker="o")
        pyplot.xlabel(f"turns of {n} games")
        pyplot.ylabel("points a game against random play")
        pyplot.title(f"TD({lam}) in NumPy: {hidden} hidden units, seed 1")
        pyplot.savefig(args.plot)
        print(f"the curve is in {args.plot}")

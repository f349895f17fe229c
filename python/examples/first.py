"""A hint, a cube decision, a rollout and an evaluated array.

    pip install ./python && python python/examples/first.py
"""

import numpy as np

import nonet

state = nonet.GameState("4HPwATDgc/ABMA").with_dice("31")
print(state, "\n")

engine = nonet.Engine(ply=2)
print("the best plays:", *engine.moves(state)[:3], sep="\n  ")
print("the cube:", engine.cube(nonet.GameState.start()))
print("rolled out:", *engine.rollout(state, trials=144, plays=2), sep="\n  ")

# All results of all rolls, evaluated in one call. The opponent is on roll in them: the lowest
# equity is the best play.
rolls = np.array([(high, low) for high in range(1, 7) for low in range(1, high + 1)])
results, offsets = nonet.legal_results(np.tile(nonet.START, (21, 1)), rolls)
values = engine.evaluate(results)
best = offsets[:-1] + nonet.lowest(values[:, 5], offsets)
print(f"\n{len(results)} results of the 21 opening rolls; the equity of each roll, played best:")
for roll, equity in sorted(zip(rolls.tolist(), -values[best, 5]), key=lambda pair: -pair[1]):
    print(f"  {roll[0]}{roll[1]} {equity:+.3f}")

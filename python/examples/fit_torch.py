"""Fits the specialist for races in PyTorch to the champion's evaluations.

The fitted net replaces the race net of the champion, and the team plays against the champion. So
does a team with an untrained race net.

    pip install torch gymnasium && python python/examples/fit_torch.py [--games 400] [--epochs 30]
"""

import argparse
import sys

import numpy as np

import nonet

parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
)
parser.add_argument(
    "--games", type=int, default=400, help="games of the champion that positions come from"
)
parser.add_argument("--epochs", type=int, default=30)
args = parser.parse_args()

try:
    import torch
except ImportError:
    print("skipped: this example needs PyTorch (pip install torch)")
    sys.exit(0)

# Positions of one class from games of the champion, with all results of each roll.
champion = nonet.Engine(ply=1)
race = nonet.CLASSES.index("race")
env = nonet.BackgammonVectorEnv(args.games)
_, info = env.reset(seed=1)
found = []
for turn in range(70):
    results = info["results"]
    found.append(results[nonet.classify(results) == race])
    _, _, _, _, info = env.step(nonet.lowest(champion.evaluate(results)[:, 5], info["offsets"]))
boards = np.unique(np.concatenate(found), axis=0)
inputs = torch.from_numpy(nonet.encode(boards, "race"))
targets = torch.from_numpy(champion.heads(boards))
held_out = torch.arange(len(boards)) % 10 == 0
print(f"{len(boards)} positions of the class race, {int(held_out.sum())} of them held out")

# The same net as a specialist: sigmoid units, the average result, and a softmax over the six ends
# of a game.
torch.manual_seed(1)
first, second = torch.nn.Linear(inputs.shape[1], 32), torch.nn.Linear(32, len(nonet.HEADS))
optimizer = torch.optim.Adam([*first.parameters(), *second.parameters()], lr=0.01)


def loss_of(rows):
    out = second(torch.sigmoid(first(inputs[rows])))
    squared = ((out[:, 0] - targets[rows, 0]) ** 2).mean()
    entropy = -(targets[rows, 1:] * torch.log_softmax(out[:, 1:], dim=1)).sum(dim=1).mean()
    return squared + entropy


learned = torch.nonzero(~held_out)[:, 0]
for epoch in range(args.epochs):
    for part in learned[torch.randperm(len(learned))].split(256):
        optimizer.zero_grad()
        loss_of(part).backward()
        optimizer.step()

# PyTorch keeps a layer's weights as [outputs, inputs].
arrays = {
    "w1": first.weight.detach().numpy().T,
    "b1": first.bias.detach().numpy(),
    "w2": second.weight.detach().numpy().T,
    "b2": second.bias.detach().numpy(),
    "hidden": "sigmoid",
    "output": "softmax",
}
before = nonet.Net.open("champion")
fitted = before.with_arrays({"race": arrays})
untrained = before.with_arrays({"race": nonet.Net.random("40/64/128").arrays()["race"]})
few = boards[held_out.numpy()]
exact = champion.evaluate(few)[:, 5]
for name, net in (("untrained", untrained), ("fitted", fitted)):
    equity = nonet.Engine(1, net, bearoff=False).evaluate(few)[:, 5]
    error = np.sqrt(np.mean((equity - exact) ** 2))
    series = nonet.play_games(net, "champion", 2000, seed=1)
    print(
        f"champion with the {name} race net: error {error:.3f} points on the held-out positions;"
        f" against the champion {series}"
    )

"""Analyses a record of a match: PR, luck and the worst mistakes of both players.

    python python/examples/analyse_match.py match.mat
"""

import sys
from pathlib import Path

import nonet

example = Path(__file__).parents[2] / "tests/records/crawford.mat"
given = sys.argv[1] if len(sys.argv) > 1 else example
for match in nonet.Engine(ply=1).analyse(given):
    for name, summary in zip(match["names"], match["summary"]):
        pr = "-" if summary["pr"] is None else f"{summary['pr']:.1f}"
        luck, bad = summary["luck"], summary["very_bad"]
        print(f"{name}: PR {pr}, luck {luck:+.2f} points, {bad} very bad decisions")
    decisions = [decision for game in match["games"] for decision in game["decisions"]]
    for decision in sorted(decisions, key=lambda decision: -decision["loss"])[:3]:
        what = decision["decision"]
        done = what.get("played") or what["call"]
        right = what.get("right") or what["plays"][0]["play"]
        name, loss = match["names"][decision["player"]], decision["loss"]
        print(f"  {name}: {done} instead of {right} loses {loss:.3f}: {decision['xgid']}")

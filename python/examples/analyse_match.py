"""Analyses a record of a match: PR, luck and the worst mistakes of both players.

    python python/examples/analyse_match.py match.mat
"""

import sys
from pathlib import Path

import nonet

given = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2] / "tests/records/crawford.mat"
for match in nonet.Engine(ply=1).analyse(given):
    for name, summary in zip(match["names"], match["summary"]):
        pr = "-" if summary["pr"] is None else f"{summary['pr']:.1f}"
        print(f"{name}: PR {pr}, luck {summary['luck']:+.2f} points, {summary['very_bad']} very bad decisions")
    decisions = [decision for game in match["games"] for decision in game["decisions"]]
    for decision in sorted(decisions, key=lambda decision: -decision["loss"])[:3]:
        what = decision["decision"]
        done, right = what.get("played") or what["call"], what.get("right") or what["plays"][0]["play"]
        print(f"  {match['names'][decision['player']]}: {done} instead of {right} loses {decision['loss']:.3f}: {decision['xgid']}")

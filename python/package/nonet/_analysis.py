"""The analysis of a match, as ``Engine.analyse`` returns it."""

from __future__ import annotations

from typing import Any, Dict


class Analysis(Dict[str, Any]):
    """An analysis of a match, shown in one line.

    It is the ``dict`` that ``nonet.ANALYSIS_SCHEMA`` explains.
    """

    def __repr__(self) -> str:
        names, sides = self.get("names") or [], self.get("summary") or []
        prs = [f"{name} PR {_number(side.get('pr'))}" for name, side in zip(names, sides)]
        games = len(self.get("games") or [])
        parts = [*prs, f"{games} game{'' if games == 1 else 's'}"]
        return f"<Analysis {self.get('file', '')}: {', '.join(parts)}>"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"

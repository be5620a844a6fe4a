"""What a search keeps of its looks besides their runs: values, measured points, curves."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import special

from simkit.stats.quantiles import normal
from simkit.studies.fair.request import Asked, Data, Row, Solution, Value


def record(asked: Asked, solution: Solution, looks: dict[str, Data]) -> dict[str, Any]:
    """The document: what was asked, the fair values, all that was measured, the curves to draw."""
    usual = dict(zip(asked.vary, asked.usual(), strict=True))
    return {
        "vary": {name: list(ends) for name, ends in asked.vary.items()},
        "usual": usual,
        "fair": asked.fair,
        "values": [row for value in solution.values for row in _values(asked, value)],
        "points": [row for name, look in looks.items() for row in _points(asked, name, look)],
        "curve": solution.curve,
        "apart": [list(pair) for pair in solution.apart],
        "unfit": solution.unfit,
    }


def _values(asked: Asked, value: Value) -> Iterator[Row]:
    """A row per option; no value: there is none; no end of the interval: it is open beyond the range."""
    for place, name in enumerate(asked.vary):
        numbers = {key: _finite(getattr(value, key)[place]) for key in ("values", "low", "high")}
        found = {"value": numbers.pop("values"), **numbers, "best": value.setting[place]}
        yield {"lineup": value.lineup, "option": name, **found}


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _points(asked: Asked, name: str, look: Data) -> Iterator[Row]:
    """The share of each seat (of a team) at each setting of a look, with its 95 % interval."""
    places = np.arange(len(look.settings))
    for lineup in look.which:
        for seat in range(1 if asked.team else asked.seats):
            odds = look.odds(lineup, places, seat)
            half = normal(0.95) * np.sqrt(np.diag(odds.covariance))
            shares = [look.part(lineup)[0][:, seat], *special.expit([odds.values - half, odds.values + half])]
            rows = zip(look.settings, *(one.tolist() for one in shares), strict=True)
            for setting, share, low, high in rows:
                front = {"look": name, "lineup": look.label(lineup), "seat": seat}
                known = {"share": share, "low": low, "high": high, "deals": look.deals}
                yield front | dict(zip(asked.vary, setting, strict=True)) | known

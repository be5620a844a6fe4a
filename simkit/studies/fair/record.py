"""Record of a fair-value search in `search.json`: values, measured points, curves."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import special

from simkit.stats.quantiles import normal
from simkit.studies.fair.request import Data, Request, Row, Solution, Value


def record(request: Request, solution: Solution, measurements: dict[str, Data]) -> dict[str, Any]:
    """Return the document: the request, the fair values, all measurements, and the curves to draw."""
    usual = dict(zip(request.vary, request.usual(), strict=True))
    return {
        "vary": {name: list(ends) for name, ends in request.vary.items()},
        "usual": usual,
        "fair": request.fair,
        "values": [row for value in solution.values for row in _values(request, value)],
        "points": [row for name, data in measurements.items() for row in _points(request, name, data)],
        "curve": solution.curve,
        "differing_lineups": [list(pair) for pair in solution.differing],
        "unfit": solution.unfit,
    }


def _values(request: Request, value: Value) -> Iterator[Row]:
    """Yield a row per option; a value that does not exist or lies beyond the range is None."""
    for place, name in enumerate(request.vary):
        numbers = {key: _finite(getattr(value, key)[place]) for key in ("values", "low", "high")}
        entry = {"value": numbers.pop("values"), **numbers, "best": value.setting[place]}
        yield {"lineup": value.lineup, "option": name, **entry}


def _finite(number: float) -> float | None:
    """Return a number, or None where it is not finite."""
    return number if math.isfinite(number) else None


def _points(request: Request, name: str, data: Data) -> Iterator[Row]:
    """Yield the share of each seat (or of the team) at each setting, with its 95 % interval."""
    places = np.arange(len(data.settings))
    for lineup in data.which:
        for seat in range(1 if request.team else request.seats):
            odds = data.odds(lineup, places, seat)
            half = normal(0.95) * np.sqrt(np.diag(odds.covariance))
            shares = [data.part(lineup)[0][:, seat], *special.expit([odds.values - half, odds.values + half])]
            rows = zip(data.settings, *(column.tolist() for column in shares), strict=True)
            for setting, share, low, high in rows:
                front = {"look": name, "lineup": data.label(lineup), "seat": seat}
                numbers = {"share": share, "low": low, "high": high, "deals": data.deals}
                yield front | dict(zip(request.vary, setting, strict=True)) | numbers

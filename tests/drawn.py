"""Pictures for tests: a table for each chart, with short and with long names."""

from __future__ import annotations

from typing import Any

import polars as pl

from simkit.page import charts

LONG = "greedy, tunable (caution 1, worth of a card 45) in both seats"
ENDS_OF_INTERVALS = {"low": [0.45, 0.51, 0.44], "high": [0.49, 0.55, 0.56]}
SHARES = {"value": [0.47, 0.53, 0.5], **ENDS_OF_INTERVALS, "fair": [0.5] * 3}
FOREST = pl.DataFrame({"label": ["a", "a", "b"], "kind": ["seat 0", "seat 1", "seat 0"], **SHARES})
CURVE = pl.DataFrame({"line": ["a"] * 3, "x": [12, 14, 16], "n": [10_000] * 3, **SHARES}).with_columns(
    tick=pl.col("x").cast(pl.String)
)
COURSE = pl.DataFrame({"line": ["a"] * 3, "x": [0, 50, 100], **SHARES})
BARS = pl.DataFrame({"line": ["a", "a"], "low": [10, 12], "high": [12, 14], "value": [0.25, 0.75]})
HEAT = pl.DataFrame(
    {"row": ["a", "a", "b"], "column": ["seat 0", "seat 1", "seat 1"], "value": [0.613, 0.2, None]}
    | {"games": [1200, 30, 0], "low": [0.6, 0.11, None], "high": [0.64, 0.29, None], "fair": [0.5] * 3}
)
RATINGS = pl.DataFrame(
    {"label": ["a", "b", "c"], "value": [25.5, -12.0, None]}
    | {"low": [20.0, None, None], "high": [31.0, None, None]}
)
DIFFERENT = pl.DataFrame(
    {"label": ["purple 3 P..", "the ore factory of the first player"], "value": [11.0, -4.0]}
    | {"low": [8.0, -9.0], "high": [14.0, 1.0], "style": [0, -2]}
)
RANKED = pl.DataFrame(
    {"label": ["draw two\nthe second seat draws two cards", "as printed"], "value": [0.505, 0.56]}
    | {"low": [0.49, 0.55], "high": [0.52, 0.57], "fair": [0.5] * 2}
)
SEATS = pl.DataFrame(
    [
        {
            "label": f"{seats} players",
            "kind": f"seat {seat}",
            "value": 3 - seat,
            "low": 2 - seat,
            "high": 4 - seat,
        }
        for seats in range(2, 6)
        for seat in range(1, seats + 1)
    ]
)
GAME = pl.DataFrame(
    {"line": ["red"] * 40 + ["blue"] * 40, "x": [*range(40)] * 2}
    | {"value": [*range(40), *(x * x // 50 for x in range(40))]}
)
TURNS = [(3, "red leads"), (5, "red takes the pump"), (20, "blue leads"), (36, "red repairs"), (38, "blue")]
TURNING_POINTS = [charts.Mark(text, x) for x, text in TURNS]
TRIALS = pl.DataFrame(
    {"line": ["kept", "dropped early", "kept", "kept"], "x": [1, 2, 3, 4], "value": [3.0, -12.0, 20.0, 14.0]}
    | {"low": [-4.0, -30.0, 12.0, 6.0], "high": [10.0, 6.0, 28.0, 22.0], "measured": [True] * 4}
)
BEST = TRIALS.with_columns(
    line=pl.lit("best"), value=pl.col("value").cum_max(), low=None, high=None, measured=False
)
FITTED = pl.concat([CURVE.with_columns(measured=pl.lit(measured)) for measured in (False, True)]).drop("tick")


def multiplied(table: pl.DataFrame, column: str = "line", times: int = 5) -> pl.DataFrame:
    """Return the table several times over, each with another long name and with shares a little higher."""
    shifted = [name for name in ("value", "low", "high") if name in table.columns and table is not BARS]
    names = [pl.lit(f"{LONG}, {place}").alias(column) for place in range(times)]
    higher = [[pl.col(name) + 0.01 * place for name in shifted] for place in range(times)]
    return pl.concat([table.with_columns(name, *more) for name, more in zip(names, higher, strict=True)])


WIDE_GRID = pl.DataFrame(
    [
        {"row": f"second keeps {row}", "column": str(column), "value": (row * column % 97) / 97, "fair": 0.5}
        | {"sign": "U", "low": 0.4, "high": 0.42}
        for row in range(12, 25)
        for column in range(10, 23)
    ]
)
SQUARE = pl.DataFrame(
    [
        {"row": f"{LONG} {row}", "column": f"{LONG} {column}", "value": (1 + row) / (2 + row + column)}
        for row in range(7)
        for column in range(7)
        if row != column
    ]
)
ALONG = {"label": "second player keeps\n(the total value of the cards kept, or as near as the cards allow)"}
KEEPS = {"across": "first keeps", "down": "second keeps"}
PRINTED, PICKED = charts.Mark("rulebook", 16), charts.Mark("recommended", 13, 15)
MORE = {"form": "{:+.1f}", "unit": "Turns more"}
FAIR = {"unit": "Games won by the first seat", "margin": 0.02}
ALL: dict[str, tuple[charts.Chart, pl.DataFrame, dict[str, Any]]] = {
    "course": (charts.curve, COURSE, {"label": "Part of the game, %", "unit": "Games won by the leader"}),
    "heat": (charts.heat, HEAT, {"across": "share of games won, %"}),
    "about": (charts.heat, HEAT, {"across": "seat", "down": "cards", "middle": "fair"}),
    "ratings": (charts.forest, RATINGS, {"unit": "Elo points", "form": "{:+.1f}"}),
    "forest": (charts.forest, FOREST, {}),
    "curve": (charts.curve, CURVE, {"label": "cards", **FAIR, "marks": [PICKED, PRINTED]}),
    "trend": (charts.curve, CURVE.drop("fair"), {"label": "start_total_second", **MORE}),
    "matrix": (charts.heat, SQUARE.with_columns(pl.col("row", "column").str.tail(1)), {"across": ""}),
    "histogram": (charts.histogram, BARS, {"unit": "Turns"}),
    "different": (charts.forest, DIFFERENT, {"unit": "Games won more", "form": "{:+.1f}"}),
    "ranked": (charts.forest, RANKED, FAIR),
    "sizes": (charts.forest, SEATS, {"form": "{:+.1f}", "unit": "Points above fair", "margin": 2}),
    "score": (charts.curve, GAME, {"label": "Turn", "unit": "Score", "form": "{}", "marks": TURNING_POINTS}),
    "trials": (charts.curve, pl.concat([TRIALS, BEST]), {"label": "Trial", **MORE}),
    "fitted": (
        charts.curve,
        FITTED,
        {"label": "cards", **FAIR, "marks": [charts.Mark("fair value", 13.5, 14.5)]},
    ),
    "long-score": (
        charts.curve,
        multiplied(GAME.head(40), times=2),
        {"label": "Turn", "unit": "Score", "form": "{}", "marks": TURNING_POINTS},
    ),
    "long-curve": (charts.curve, multiplied(CURVE), {**ALONG, **FAIR, "marks": [PICKED, PRINTED]}),
    "long-trend": (
        charts.curve,
        multiplied(CURVE.drop("fair")),
        {**ALONG, **MORE, "unit": f"Turns more than {LONG}"},
    ),
    "long-course": (
        charts.curve,
        multiplied(COURSE, times=7),
        {"label": "Part of the game, %", "unit": LONG},
    ),
    "long-histogram": (charts.histogram, multiplied(BARS), {"unit": LONG}),
    "long-forest": (charts.forest, multiplied(FOREST, "label"), {"unit": LONG}),
    "long-kinds": (charts.forest, multiplied(FOREST, "kind"), {}),
    "long-ratings": (charts.forest, multiplied(RATINGS, "label"), {"unit": LONG, "form": "{:+.1f}"}),
    "long-heat": (charts.heat, WIDE_GRID, KEEPS | {"middle": "fair"}),
    "long-matrix": (charts.heat, SQUARE, {"across": ""}),
    "long-columns": (
        charts.heat,
        SQUARE.with_columns(row=pl.format("rule set of a long name, no. {}", pl.col("row").str.tail(1))),
        {"across": "", "down": "keeps"},
    ),
    "long-ranked": (charts.forest, RANKED.with_columns(LONG + " " + pl.col("label")), {"unit": LONG}),
}


def picture(name: str) -> charts.Picture:
    """Return one of ALL as a picture."""
    draw, table, options = ALL[name]
    return charts.picture(name, draw, table, **options)

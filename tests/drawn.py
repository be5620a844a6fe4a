"""Pictures for tests: a table for each chart, with short and with long names."""

from __future__ import annotations

from typing import Any

import polars as pl

from simkit.reporting import charts

LONG = "greedy, tunable (caution 1, worth of a card 45) in both seats"
ENDS_OF_INTERVALS = {"low": [0.45, 0.51, 0.44], "high": [0.49, 0.55, 0.56]}
SHARES = {"share": [0.47, 0.53, 0.5], **ENDS_OF_INTERVALS, "fair": [0.5] * 3}
FOREST = pl.DataFrame({"label": ["a", "", "b"], "kind": ["seat 0", "seat 1", "seat 0"], **SHARES})
CURVE = pl.DataFrame({"line": ["a"] * 3, "x": [12, 14, 16], "n": [10_000] * 3, **SHARES}).with_columns(
    tick=pl.col("x").cast(pl.String), baseline=pl.col("x") == 16
)
COURSE = pl.DataFrame({"line": ["a"] * 3, "x": [0, 50, 100], **SHARES})
BARS = pl.DataFrame({"line": ["a", "a"], "low": [10, 12], "high": [12, 14], "share": [0.25, 0.75]})
ENDS = pl.DataFrame({"label": ["a", "a"], "part": ["seat 0 wins", "seat 1 wins"], "share": [0.53, 0.47]})
HEAT = pl.DataFrame(
    {"row": ["a", "a", "b"], "column": ["seat 0", "seat 1", "seat 1"], "share": [0.613, 0.2, None]}
    | {"games": [1200, 30, 0], "fair": [0.5] * 3}
)
VERDICTS = pl.DataFrame(
    {"row": ["12", "12", "16", "16"], "column": ["a", "b"] * 2, "share": [0.5, 0.6, 0.49, 0.52]}
    | {"baseline": [False, False, True, False]}
    | {"verdict": ["FAIR", "UNFAIR", "BORDERLINE", "NOT SETTLED (12,000)"]}
)
RATINGS = pl.DataFrame(
    {"label": ["a", "b", "c"], "value": [25.5, -12.0, None]}
    | {"low": [20.0, None, None], "high": [31.0, None, None]}
)
DIFFERENT = pl.DataFrame(
    {"label": ["purple 3 P..", "the ore factory of the first player", "unknown"], "value": [11.0, -4.0, None]}
    | {"low": [8.0, -9.0, None], "high": [14.0, 1.0, None], "other": [18.0, -6.0, 2.0]}
    | {"sure": [True, False, None]}
)
RANKED = pl.DataFrame(
    {"label": ["draw two", "as printed", "draw three"], "value": [0.505, 0.56, 0.46], "fair": [0.5] * 3}
    | {"note": ["the second seat draws two cards", "", "the second seat draws three cards, and keeps them"]}
    | {"low": [0.49, 0.55, None], "high": [0.52, 0.57, None], "baseline": [False, True, False]}
)
SEATS = pl.DataFrame(
    [
        {"panel": f"{seats} players", "x": seat, "value": value, "low": value - 0.01, "high": value + 0.01}
        for seats in range(2, 6)
        for seat, value in ((seat, 0.03 - 0.06 * (seat - 1) / (seats - 1)) for seat in range(1, seats + 1))
    ]
)
GAME = pl.DataFrame(
    {"line": ["red"] * 40 + ["blue"] * 40, "x": [*range(40)] * 2}
    | {"y": [*range(40), *(x * x // 50 for x in range(40))]}
)
TURNS = pl.DataFrame(
    {
        "x": [3, 5, 20, 36, 38],
        "text": ["red leads", "red takes the pump", "blue leads", "red repairs", "blue"],
    }
)
ERRS = CURVE.with_columns(
    x=pl.Series([0.0, 0.2, 0.4]), share=pl.Series([1.0, 0.6, 0.3]), is_other_game=pl.lit(False)
).drop("tick")
FITTED = pl.concat([CURVE.with_columns(measured=pl.lit(measured)) for measured in (False, True)]).drop("tick")
TRIALS = pl.DataFrame(
    {"x": [1, 2, 3, 4], "share": [3.0, -12.0, 20.0, 14.0], "best": [3.0, 3.0, 20.0, 20.0]}
    | {"low": [-4.0, -30.0, 12.0, 6.0], "high": [10.0, 6.0, 28.0, 22.0]}
    | {"dropped": [False, True, False, False], "subject": [f"trial {number}" for number in range(1, 5)]}
)
SETTINGS = pl.DataFrame(
    {"kind": ["tried"] * 4 + ["checked"] * 3 + ["printed"], "name": [None] * 4 + ["1", "2", "3", "printed"]}
    | {"x": [0.5, 0.52, 0.55, 0.6, 0.511, 0.512, 0.513, 0.512], "tip": [f"cards {x}" for x in range(12, 20)]}
    | {"y": [20.0, 21.0, 22.0, 23.0, 20.5, 20.5, 20.5, 20.52]}
    | {"x_low": [None] * 4 + [0.50] * 4, "x_high": [None] * 4 + [0.52] * 4}
    | {"y_low": [None] * 4 + [20.2] * 4, "y_high": [None] * 4 + [20.8] * 4}
)
WISHES: dict[str, Any] = {"wanted_x": (0.48, 0.52), "wanted_y": (0.0, 400.0), "shares": (True, False)}


def multiplied(table: pl.DataFrame, column: str = "line", times: int = 5) -> pl.DataFrame:
    """Return the table several times over, each with another long name and with shares a little higher."""
    shifted = [
        name for name in ("share", "low", "high") if name in table.columns and "part" not in table.columns
    ]
    names = [pl.lit(f"{LONG}, {place}").alias(column) for place in range(times)]
    higher = [[pl.col(name) + 0.01 * place for name in shifted] for place in range(times)]
    return pl.concat([table.with_columns(name, *more) for name, more in zip(names, higher, strict=True)])


WIDE_GRID = pl.DataFrame(
    [
        {"row": f"second keeps {row}", "column": str(column), "share": (row * column % 97) / 97, "fair": 0.5}
        | {"note": "± 1.1", "baseline": row == column, "verdict": ["FAIR", "UNFAIR"][row % 2]}
        for row in range(12, 25)
        for column in range(10, 23)
    ]
)
SQUARE = pl.DataFrame(
    [
        {"row": f"{LONG} {row}", "column": f"{LONG} {column}", "share": (1 + row) / (2 + row + column)}
        for row in range(7)
        for column in range(7)
        if row != column
    ]
)
ALONG = {"label": "second player keeps\n(the total value of the cards kept, or as near as the cards allow)"}
KEEPS = {"across": "first keeps", "down": "second keeps"}
LEFT = {"unit": "Games won by the first seat", "margin": 0.02}
ALL: dict[str, tuple[charts.Chart, pl.DataFrame, dict[str, Any]]] = {
    "lines": (charts.lines, COURSE, {"label": "Part of the game, %", "unit": "Games won by the leader"}),
    "heat": (charts.heat, HEAT, {"across": "share of games won, %"}),
    "about": (charts.heat, HEAT, {"across": "seat", "down": "cards", "middle": "fair"}),
    "bars": (charts.bars, RATINGS, {"unit": "Elo points"}),
    "forest": (charts.forest, FOREST, {}),
    "curve": (charts.curve, CURVE, {"label": "cards", "margin": 0.02, "recommended": [14]}),
    "trend": (charts.trend, CURVE, {"label": "start_total_second", "unit": "Turns more"}),
    "verdicts": (charts.verdicts, VERDICTS, {"across": "lineup", "down": "start_total_second"}),
    "matrix": (charts.matrix, SQUARE.with_columns(pl.col("row", "column").str.tail(1)), {}),
    "histogram": (charts.histogram, BARS, {"unit": "Turns"}),
    "stacked": (charts.stacked, ENDS, {}),
    "ranked": (
        charts.ranked,
        DIFFERENT,
        {"unit": "Games won more", "dot": "at equal standing", "other": "all"},
    ),
    "dots": (charts.dots, RANKED, LEFT),
    "panels": (charts.small_multiples, SEATS, {"margin": 0.02}),
    "score": (charts.score_line, GAME, {"marks": TURNS}),
    "skill": (charts.skill_curve, ERRS, {"label": "Decisions in which one player errs", "unit": "Wins"}),
    "gains": (charts.gains, TRIALS, {"label": "Trial", "unit": "Elo above the start"}),
    "settings": (charts.setting_dots, SETTINGS, {"label": "The first wins", "unit": "Turns", **WISHES}),
    "fitted": (charts.fitted, FITTED, {"label": "cards", **LEFT, "usual": 16.0, "between": (13.5, 14.5)}),
    "long-panels": (charts.small_multiples, multiplied(SEATS, times=2), {}),
    "long-score": (charts.score_line, multiplied(GAME.head(40), times=2), {"marks": TURNS}),
    "long-curve": (charts.curve, multiplied(CURVE), {**ALONG, "margin": 0.02, "recommended": [12, 14]}),
    "long-trend": (charts.trend, multiplied(CURVE), {**ALONG, "unit": f"Turns more than {LONG}"}),
    "long-lines": (charts.lines, multiplied(COURSE, times=7), {"label": "Part of the game, %", "unit": LONG}),
    "long-histogram": (charts.histogram, multiplied(BARS), {"unit": LONG}),
    "long-forest": (charts.forest, multiplied(FOREST, "label"), {"unit": LONG}),
    "long-kinds": (charts.forest, multiplied(FOREST, "kind"), {}),
    "long-bars": (charts.bars, multiplied(RATINGS, "label"), {"unit": LONG}),
    "long-stacked": (charts.stacked, multiplied(ENDS, "label", 3), {}),
    "long-heat": (charts.heat, WIDE_GRID, KEEPS | {"middle": "fair"}),
    "long-verdicts": (charts.verdicts, WIDE_GRID, KEEPS),
    "long-matrix": (charts.matrix, SQUARE, {}),
    "long-dots": (charts.dots, RANKED.with_columns(pl.col("label") + f" {LONG}"), {"unit": LONG}),
}


def picture(name: str) -> charts.Picture:
    """Return one of ALL as a picture."""
    draw, table, options = ALL[name]
    return charts.picture(name, draw, table, **options)

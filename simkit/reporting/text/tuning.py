"""Sentences about a search for the weights of a strategy: what they gain on fresh deals, if anything."""

from collections.abc import Sequence

from simkit.analysis import Findings
from simkit.analysis.tuning import AVERAGE, DIRECT, HOLDOUT
from simkit.formatting import counted
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.match import games_needed
from simkit.reporting.text.numbers import number, percent, roughly, span
from simkit.reporting.text.phrases import TableRow, capital, join_names


def label_opponents(findings: Findings) -> list[TableRow]:
    """Return the rows of `tuned`, the panel first, with `against`: the opponent in words."""
    results, called, rows = findings.run.tuned, labels_of(findings).strategy, list[TableRow]()
    names = {results.strategy: "the defaults", "": "the game"}
    for row in findings.tuned.rows(named=True):
        opponent = row["opponent"] or ""
        panel = f"the panel of {len(results.panel)}" if row["role"] == AVERAGE else ""
        rows.append(row | {"against": panel or names.get(opponent) or called(opponent)})
    return rows


def has_gained(rows: Sequence[TableRow]) -> bool:
    """Return whether the best weights win more against the panel, and not less against anybody else."""
    return bool(rows[0]["low"] > 0) and not _worse(rows)


def _worse(rows: Sequence[TableRow]) -> list[TableRow]:
    """Return the results against opponents outside the panel that are surely worse."""
    return [row for row in rows if row["role"] in (HOLDOUT, DIRECT) and row["high"] < 0]


def tune_headline(rows: Sequence[TableRow], best: str, candidates: int) -> str:
    """Return what the best weights gain against the panel on fresh deals, and whom they win less against."""
    panel, candidate = rows[0], f"the best of {counted(candidates, 'candidate')}"
    than = "equal players would" if panel["against"] == "the defaults" else "the defaults"
    if panel["high"] < 0:
        wins = f"{candidate} wins less than {than}, {_points(panel)}"
        return f"Nothing gained: against {panel['against']} {wins}."
    if panel["low"] <= 0:
        needed = games_needed(panel | {"score": 0.5 + panel["gain"], "games": panel["deals"]})
        more = f"; about {roughly(needed)} fresh deals would settle it" if needed else ""
        wins = f"{candidate} wins more than {than} against {panel['against']}"
        return f"It is not settled whether {wins}: {_points(panel)}{more}."
    gain = f"{_points(panel, sign=False)} more than {than}"
    share = f"{percent(panel['share'])} against {panel['against']}, {gain}"
    if worse := [row["against"] for row in _worse(rows)]:
        return f"Gained on the panel alone: {best} wins {share}, but less against {join_names(worse)}."
    return f"{capital(best)} wins {share}."


def tune_advice(rows: Sequence[TableRow], label: str) -> str:
    """Return the results against others than the panel, and the label of the tuned strategy in lineups."""
    texts = [_opponent_result(row) for row in rows if row["role"] in (HOLDOUT, DIRECT)]
    return " ".join([*texts, f"In a lineup it is {label}."])


def _points(row: TableRow, sign: bool = True) -> str:
    """Return a gain with its interval."""
    interval = span(row["low"], row["high"], sign=sign, scale=100)
    return f"{number(100 * row['gain'], sign=sign)} percentage points ({interval})"


def _opponent_result(row: TableRow) -> str:
    """Return the result against an opponent that was not in the panel, or against the defaults."""
    if row["role"] == DIRECT:
        base = percent(row["base"])
        return f"Against {row['against']} it wins {percent(row['share'])}; equal players would win {base}."
    return f"Against {row['against']}, which was not in the panel, the gain is {_points(row)}."

"""What the settings of a sweep change of the length of a game and of who wins, in a headline."""

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.compare import wins
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import ends, games_of_100, listed, number


def effects(findings: Findings) -> str:
    """The greatest change of a game's length and of the share of the first player (the team), beyond luck."""
    often = f"how often the {side_of(findings.run).name} wins"
    measures = {
        "the length of a game": (pl.col("measure") == "turns", " turns", 1),
        often: (wins(findings.run), " percentage points", 100),
    }
    changes = {what: _greatest(findings, *how) for what, how in measures.items()}
    said = [by.format(what) for what, by in changes.items() if by]
    if none := [what for what, by in changes.items() if not by]:
        whom = _with_whom(findings, [measures[what][0] for what in none])
        said.append(f"no setting tried changes {listed(none, 'or')} beyond luck{whom}")
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}."


def _with_whom(findings: Findings, measures: list[pl.Expr]) -> str:
    """Of measures that no setting changes with every lineup: whether one changes with some."""
    if findings.cells["lineup"].n_unique() == 1:
        return ""
    rows = findings.comparisons.filter(pl.any_horizontal(measures))
    return " with every lineup" if (rows["p_adjusted"] < SURE).any() else " with any lineup"


def _greatest(findings: Findings, which: pl.Expr, unit: str, scale: int) -> str:
    """Which setting changes {} most of those that change it beyond luck with every lineup."""
    rows = findings.comparisons.filter(which)
    one_way = pl.col("difference").sign().n_unique().over("setting") == 1
    sure = (pl.col("p_adjusted") < SURE).all().over("setting")
    real = rows.filter(sure & one_way).sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    if real.is_empty():
        return ""
    setting = real["setting"][0]
    by = sorted(scale * one for one in real.filter(setting=setting)["difference"])
    size = ends(number(by[0], sign=True), number(by[-1], sign=True))
    return f"{labels_of(findings).at(setting)} changes {{}} most, by {size}{unit}"


def over_all(findings: Findings) -> str:
    """How long games are and how often the first player (the team) wins, at all settings."""
    turns, shares = findings.lengths.filter(measure="turns")["p50"], findings.first_player_advantage["share"]
    often = games_of_100(*shares)
    long = ends(f"{min(turns)}", f"{max(turns)}")
    return f"Over all settings a game takes {long} turns, and the {side_of(findings.run).name} wins {often}."

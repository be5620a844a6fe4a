"""What the settings of a sweep change of the length of a game and of who wins, in a headline."""

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.compare import wins
from simkit.words.labels import labels_of
from simkit.words.phrases import ends, games_of_100, listed, number
from simkit.words.sure import SURE
from simkit.words.whose import side_of


def effects(found: Findings) -> str:
    """The greatest change of a game's length and of the share of the first player (the team), beyond luck."""
    often = f"how often the {side_of(found.run).name} wins"
    length = _greatest(found, pl.col("measure") == "turns", " turns", 1)
    share = _greatest(found, wins(found.run), " percentage points", 100)
    changes = {"the length of a game": length, often: share}
    none = listed((what for what, by in changes.items() if not by), "or") if not length or not share else ""
    every = " with every line-up" * (found.cells["lineup"].n_unique() > 1)
    said = [by.format(what) for what, by in changes.items() if by]
    said += [f"no setting tried changes {none} beyond luck{every}"] if none else []
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}."


def _greatest(found: Findings, which: pl.Expr, unit: str, scale: int) -> str:
    """Which setting changes {} most of those that change it beyond luck with every lineup."""
    rows = found.comparisons.filter(which)
    one_way = pl.col("difference").sign().n_unique().over("setting") == 1
    sure = (pl.col("p_adjusted") < SURE).all().over("setting")
    real = rows.filter(sure & one_way).sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    if real.is_empty():
        return ""
    setting = real["setting"][0]
    by = sorted(scale * one for one in real.filter(setting=setting)["difference"])
    size = ends(number(by[0], sign=True), number(by[-1], sign=True))
    return f"{labels_of(found).at(setting)} changes {{}} most, by {size}{unit}"


def over_all(found: Findings) -> str:
    """How long games are and how often the first player (the team) wins, at all settings."""
    turns, shares = found.lengths.filter(measure="turns")["p50"], found.first_player_advantage["share"]
    often = games_of_100(min(shares), max(shares))
    long = ends(f"{min(turns)}", f"{max(turns)}")
    return f"Over all settings a game takes {long} turns, and the {side_of(found.run).name} wins {often}."

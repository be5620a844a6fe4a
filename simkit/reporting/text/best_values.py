"""The best whole numbers of a search for a fair value, and how they did on fresh deals."""

from typing import Any, NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.fairness import POOLED
from simkit.reporting.text.answer import tally
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import players
from simkit.reporting.text.phrases import Row
from simkit.stats.verdicts import EASY, FAIR, HARD, ON_TARGET, UNFAIR

GOOD, OFF = {FAIR, ON_TARGET}, {UNFAIR, EASY, HARD}
CHECKED = ("cell", "share", "deals", "verdict")
UNCHECKED = dict[str, Any].fromkeys(CHECKED)


class Best(NamedTuple):
    """The best whole numbers of a lineup, or of all together, as they did on fresh deals."""

    values: list[Row]  # per option
    setting: str  # "20" of one option, else with the names of the options
    there: str  # "at 20" of one option, else "there"
    rows: list[Row]  # of the check, per lineup

    @property
    def kinds(self) -> set[str]:
        return {row["verdict"] for row in self.rows}

    @property
    def good(self) -> bool:
        return bool(self.kinds) and self.kinds <= GOOD

    @property
    def is_fair(self) -> bool | None:
        """Whether every lineup finds it fair, or some not; None: that is open."""
        return True if self.good else False if self.kinds & OFF else None

    def named(self, number: int) -> str:
        """A best whole number, told so that nobody takes one that is not fair for fair."""
        if self.is_fair is False:
            return f"none, nearest {number}"
        return f"{number}" if self.good or not self.kinds else f"perhaps {number}"

    @property
    def bad(self) -> bool:
        """Whether no lineup may find it fair."""
        return bool(self.kinds) and self.kinds <= OFF


def best_of_all(findings: Findings) -> Best:
    """Of the only lineup, or of all together."""
    return best_of(findings, findings.fair_values["lineup"][-1])


def best_of(findings: Findings, wanted: str) -> Best:
    values = findings.fair_values.filter(lineup=wanted).rows(named=True)
    rows = findings.fair_checks.filter(wanted=wanted).rows(named=True)
    if len(values) == 1:
        return Best(values, f"{values[0]['best']}", f"at {values[0]['best']}", rows)
    setting = labels_of(findings).setting({row["option"]: row["best"] for row in values})
    return Best(values, setting, "there", rows)


def best_table(findings: Findings) -> pl.DataFrame:
    """`fair_values` with the share, deals and verdict of each lineup on fresh deals; whole: the best, told.

    Of all lineups together the verdicts are counted; of several options the first row has these.
    """
    rows = []
    for (wanted,), values in findings.fair_values.group_by("lineup", maintain_order=True):
        best = best_of(findings, str(wanted))
        for place, value in enumerate(values.rows(named=True)):
            told = {"whole": best.named(value["best"])}
            rows.append(value | told | (UNCHECKED if place else _checked(findings, best)))
    return pl.DataFrame(rows, infer_schema_length=None)


def of_each_seat(findings: Findings) -> pl.DataFrame:
    """`seat_shares` at the best whole numbers of all lineups together; off: above or below fair."""
    cells = [row["cell"] for row in best_of_all(findings).rows]
    off = (pl.col("share") - pl.col("fair")).alias("off")
    return findings.seat_shares.filter(pl.col("cell").is_in(cells)).with_columns(off)


def _checked(findings: Findings, best: Best) -> Row:
    if len(best.rows) == 1:
        return {name: best.rows[0][name] for name in CHECKED}
    return UNCHECKED | {"verdict": verdicts_said(findings, best) if best.rows else "not checked"}


def verdicts_said(findings: Findings, best: Best) -> str:
    if len(best.rows) == 1:
        return str(best.rows[0]["verdict"])
    return tally([row["verdict"] for row in best.rows], players(findings))


def own_bests(findings: Findings) -> dict[str, Best]:
    """Of each lineup, where what is fair depends on who plays; else of none.

    It does where the best of all lineups together is off for some of them, and some have a fair value.
    """
    names = findings.fair_values["lineup"].unique(maintain_order=True).to_list()
    each = {name: best_of(findings, name) for name in names if name != POOLED}
    some = any(best.good for best in each.values())
    return each if len(each) > 1 and some and best_of_all(findings).kinds & OFF else {}

"""The best whole numbers of a search for a fair value, with their results on fresh deals."""

from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.fairness import POOLED
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import interval_words
from simkit.reporting.text.perspective import players
from simkit.reporting.text.phrases import Row
from simkit.reporting.text.verdict_counts import joint_with
from simkit.stats.verdicts import GOOD, OFF


class Best(NamedTuple):
    """Best whole numbers of a lineup, or of all together, with their results on fresh deals."""

    values: list[Row]  # one row per option
    setting: str  # "20" for one option, else with the names of the options
    there: str  # "at 20" for one option, else "there"
    rows: list[Row]  # one row of the check per lineup

    @property
    def kinds(self) -> set[str]:
        """Verdicts of the lineups."""
        return {row["verdict"] for row in self.rows}

    @property
    def bad(self) -> bool:
        """True if it is off with every lineup."""
        return bool(self.kinds) and self.kinds <= set(OFF)

    @property
    def is_fair(self) -> bool | None:
        """True if it is fair with every lineup, False if it is off with some; None while that is open."""
        return False if self.kinds & set(OFF) else True if self.kinds and self.kinds <= set(GOOD) else None

    def named(self, number: int) -> str:
        """Return a best whole number, marked where it is not (or not surely) fair."""
        if self.is_fair is False:
            return f"none, nearest {number}"
        return f"{number}" if self.is_fair or not self.kinds else f"perhaps {number}"


def best_of_all(findings: Findings) -> Best:
    """Return the best values of the only lineup, or of all lineups together."""
    return best_of(findings, findings.fair_values["lineup"][-1])


def best_of(findings: Findings, lineup: str) -> Best:
    """Return the best values of a lineup."""
    values = findings.fair_values.filter(lineup=lineup).rows(named=True)
    rows = findings.fair_checks.filter(wanted=lineup).rows(named=True)
    if len(values) == 1:
        return Best(values, f"{values[0]['best']}", f"at {values[0]['best']}", rows)
    setting = labels_of(findings).setting({row["option"]: row["best"] for row in values})
    return Best(values, setting, "there", rows)


def best_table(findings: Findings) -> pl.DataFrame:
    """Return `fair_values` with `interval` and `whole` (the best) in words and the results on fresh deals."""
    rows = []
    for (wanted,), values in findings.fair_values.group_by("lineup", maintain_order=True):
        best = best_of(findings, str(wanted))
        checked = {"cell": None, "share": None, "deals": None, "verdict": verdicts_said(findings, best)}
        if len(best.rows) == 1:
            checked = {name: best.rows[0][name] for name in checked}
        for row in values.rows(named=True):
            interval = "" if row["value"] is None else interval_words(row["low"], row["high"])
            rows.append(row | checked | {"whole": best.named(row["best"]), "interval": interval})
    return pl.DataFrame(rows, infer_schema_length=None)


def of_each_seat(findings: Findings) -> pl.DataFrame:
    """Return `seat_shares` at the best values of all lineups together, with `off`: the distance from fair."""
    cells = [row["cell"] for row in best_of_all(findings).rows]
    off = (pl.col("share") - pl.col("fair")).alias("off")
    return findings.seat_shares.filter(pl.col("cell").is_in(cells)).with_columns(off)


def verdicts_said(findings: Findings, best: Best) -> str:
    """Return the verdict with all lineups, and with how many of them it is so."""
    kinds = [row["verdict"] for row in best.rows]
    return joint_with(kinds, players(findings)) if kinds else "not checked"


def own_bests(findings: Findings) -> dict[str, Best]:
    """Return each lineup's own best values where the best of all is off for some and some have a fair one."""
    names = findings.fair_values["lineup"].unique(maintain_order=True).to_list()
    each = {name: best_of(findings, name) for name in names if name != POOLED}
    has_fair = any(best.is_fair for best in each.values())
    return each if len(each) > 1 and has_fair and best_of_all(findings).kinds & set(OFF) else {}

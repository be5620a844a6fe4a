"""What things are worth: prices, and who wins with them."""

from __future__ import annotations

import polars as pl

from reports.sections.common import PERCENT, SHARE, TENTH, N, front, looked_at, query
from simkit import analysis
from simkit.report import Section, Show, Takeaway, table
from simkit.runlog import Run


def ownership_takeaways(run: Run) -> list[Takeaway]:
    """For each lineup looked at: what is bid up most, and whose owners win most."""
    found = looked_at(run, analysis.ownership(run)).filter(pl.col("sold") > 0)
    return [_takeaway(run, rows) for _, rows in found.group_by("cell", maintain_order=True)]


def _takeaway(run: Run, rows: pl.DataFrame) -> Takeaway:
    dearest = rows.sort("premium", descending=True).row(0, named=True)
    strongest = rows.sort("share", descending=True).row(0, named=True)
    setting = f" at {dearest['setting']}" if dearest["setting"] else ""
    text = (
        f"Where all play as in {dearest['lineup']}{setting}, the {dearest['thing']} is bid up most: {dearest['price']:.0f} credits on average against a "
        f"printed {dearest['printed']:.0f}. Seats with the {strongest['thing']} win {strongest['share']:.1%} (95 % interval {100 * strongest['low']:.1f} to "
        f"{100 * strongest['high']:.1f} %, n = {strongest['deals']:,} deals; fair is {strongest['fair']:.1%}), which is a correlation."
    )
    return Takeaway(text, query(run, "ownership(run)"))


def ownership_section(run: Run) -> Section:
    """Price above the printed cost, and the share of the wins of owners; a correlation, said so."""
    found = analysis.ownership(run)
    columns = front(found, run) | {
        "thing": Show("upgrade"),
        "sold": Show("sold a game", "{:.2f}"),
        "printed": Show("printed cost", TENTH),
        "price": Show("mean price", TENTH),
        "premium": Show("above it", TENTH, "mean winning bid less the printed cost, credits"),
        "owners": Show("seats owning one", PERCENT),
    }
    columns |= SHARE | {
        "without": Show("share without", PERCENT, "share of the wins of a seat that owns none at the end"),
        "deals": N["deals"],
    }
    text = (
        "What is paid for an upgrade, and how often seats win that own one at the end, against seats that own none. "
        "Correlational: who is ahead can afford more, so a high share does not say that buying the upgrade wins."
    )
    return Section("Upgrades", [text], [], [table(found, columns, "Price and owners of each upgrade")])

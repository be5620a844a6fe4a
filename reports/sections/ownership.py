"""What things are worth: prices, and who wins with them."""

from __future__ import annotations

from reports.sections.common import PERCENT, SHARE, TENTH, N, front
from simkit import analysis
from simkit.report import Section, Show, table
from simkit.runlog import Run


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

"""Of which of the groups that were played a number is: a range over all of them, or one of them by name."""

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.reporting.text.labels import labels_of


def over(findings: Findings, cells: list[int]) -> str:
    """What a range over some cells goes over, to stand at the end: `, whoever plays, at every setting`."""
    rows = findings.cells.filter(pl.col("cell").is_in(cells))
    sizes, settings = sorted(set(rows["seats"])), rows["setting"].n_unique()
    said = [f"with {sizes[0]} to {sizes[-1]} players"] if len(sizes) > 1 else []
    several = rows.group_by("setting", "seats").len()["len"]
    said += ["whoever plays"] if (several > 1).any() else []
    if settings > 1:
        said.append("at every setting")
    elif findings.cells["setting"].n_unique() > 1:
        said.append(place(findings, rows["setting"][0]))
    return "".join(f", {one}" for one in said)


def of_first(findings: Findings) -> str:
    """Which cell a statement is of that looks at the first one only, where others were played."""
    shown = findings.cells.filter(cell=cells_to_look_at(findings.run)[0]).row(0, named=True)
    alike = findings.cells.filter(setting=shown["setting"])
    called = labels_of(findings).of_column("lineup") or str
    said = [labels_of(findings).when(called(shown["lineup"]))] if alike.height > 1 else []
    said += [place(findings, shown["setting"])] if findings.cells["setting"].n_unique() > 1 else []
    return "".join(f", {one}" for one in said)


def looked_place(findings: Findings, table: pl.DataFrame) -> str:
    """The setting looked at, and the size of the tables that a heading is of, where there are several.

    `table`: of one setting; a heading on plans is of its first size.
    """
    setting = findings.looked().cells["setting"][0]
    sizes = table["seats"].unique(maintain_order=True).to_list() if "seats" in table else []
    said = [f"at tables of {sizes[0]}"] if len(sizes) > 1 else []
    said += [place(findings, setting)] if findings.cells["setting"].n_unique() > 1 else []
    return "".join(f", {one}" for one in said)


def place(findings: Findings, setting: str) -> str:
    """Where a setting lies, as part of a sentence: `at the rulebook`, `at goal 8`."""
    labels = labels_of(findings)
    at = labels.at(setting)
    return f"at the {at}" if at == labels.base else f"at {at}"

"""The scope of a number: a range over all groups that were played, or one of them by name."""

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.reporting.text.labels import labels_of


def over(findings: Findings, cells: list[int]) -> str:
    """Return the scope of a range over cells as a suffix: `, whoever plays, at every setting`."""
    rows = findings.cells.filter(pl.col("cell").is_in(cells))
    sizes, settings = sorted(set(rows["seats"])), rows["setting"].n_unique()
    parts = [f"with {sizes[0]} to {sizes[-1]} players"] if len(sizes) > 1 else []
    several = rows.group_by("setting", "seats").len()["len"]
    parts += ["whoever plays"] if (several > 1).any() else []
    if settings > 1:
        parts.append("at every setting")
    elif findings.cells["setting"].n_unique() > 1:
        parts.append(place(findings, rows["setting"][0]))
    return "".join(f", {part}" for part in parts)


def of_first(findings: Findings) -> str:
    """Return a suffix that names the first cell where others were played too."""
    shown = findings.cells.filter(cell=cells_to_look_at(findings.run)[0]).row(0, named=True)
    alike = findings.cells.filter(setting=shown["setting"])
    called = labels_of(findings).of_column("lineup") or str
    parts = [labels_of(findings).when(called(shown["lineup"]))] if alike.height > 1 else []
    parts += [place(findings, shown["setting"])] if findings.cells["setting"].n_unique() > 1 else []
    return "".join(f", {part}" for part in parts)


def place(findings: Findings, setting: str) -> str:
    """Return a setting as part of a sentence: `at the rulebook`, `at goal 8`."""
    labels = labels_of(findings)
    at = labels.at(setting)
    return f"at the {at}" if at == labels.base else f"at {at}"

"""Kinds of luck: how much of the result each kind decides, from a luck study of the run."""

import json
from pathlib import Path

import polars as pl

from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.runs.folder import LUCK_STUDY
from simkit.runs.storage import checksums
from simkit.stats.parts import Part, variance_parts

TOGETHER = "together"
STREAMS = "streams"  # key of the file's metadata: names of the streams of each kind of luck
NAMES = [f"{name}{end}" for name in ("alone", "total") for end in ("", "_low", "_high")]
LUCK_SCHEMA = (
    whole("cell") | texts("part") | reals(*NAMES) | whole("plays", "games", "deals") | texts("streams")
)


@finding
def luck_parts(findings: Findings) -> pl.DataFrame:
    """Per cell to look at and kind of luck: part of the variance of the result; empty without a luck study.

    part: setup (shuffles and rolls before play), play (draws during play), choices (random choices of
    strategies, and random errors), as far as the game has them, and together (the remainder that none decides
    alone). alone: part decided by this luck alone; total: part in which it is involved; with 95 % intervals
    over deals. Variance: of the shares of the win, summed over the seats (for a team: of its share), between
    games of the same lineup in the same seats. plays: per deal, with all combinations of old and new luck;
    streams: names of the random streams. Formula and source: `simkit.stats.parts`. Null where all games end
    alike.
    """
    study = read(findings.run.folder)
    if study is None:
        return pl.DataFrame()
    plays, streams = study
    own = plays.filter(pl.col("cell").is_in([cell.index for cell in findings.run.cells]))
    rows = [
        row for part in own.partition_by("cell", maintain_order=True) for row in _luck_rows(part, streams)
    ]
    return (
        findings.with_cells(pl.DataFrame(rows, schema=LUCK_SCHEMA, orient="row")) if rows else pl.DataFrame()
    )


def read(folder: Path) -> tuple[pl.DataFrame, dict[str, list[str]]] | None:
    """Return the plays of a luck study and the streams of each kind of luck, or None if there is none."""
    if not checksums.valid_files(folder, [LUCK_STUDY]):
        return None
    streams = pl.read_parquet_metadata(folder / LUCK_STUDY)[STREAMS]
    return pl.read_parquet(folder / LUCK_STUDY, glob=False), json.loads(streams)


def _luck_rows(plays: pl.DataFrame, streams: dict[str, list[str]]) -> list[tuple[object, ...]]:
    """Return the rows of a cell."""
    kinds, deals = list(streams), plays["deal"].n_unique()
    ordered = plays.sort("deal", *kinds, "seat")
    shape = deals, *(2,) * len(kinds), plays["seat"].n_unique()
    turns = ordered["rotation"].to_numpy().reshape(deals, -1)[:, 0]
    parts = variance_parts(ordered["share"].to_numpy().reshape(shape), turns)
    per_deal, cell = 2 ** len(kinds), plays["cell"][0]
    none = (None,) * 3
    each: list[tuple[Part | tuple[None, ...], Part | tuple[None, ...]]] = [(none, none)] * (len(kinds) + 1)
    if parts is not None:
        each = [*zip(parts.alone, parts.total, strict=True), (parts.together, none)]
    return [
        (cell, part, *alone, *total, per_deal, per_deal * deals, deals, ", ".join(streams.get(part, [])))
        for part, (alone, total) in zip([*kinds, TOGETHER], each, strict=True)
    ]

"""Runs made up for tests of pieces: a table of events becomes the table of a run folder, without playing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from synthetic import MadeRun, Story, made_stories, noted, with_words

from simkit.runs.run_metadata import PieceWords

KINDS = dict.fromkeys(("cell", "rotation", "seat", "turn", "last", "copies"), pl.Int32)


@dataclass(frozen=True)
class Became(MadeRun):
    """A run with a table of the events of its pieces."""

    def pieces(self) -> pl.LazyFrame:
        """Return the table of events."""
        return self._own_table("pieces")


def event(
    piece: str, what: str, turn: int, seat: int | None = None, last: int | None = None
) -> dict[str, Any]:
    """Return an event of a piece, from `turn` to `last`."""
    ends = {"turn": turn, "last": turn if last is None else last}
    return {"piece": piece, "event": what, "seat": seat, "copies": 1} | ends


def made_pieces(
    folder: Path,
    games: list[tuple[Story, list[dict[str, Any]]]],
    names: dict[str, dict[str, str]],
    played: bool = True,
    lineup: list[str] | None = None,
) -> Became:
    """Return a run of one cell with these games and the events of each.

    names: every piece with its kinds.
    """
    run = made_stories(folder, [story for story, _ in games], lineup)
    rotations = run.cells[0].rotations
    deals = [i if game.deal is None else game.deal for i, (game, _) in enumerate(games)]
    rows = [
        {"play": i, "cell": 0, "deal": deal, "rotation": i % rotations} | event
        for i, (deal, (_, events)) in enumerate(zip(deals, games, strict=True))
        for event in events
    ]
    pl.DataFrame(rows, schema_overrides=KINDS, infer_schema_length=None).write_parquet(
        folder / "pieces.parquet"
    )
    pieces = [PieceWords(label=label, kinds=kinds, copies=1) for label, kinds in names.items()]
    fields = vars(noted(with_words(run, pieces=pieces, played=played), columns={"pieces": {}}))
    return Became(**{name: fields[name] for name in ("folder", "experiment", "manifest", "cells")})

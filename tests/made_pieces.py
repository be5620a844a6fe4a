"""Runs made up to tell what became of pieces: a table of events becomes a run folder's, without playing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl
from made import MANIFEST, MadeRun, Story, made_stories

from simkit.runs.run_metadata import PieceWords

KINDS = dict.fromkeys(("cell", "rotation", "seat", "turn", "last", "copies"), pl.Int32)


@dataclass(frozen=True)
class Became(MadeRun):
    def pieces(self) -> pl.LazyFrame:
        return self._kept("pieces")


def event(
    piece: str, what: str, turn: int, seat: int | None = None, last: int | None = None
) -> dict[str, Any]:
    ends = {"turn": turn, "last": turn if last is None else last}
    return {"piece": piece, "event": what, "seat": seat, "copies": 1} | ends


def made_pieces(
    folder: Path,
    games: list[tuple[Story, list[dict[str, Any]]]],
    names: dict[str, dict[str, str]],
    played: bool = True,
    lineup: list[str] | None = None,
) -> Became:
    """A run of one cell with these games and what happened in each; names: of all pieces, with their kinds."""
    run = made_stories(folder, [story for story, _ in games], lineup)
    turns, dealt = (
        run.cells[0].rotations,
        [i if game.deal is None else game.deal for i, (game, _) in enumerate(games)],
    )
    rows = [
        {"play": i, "cell": 0, "deal": deal, "rotation": i % turns} | one
        for i, (deal, (_, own)) in enumerate(zip(dealt, games, strict=True))
        for one in own
    ]
    pl.DataFrame(rows, schema_overrides=KINDS, infer_schema_length=None).write_parquet(
        folder / "pieces.parquet"
    )
    pieces = [PieceWords(label=label, kinds=kinds, copies=1) for label, kinds in names.items()]
    words = MANIFEST["words"] | {"pieces": [one.model_dump() for one in pieces], "played": played}
    known = vars(replace(run, manifest=MANIFEST | {"words": words, "columns": {"pieces": {}}}))
    return Became(**{name: known[name] for name in ("folder", "experiment", "manifest", "cells")})

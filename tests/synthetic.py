"""Runs made up for tests: a table of results becomes the tables of a run folder, without playing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import polars as pl

from simkit.engine.lineups import Named
from simkit.runs.experiment import parse
from simkit.runs.folder import Run
from simkit.runs.manifest import Manifest
from simkit.runs.plan import Cell, analyses
from simkit.runs.run_metadata import RunWords

AnyRun = TypeVar("AnyRun", bound=Run)
MANIFEST = Manifest.model_construct(
    command="simkit run made.toml",
    sources={},
    columns={},
    tables={},
    started="2026-01-01T00:00:00+00:00",
    finished="2026-01-01T00:00:00+00:00",
    seconds=1.0,
    words=RunWords(
        title="Made",
        summary="A game made up",
        seats=[],
        score="points",
        turns_of="of all seats together",
        rules="",
        provenance=[],
        options={},
        presets={},
        strategies={},
    ),
)


def noted(run: AnyRun, **changes: Any) -> AnyRun:
    """The run with other values in its manifest."""
    return replace(run, manifest=run.manifest.model_copy(update=changes))


def with_words(run: AnyRun, **changes: Any) -> AnyRun:
    """The run with other texts."""
    return noted(run, words=RunWords.model_validate(run.words.model_dump() | changes))


@dataclass(frozen=True)
class MadeRun(Run):
    """A run with each table in one file of its folder."""

    @property
    def analyses(self) -> list[int]:
        """The numbers of deals at which an adaptive experiment looks at its results."""
        return analyses(self.experiment)

    def games(self) -> pl.LazyFrame:
        """Return the games table."""
        return self._own_table("games")

    def seats(self) -> pl.LazyFrame:
        """Return the seats table."""
        return self._own_table("seats")

    def turns(self) -> pl.LazyFrame:
        """Return the turns table of a traced run."""
        self._check_trace()
        return self._own_table("turns")

    def meanings(self, table: str | None = None) -> dict[str, str]:
        """Return no meanings: the columns of these tables are the usual ones."""
        return {}

    def _own_table(self, table: str) -> pl.LazyFrame:
        return pl.scan_parquet(self.folder / f"{table}.parquet").filter(
            pl.col("cell").is_in([cell.index for cell in self.cells])
        )


def made_run(
    folder: Path, lineups: list[list[str]], shares: list[float], deals: int = 400, **keys: Any
) -> MadeRun:
    """Return a run with a cell per value of its only sweep and lineup.

    Seat 0 wins each cell's share of the games; one in ten of the rest is drawn.
    """
    sweep: dict[str, list[Any]] = keys.get("sweep", {})
    settings = [dict(zip(*pair, strict=True)) for pair in _settings(sweep)] or [{}]
    experiment = parse(
        {"question": "Which rule is fair?", "game": "made", "deals": deals, "lineups": lineups, **keys}
    )
    cells: list[Cell] = []
    for setting in settings:
        for lineup in lineups:
            turns = len(lineup) if len(set(lineup)) > 1 else 1
            first = cells[-1].first_play + cells[-1].plays if cells else 0
            named = tuple(Named(name, {}) for name in lineup)
            base = setting == experiment.baseline and bool(setting)
            cells.append(
                Cell(
                    len(cells), "made", len(lineup), setting, setting, named, turns, deals, first, turns, base
                )
            )
    games, seats = zip(*(_play(cell, share) for cell, share in zip(cells, shares, strict=True)), strict=True)
    folder.mkdir(parents=True, exist_ok=True)
    pl.concat(games).write_parquet(folder / "games.parquet")
    pl.concat(seats).write_parquet(folder / "seats.parquet")
    return MadeRun(folder, experiment, MANIFEST, cells)


def _settings(sweep: dict[str, list[Any]]) -> list[tuple[list[str], list[Any]]]:
    if not sweep:
        return []
    ((key, values),) = sweep.items()
    names = [name.strip() for name in key.split(",")]
    return [(names, value if isinstance(value, list) else [value]) for value in values]


def _play(cell: Cell, share: float) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return games and seats of a cell by a rule of thumb, with the same luck per deal in every cell."""
    rng = np.random.default_rng(1)
    luck = rng.random(cell.deals)
    games, seats = [], []
    for deal in range(cell.deals):
        for rotation in range(cell.rotations):
            play = cell.play_of(deal, rotation)
            others = (
                1 + int((luck[deal] - share) / (1 - share) * (cell.seats - 1)) if luck[deal] >= share else 0
            )
            draw = luck[deal] > 0.9
            winners = [0, cell.seats - 1] if draw else [min(others, cell.seats - 1)]
            end = "draw" if draw else "population"
            key = {"play": play, "cell": cell.index, "deal": deal, "rotation": rotation}
            row = {
                "winner": None if draw else winners[0],
                "draw": draw,
                "turns": 20 + deal % 7,
                "decisions": 40,
                "end_reason": end,
            }
            games.append(key | row | {"first": 0})
            for seat in range(cell.seats):
                strategy = cell.labels[(seat + rotation) % cell.seats]
                outcome = {
                    "share": 1 / len(winners) if seat in winners else 0.0,
                    "rank": 1 + (seat not in winners),
                    "score": 10 * (seat in winners) + deal % 3,
                }
                seats.append(key | {"seat": seat, "strategy": strategy} | outcome)
    schema = {
        "cell": pl.Int32,
        "rotation": pl.Int32,
        "winner": pl.Int32,
        "seat": pl.Int32,
        "first": pl.Int32,
        "rank": pl.Int32,
    }
    return (
        pl.DataFrame(games, schema_overrides=schema, infer_schema_length=None),
        pl.DataFrame(seats, schema_overrides=schema, infer_schema_length=None),
    )


def lose(run: MadeRun, parts: dict[int, float]) -> MadeRun:
    """Return the run with nobody as the winner of a part of the deals of some cells."""
    luck = np.random.default_rng(5).random(max(cell.deals for cell in run.cells))
    part = pl.col("cell").replace_strict(parts, default=0.0, return_dtype=pl.Float64)
    lost = pl.col("deal").replace_strict(dict(enumerate(luck)), return_dtype=pl.Float64) < part
    nobody = {
        "games": {"winner": pl.lit(None, pl.Int32), "draw": pl.lit(False)},
        "seats": {"share": pl.lit(0.0), "rank": pl.lit(0, pl.Int32)},
    }
    for name, values in nobody.items():
        table = pl.read_parquet(run.folder / f"{name}.parquet")
        columns = {column: pl.when(lost).then(value).otherwise(column) for column, value in values.items()}
        table.with_columns(**columns).write_parquet(run.folder / f"{name}.parquet")
    return run


@dataclass(frozen=True)
class Story:
    """A made-up game: the scores of the seats after each turn, and the share of each seat."""

    scores: list[tuple[int, ...]]
    share: tuple[float, ...]
    deal: int | None = None  # by default the next deal
    # [turn][seat]: decisions, choices, most_choices, steps
    load: list[list[tuple[int, int, int, int]]] | None = None
    log: dict[str, tuple[int, ...]] | None = None  # the game's own columns, a number per seat


def made_stories(folder: Path, stories: list[Story], lineup: list[str] | None = None) -> MadeRun:
    """Return a traced run of one cell with these games; consecutive games of a deal are its rotations."""
    seats = len(stories[0].share)
    lineup = lineup or ["made"] * seats
    deals = [index if story.deal is None else story.deal for index, story in enumerate(stories)]
    turns = max(deals.count(deal) for deal in deals)
    named = tuple(Named(name, {}) for name in lineup)
    cell = Cell(0, "made", seats, {}, {}, named, turns, max(deals) + 1, 0, turns, False)
    experiment = parse(
        {"question": "?", "game": "made", "deals": cell.deals, "lineups": [lineup], "trace": cell.deals}
    )
    games, seat_rows, trace = [], [], []
    for index, (story, deal) in enumerate(zip(stories, deals, strict=True)):
        rotation = deals[:index].count(deal)
        key = {"play": deal * turns + rotation, "cell": 0, "deal": deal, "rotation": rotation}
        winner = story.share.index(1) if story.share.count(1) == 1 else None
        games.append(
            key
            | {
                "winner": winner,
                "draw": winner is None,
                "turns": len(story.scores),
                "end_reason": "made",
                "first": 0,
                "decisions": _decisions(story),
            }
        )
        for seat, share in enumerate(story.share):
            seating = {"seat": seat, "strategy": lineup[(seat + rotation) % seats]}
            log = {name: values[seat] for name, values in (story.log or {}).items()}
            seat_rows.append(
                key
                | seating
                | {"share": float(share), "rank": 1 + (not share), "score": story.scores[-1][seat]}
                | log
            )
            trace += [
                key | {"turn": t, "seat": seat, "score": scores[seat]} | _load(story, t, seat)
                for t, scores in enumerate(story.scores, 1)
            ]
    kinds = dict.fromkeys(("cell", "rotation", "winner", "seat", "first", "turn", "turns", "score"), pl.Int32)
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in (("games", games), ("seats", seat_rows), ("turns", trace)):
        schema = {column: kind for column, kind in kinds.items() if column in rows[0]}
        pl.DataFrame(rows, schema_overrides=schema, infer_schema_length=None).write_parquet(
            folder / f"{name}.parquet"
        )
    return MadeRun(folder, experiment, MANIFEST, [cell])


def _decisions(story: Story) -> int:
    return sum(seat[0] for turn in story.load or [] for seat in turn)


def _load(story: Story, turn: int, seat: int) -> dict[str, int]:
    """Return a seat's decisions in a turn, or nothing for a story without load."""
    names = ("decisions", "choices", "most_choices", "steps")
    return {} if story.load is None else dict(zip(names, story.load[turn - 1][seat], strict=True))


def seats_win(run: MadeRun, chances: list[list[float]]) -> MadeRun:
    """Return the run with winners drawn anew, by the chances of the seats of each cell."""
    games, seats = (pl.read_parquet(run.folder / f"{name}.parquet") for name in ("games", "seats"))
    winners = []
    for cell, seat_chances in enumerate(chances):
        drawn = np.random.default_rng(1).random(games.filter(cell=cell).height)
        winners += np.searchsorted(np.cumsum(seat_chances)[:-1], drawn).tolist()
    games = games.sort("cell", maintain_order=True).with_columns(
        winner=pl.Series(winners, dtype=games.schema["winner"]), draw=pl.lit(False)
    )
    won = pl.col("seat") == pl.col("winner")
    ranks = {"rank": (2 - won.cast(pl.Int64)).cast(seats.schema["rank"]), "share": won.cast(pl.Float64)}
    joined = seats.join(games.select("play", "winner"), on="play", maintain_order="left")
    joined.with_columns(**ranks).drop("winner").write_parquet(run.folder / "seats.parquet")
    games.write_parquet(run.folder / "games.parquet")
    return run

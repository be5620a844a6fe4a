"""What becomes of the pieces of each game is what its own log counts."""

from __future__ import annotations

import polars as pl
import pytest

from simkit.runs import experiment, runner
from simkit.runs.folder import Run, open_run

# Compiles the tracers of all games.
pytestmark = [pytest.mark.slow, pytest.mark.proof("games", "strategies")]
OPTIONS = {"red_outpost": {"special_location_cards": 1, "special_worker_cards": 1}}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Some traced games of random players of each game, by name."""
    runs: dict[str, Run] = {}

    def of(name: str) -> Run:
        if name not in runs:
            request = {"question": "?", "game": name, "deals": 12, "trace": 12, "lineups": ["random*3"]}
            request["options"] = OPTIONS.get(name, {})
            folder = tmp_path_factory.mktemp("runs") / name
            runs[name] = open_run(runner.run(experiment.parse(request), folder))
        return runs[name]

    return of


def text(run: Run, *events: str, by: str = "piece") -> dict[object, int]:
    rows = (
        run.pieces()
        .with_columns(pl.col("event", "piece").cast(pl.String))
        .filter(pl.col("event").is_in(events))
    )
    return dict(rows.group_by(by).agg(pl.col("copies").sum()).collect().iter_rows())


def logged(rows: pl.LazyFrame, head: str) -> dict[str, int]:
    names = [name for name in rows.collect_schema() if name.startswith(head)]
    sums = rows.select(pl.col(names).sum()).collect().row(0, named=True)
    return {name.removeprefix(head).replace("_", " "): n for name, n in sums.items() if n}


def test_upgrades_taken_are_those_sold(played) -> None:
    run = played("outpost")
    sold = {name: n for name, n in logged(run.games(), "sold_").items() if name != "to non opener"}
    taken = {name: n for name, n in text(run, "taken").items() if "factory" not in str(name)}
    assert taken == sold and sum(sold.values()) > 100


def test_buildings_are_those_built(played) -> None:
    run = played("lunar_outpost")
    built = logged(run.seats(), "built_")
    taken = text(run, "taken", "played")
    assert {name: taken[name] for name in built} == {name: 2 * n for name, n in built.items()}
    assert text(run, "given", by="seat"), "event cards are drawn"


def test_special_cards_are_used_as_often_as_the_log_says(played) -> None:
    run = played("red_outpost")
    uses = logged(run.games(), "card_")
    played_ = {str(name).split()[1]: n for name, n in text(run, "played").items()}
    assert played_ == {name.split()[0]: n for name, n in uses.items()} and uses
    assert text(run, "given", by="seat") == dict.fromkeys(range(3), 12 * 2)


def test_cards_deployed_and_played_are_those_of_the_log(played) -> None:
    run = played("exoplanet_colony")
    games, names = run.games(), {piece.label: piece.kinds["sort"] for piece in run.words.pieces}
    used = text(run, "played")
    modules = sum(n for name, n in used.items() if names[str(name)].endswith("module"))
    logged_ = games.select(pl.col("deploys", "items", "plans").sum()).collect().row(0)
    others = sum(used.values()) - modules
    assert (modules, others) == (logged_[0], logged_[1] + logged_[2]) and min(modules, others) > 0

"""A run folder becomes tidy tables, with the meaning of every column; an unfinished or foreign folder is
refused.
"""

import shutil

import polars as pl
import pyarrow.parquet as pq
import pytest

from simkit import cli
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import experiment, narrate, runner
from simkit.runs.folder import open_run
from simkit.runs.plan import Layout

EXPERIMENT = experiment.parse({
    "question": "?", "game": "pig", "deals": 40, "seed": 5, "lineups": ["hold_at, random", "hold_at*3"], "sweep": {"goal": [30, 60]},
})  # fmt: skip

GAMES = [
    "play", "cell", "deal", "rotation", "game", "seats", "goal", "lineup", "winner", "draw",
    "decisions", "turns", "end_reason", "first", "rolls", "busts",
]  # fmt: skip
SEATS = [
    "play",
    "cell",
    "deal",
    "rotation",
    "seat",
    "strategy",
    "rank",
    "share",
    "score",
    "turns",
    "busts",
    "best_turn",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return runner.run(
        EXPERIMENT,
        tmp_path_factory.mktemp("runs") / "run",
        layout=Layout(7, 7),
        command="simkit run asked.toml",
    )


@pytest.fixture(scope="module")
def run(folder):
    return open_run(folder)


def test_the_columns_are_those_agreed_in_their_order(run):
    assert run.games().collect_schema().names() == GAMES
    assert run.seats().collect_schema().names() == SEATS


def test_column_types_hold_their_numbers(run):
    games, seats = run.games().collect_schema(), run.seats().collect_schema()
    assert (
        games["play"] == games["deal"] == pl.Int64
        and games["draw"] == pl.Boolean
        and seats["share"] == pl.Float64
    )
    assert {games[n] for n in ("cell", "rotation", "seats", "goal", "winner", "turns", "first", "rolls")} == {
        pl.Int32
    }
    assert {games[n] for n in ("game", "lineup", "end_reason")} == {seats["strategy"]} == {pl.Categorical()}


def test_every_column_says_what_it_means(run, folder):
    assert set(run.meanings()) == {*GAMES, *SEATS} and all(run.meanings().values())
    assert run.meanings("seats")["best_turn"] == "Most points banked in one turn"
    assert run.meanings("games")["goal"] == "Points that win (PIG-1)"
    schema = pq.read_schema(next((folder / "games").iterdir()))
    assert schema.field("rolls").metadata[b"description"] == b"Dice rolled"


def test_rows_come_in_the_order_of_the_plays_and_seats(run):
    games, seats = run.games().collect(), run.seats().collect()
    assert games.select("cell", "deal", "rotation").rows() == sorted(
        games.select("cell", "deal", "rotation").rows()
    )
    assert games["play"].sort().to_list() == list(range(240))
    assert seats.select("play", "seat").rows() == [
        (p, s) for p, n in games.select("play", "seats").rows() for s in range(n)
    ]


def test_what_the_rows_say_of_the_cell_is_true(run):
    rows = (
        run.games()
        .select("cell", "goal", "seats", "lineup", "game", "end_reason")
        .unique()
        .sort("cell")
        .collect()
    )
    assert rows.rows() == [
        (0, 30, 2, "hold_at, random", "pig", "goal"),
        (1, 30, 3, "hold_at, hold_at, hold_at", "pig", "goal"),
        (2, 60, 2, "hold_at, random", "pig", "goal"),
        (3, 60, 3, "hold_at, hold_at, hold_at", "pig", "goal"),
    ]


def test_a_play_is_located_by_arithmetic(run):
    for play, cell, deal, rotation in run.games().select("play", "cell", "deal", "rotation").collect().rows():
        result = run.locate(play)
        assert (result[0].index, result[1], result[2]) == (cell, deal, rotation)
    for outside in (-1, 240):
        with pytest.raises(UsageError, match="its plays are 0 to 239"):
            run.locate(outside)


def test_the_rows_of_a_play_are_its_own(run):
    game, seats = run.rows(123)
    assert game == run.games().filter(play=123).collect().row(0, named=True)
    assert seats == run.seats().filter(play=123).collect().rows(named=True)


def test_the_games_and_seats_tables_agree(run):
    seats = (
        run.seats().group_by("play").agg(pl.col("turns").sum(), pl.col("busts").sum()).sort("play").collect()
    )
    games = run.games().sort("play").select("turns", "busts").collect()
    assert seats.select("turns", "busts").rows() == games.rows()


def test_the_manifest_says_how_the_run_was_made(run, folder):
    manifest, text = run.manifest, (folder / "manifest.json").read_text()
    assert manifest.games == 240 and manifest.experiment == EXPERIMENT and manifest.seconds > 0
    assert manifest.started <= (manifest.finished or "") and manifest.command == "simkit run asked.toml"
    assert [cell.first_play for cell in manifest.cells] == [0, 2, 3, 5]
    of_pig = ["the rules of pig", "the options and tables of pig", "simkit's way to play pig"]
    played = [*of_pig, "strategy hold_at", "strategy random"]
    assert sorted(manifest.sources) == sorted(played)
    assert str(folder) not in text and str(registry.ROOT) not in text


OWN = '''
from simkit.games.pig import HOLD, ROLL, game
from simkit.engine.strategy import Weight, strategy


@strategy(game, label="my player", ahead=Weight(15, 0, 100, "Hold earlier when ahead by this many points"))
def {name}(view, w):
    """Rolls until ahead."""
    return HOLD if view.turn_total >= w.ahead else ROLL
'''


@pytest.fixture
def of_a_project(tmp_path):
    """A run with a strategy of a project, and the file that it is in; the project is added while the test
    runs.
    """
    (tmp_path / "mine" / "strategies").mkdir(parents=True)
    file = tmp_path / "mine" / "strategies" / "own.py"
    file.write_text(OWN.format(name="own"))
    registry.add_project(tmp_path / "mine")
    request = EXPERIMENT.with_keys(
        lineups=["own(ahead=9), random", "random*2"], baseline={"goal": 60}, deals=250
    )
    yield runner.run(request, tmp_path / "run"), file
    registry.set_projects([])


@pytest.mark.slow
def test_a_run_explains_itself_after_its_strategy_was_renamed_and_its_project_is_gone(
    of_a_project, tmp_path, capsys
):
    folder, file = of_a_project
    before = open_run(folder)
    file.write_text(OWN.format(name="renamed"))
    registry.set_projects([])
    registry.add_project(tmp_path / "mine")
    for missing in (False, True):
        if missing:
            registry.set_projects([])
            shutil.rmtree(tmp_path / "mine")
        run = open_run(folder)
        assert (run.cells, run.experiment, run.words) == (before.cells, before.experiment, before.words)
        assert (
            run.words.strategies["own"].label == "my player"
            and run.meanings("games")["goal"] == "Points that win (PIG-1)"
        )
        assert [cell.baseline for cell in run.cells] == [False, False, True, True]
        for command in (
            ["report", str(folder), "--format", "json", "-o", "-"],
            ["plan", str(folder)],
            ["plan", str(folder), "--json"],
        ):
            with pytest.raises(SystemExit) as end:
                cli.main(command)
            assert end.value.code == 0 and capsys.readouterr().err == ""
        with pytest.raises(
            UsageError,
            match="a replay needs the game and the strategies as they were: unknown strategy of pig 'own'",
        ):
            narrate.replay(run, 0)

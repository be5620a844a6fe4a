"""Upgrades, buildings, events and modules from a sheet: what a cell changes, and what is refused."""

import numpy as np
import pytest

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import experiment, runner
from simkit.runs.folder import open_run

# game, table, name of the row, column, new cell, field of the rules record, place of the changed value there
CHANGES = [
    ("outpost", "upgrades", "warehouse", "cost", "40", "cost", (1,), 40),
    ("outpost", "upgrades", "moon_base", "vp", "9", "site_vp", (7,), 9),
    ("outpost", "factories", "water", "cost", "25", "factory_cost", (1,), 25),
    ("lunar_outpost", "buildings", "silo", "storage", "4", "storage", (2,), 4),
    ("lunar_outpost", "events", "Curfew", "vp", "5", "event_points", (23,), 5),
    ("lunar_outpost", "events", "Curfew", "vp_silo", "-1", "event_delta", (23, 23), -1),
    ("exoplanet_colony", "modules", "electrolyser", "green", "2", "cost", (slice(0, 2), 2), 2),
    ("exoplanet_colony", "modules", "co2_scrubber", "icon", "pressure water", "effect", (slice(2, 4), 1), 1),
]  # fmt: skip


def sheet(folder, game, table, row, column, cell, options=()):
    """Write the printed table with one cell changed."""
    file = registry.game(game).components.files[table]
    header, *rows = file.rows(file.printed(registry.game(game).resolve(dict(options))))
    for entry in rows:
        if entry[0] == row:
            entry[header.index(column)] = cell
    path = folder / f"{table}.csv"
    path.write_text("\n".join(map(",".join, [header, *rows])))
    return path


def read(game, table, path):
    return {table: registry.game(game).components.files[table].read(path)}


@pytest.mark.parametrize(("game", "table", "row", "column", "cell", "field", "place", "value"), CHANGES)
def test_a_changed_cell_changes_that_number_of_the_rules(
    tmp_path, game, table, row, column, cell, field, place, value
):
    of = registry.game(game)
    printed = of.rules({})[0]
    own = of.rules({}, read(game, table, sheet(tmp_path, game, table, row, column, cell)))[0]
    expected = np.array(printed[field])
    expected[place] = value
    assert (expected != printed[field]).any() and (own[field] == expected).all()
    options = {option.name for option in of.options}
    assert {name for name in of.rules_dtype.names if (own[name] != printed[name]).any()} - options <= {
        field,
        "vp",
    }


def test_cells_that_are_options_change_the_options_too(tmp_path):
    files = read(
        "lunar_outpost", "buildings", sheet(tmp_path, "lunar_outpost", "buildings", "dome", "cost", "3")
    )
    record = registry.game("lunar_outpost").rules({}, files)[0]
    assert record["dome_cost"] == record["cost"][0] == 3


def test_a_sheet_goes_before_a_preset_and_is_refused_with_its_options(tmp_path):
    of = registry.game("outpost")
    expert = {"ruleset": "expert"}
    path = sheet(tmp_path, "outpost", "upgrades", "robots", "cost", "60", expert.items())
    files = read("outpost", "upgrades", path)
    assert of.rules(expert, files)[0]["cost"].tolist() != of.rules({})[0]["cost"].tolist()
    assert of.rules(expert, files)[0]["cost"][6] == of.rules({}, files)[0]["cost"][6] == 60
    with pytest.raises(UsageError, match="option upgrade_vp_robots cannot be given with the upgrades file"):
        of.rules({"upgrade_vp_robots": 2}, files)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("dome", "cost", "9"), "line 2, column cost: '9'; it must be a whole number from 1 to 8"),
        (("dome", "tokens", "0"), "line 2, column tokens: '0'; it must be a whole number from 1 to 5"),
        (("silo", "tokens", "=1"), "line 4, column tokens: '=1'; it must be a whole number from 0 to 5"),
        (
            ("silo", "building", "sillo"),
            "line 4, column building: unknown building 'sillo'; did you mean 'silo'?",
        ),
        (
            ("silo", "building", "dome"),
            "line 4, column building: dome is there twice; every building has one row",
        ),
    ],
)
def test_a_cell_that_cannot_be_is_refused_with_its_place(tmp_path, change, message):
    path = sheet(tmp_path, "lunar_outpost", "buildings", *change)
    with pytest.raises(UsageError) as error:
        read("lunar_outpost", "buildings", path)
    assert message in str(error.value) and str(path) in str(error.value)


def test_a_name_that_cannot_be_is_refused(tmp_path):
    path = sheet(tmp_path, "exoplanet_colony", "modules", "electrolyser", "icon", "presure water")
    with pytest.raises(UsageError, match="icon: unknown icon 'presure water'; did you mean 'pressure water'"):
        read("exoplanet_colony", "modules", path)


PLAYED = [
    ("outpost", "factories", "ore", "cost", "100"),
    ("lunar_outpost", "buildings", "excavator", "cost", "8"),
    ("exoplanet_colony", "modules", "electrolyser", "oxygen", "-4"),
    ("red_outpost", "export_tracks", "fish", "space_1", "20"),
    ("outpost_seven", "cards", "population", "value", "6"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "table", "row", "column", "cell"), PLAYED)
def test_a_changed_cell_changes_play(tmp_path, game, table, row, column, cell):
    """The same deals, compared with the printed table; the page has what changed."""
    of = registry.game(game)
    own = next(name for name, strategy in registry.strategies(of).items() if strategy.game is not None)
    path = sheet(tmp_path, game, table, row, column, cell)
    keys = {
        "question": "?", "game": game, "deals": 20, "lineups": [f"{own}*{of.default_seats}"],
        "sweep": {f"files.{table}": ["printed", str(path)]}, "baseline": {f"files.{table}": "printed"},
    }  # fmt: skip
    run = open_run(runner.run(experiment.parse(keys), tmp_path / "run"))
    seats = run.seats().collect()
    columns = [name for name in seats.columns if name not in ("play", "cell", f"files.{table}")]
    printed, changed = (seats.filter(seats["cell"] == cell).select(columns) for cell in (0, 1))
    assert printed.height == changed.height and not printed.equals(changed)

"""`simkit equilibrium`: games with known values, pairings that stop, the page, refusals."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from simkit.content.reports.sections.best_choices import equilibrium_answer

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.page.recipe import recipe_for
from simkit.questions import equilibrium
from simkit.runs import manifest, runner
from simkit.runs.experiment import parse
from simkit.runs.folder import Run, open_run
from simkit.runs.plan import make_plan
from simkit.stats import zero_sum
from simkit.tables.findings import Findings
from tests.commands import invoke
from tests.kuhn_matrix import kuhn_poker

pytestmark = pytest.mark.slow

PURE = [f"chances(bluff={a}, call={b}, king={c})" for a, b, c in product((0, 1), repeat=3)]
PIG = ["random", "hold_at(threshold=3)", "hold_at(threshold=20)"]


def carried_out(folder: Path, game: str, names: list[str], **keys: object) -> Run:
    expected = {
        "question": "q",
        "game": game,
        "round_robin": names,
        "mirrors": True,
        "deals": 2000,
        "seed": 2,
    }
    return open_run(runner.run(parse(expected | {"report": "equilibrium"} | keys), folder))


@pytest.fixture(scope="module")
def poker(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """All ways to play Kuhn poker that are not foolish against each other, to read only."""
    return carried_out(tmp_path_factory.mktemp("poker") / "run", "kuhn_poker", PURE)


@pytest.fixture(scope="module")
def pig(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Three players of Pig, of whom two are surely worse; to read only."""
    return carried_out(tmp_path_factory.mktemp("pig") / "run", "pig", PIG, until_outclassed=True)


@dataclass(frozen=True)
class Scored(Run):
    """A run of Kuhn poker whose shares are scores, −2 to 2, in quarters."""

    def seats(self) -> pl.LazyFrame:
        return super().seats().with_columns(share=(pl.col("score") + 2) / 4)


def scores(poker: Run) -> np.ndarray:
    """Return what the first wins: float[deal, first strategy, second strategy]."""
    scored = Scored(**{field.name: getattr(poker, field.name) for field in fields(poker)})
    (first,) = equilibrium.pairings_by_setting(poker.cells)
    return 4 * equilibrium.shares_by_deal(scored, first, equilibrium.everything(first)) - 2


def test_kuhn_poker_is_worth_a_loss_of_an_eighteenth_to_the_first(poker: Run) -> None:
    result = zero_sum.cross_fitted(scores(poker), replications=100)
    assert result.low < -1 / 18 < result.high and result.high - result.low < 0.2


def test_the_matrix_of_the_log_is_that_of_the_rules(poker: Run) -> None:
    """Within luck: what the first wins in each pairing against the mean of the six deals."""
    means = scores(poker).mean(axis=0)
    by_rules = kuhn_poker()  # [first's jack, queen, king; second's jack, queen]
    seconds = [2 * a + b for a, b, _ in product((0, 1), repeat=3)]
    assert np.abs(means - by_rules[:, seconds]).max() < 4 * 2 / np.sqrt(2000)


def test_pairings_of_surely_worse_players_stop_and_the_rest_has_all_deals(pig: Run) -> None:
    deals = {frozenset(cell.labels): cell.deals for cell in pig.cells}
    assert deals[frozenset(PIG[2:])] == 2000 and deals[frozenset(PIG[:1])] == 200
    row = Findings(pig).equilibrium.row(0, named=True)
    assert (row["strategies"], row["mattered"], row["deals"]) == (3, 1, 2000)
    assert row["low"] < 0.53469833 < row["high"]  # both hold at 20: by dynamic programming


def test_a_run_that_was_cut_goes_on_to_the_same_end(pig: Run, tmp_path: Path) -> None:
    cut = carried_out(tmp_path, "pig", PIG, until_outclassed=True)
    for table in ("games", "seats"):
        for path in sorted((tmp_path / table).glob("*.parquet"))[2::3]:
            path.unlink()
    contents = manifest.read(tmp_path)
    every = [replace(cell, deals=2000) for cell in contents.cells]
    manifest.note(tmp_path, cells=every, finished=None)
    repeated = carried_out(tmp_path, "pig", PIG, until_outclassed=True)
    deals = [[cell.deals for cell in run.cells] for run in (pig, cut, repeated)]
    assert deals[0] == deals[1] == deals[2]
    assert repeated.seats().collect().equals(pig.seats().collect())


def test_without_stopping_the_answer_agrees(pig: Run, tmp_path: Path) -> None:
    every = Findings(carried_out(tmp_path, "pig", PIG)).equilibrium.row(0, named=True)
    few = Findings(pig).equilibrium.row(0, named=True)
    assert every["share"] == pytest.approx(few["share"]) and every["mattered"] == 3


def test_every_field_of_the_matrix_is_a_pairing_with_its_share(pig: Run) -> None:
    matrix = Findings(pig).equilibrium_matrix
    assert matrix.height == 9 and matrix.select("row", "column").n_unique() == 9
    good, bad = (matrix.filter(row=a, column=b)["share"][0] for a, b in ((PIG[2], PIG[0]), (PIG[0], PIG[2])))
    assert good > 0.85 and bad < 0.15


def test_the_answer_and_the_page(pig: Run) -> None:
    text = equilibrium_answer(Findings(pig))
    assert text.headline.startswith("If both choose the best of these three players, the first wins 5")
    assert "Both players choose “hold at a total (hold from 20)”" in text.advice
    assert recipe_for(pig) == "equilibrium"
    page = registry.recipe("equilibrium").build(pig)
    assert next(figure.drawing.name for figure in page.figures()) == "pairings"
    ours = [
        table.caption for table in page.tables() if table.caption.startswith(("The value", "Every pairing"))
    ]
    assert ours == ["The value", "Every pairing"]  # intervals as they should be where cells stop
    neighbour = registry.recipe("strategies").build(pig)
    assert any("If both choose" in section.heading for section in neighbour.sections)


@pytest.mark.parametrize(("names", "deals"), [(PIG, 3), (PIG[2:], 40)])
def test_few_deals_or_a_single_player_have_pages_without_a_value(
    names: list[str], deals: int, tmp_path: Path
) -> None:
    run = carried_out(tmp_path, "pig", names, deals=deals, report="balance")
    assert not Findings(run).equilibrium.width
    assert registry.recipe("balance").build(run).takeaways


def test_a_run_of_too_few_deals_for_a_value_is_refused_and_its_page_says_why(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="^key 'deals': until_outclassed needs 20 or more, not 19$"):
        carried_out(tmp_path, "pig", PIG, deals=19, until_outclassed=True)
    run = carried_out(tmp_path, "pig", PIG, deals=19)
    with pytest.raises(
        UsageError, match="a run of simkit equilibrium, with 20 deals or more of each pairing"
    ):
        registry.recipe("equilibrium").build(run)


@pytest.mark.parametrize(
    "keys", [{"mirrors": False}, {"rotate": False}, {"until_width": 0.1}, {"lineups": ["random*3"]}]
)
def test_stopping_is_refused_where_not_all_meet_all(keys: dict[str, object]) -> None:
    expected = {"question": "q", "game": "pig", "round_robin": PIG, "mirrors": True, "deals": 20}
    with pytest.raises(UsageError, match="until_outclassed"):
        make_plan(parse(expected | {"until_outclassed": True} | keys))


def call(*words: str) -> dict[str, object]:
    document: dict[str, object] = json.loads(invoke("equilibrium", *words, "--json").stdout)
    return document | {"run": ""}


def test_the_command_and_the_page_have_a_column_for_each_option_varied(tmp_path: Path) -> None:
    words = ["--strategies", ",".join(PIG[:2]), "--sweep", "goal=20,30", "--sweep", "faces=6,8"]
    words += ["--deals", "100", "-o", str(tmp_path / "e")]
    text = invoke("equilibrium pig", *words).stdout
    lines = text.splitlines()
    (head,) = [
        place for place, line in enumerate(lines) if line.startswith("points that win  faces of the die")
    ]
    assert lines[head + 1].split()[:4] == ["20", "6", "first", "player"]
    tables = registry.recipe("equilibrium").build(open_run(tmp_path / "e")).tables()
    swept = [table for table in tables if table.caption in ("The value", "The best mixes", "Every pairing")]
    assert [[column.name for column in table.columns[:2]] for table in swept] == [["goal", "faces"]] * 3
    assert [row[:2] for row in swept[0].rows] == [["20", "6"], ["20", "8"], ["30", "6"], ["30", "8"]]


def test_the_command_says_the_same_again_at_every_value_of_an_option(tmp_path: Path) -> None:
    words = ["pig", "--strategies", ",".join(PIG), "--sweep", "goal=30,60", "--deals", "400", "-o"]
    first, other = (call(*words, str(tmp_path / jobs), "--jobs", jobs) for jobs in ("2", "1"))
    assert first.pop("step").keys() == other.pop("step").keys()  # its command names the folder
    assert first == other
    assert [row["goal"] for row in first["values"]] == [30, 60] and len(first["mixes"]) == 12

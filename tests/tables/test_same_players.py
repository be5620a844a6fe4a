"""Two strategies that decide every deal alike are called the same player, wherever they are compared."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from simkit.content.reports.sections.best_choices import equilibrium_answer
from simkit.content.reports.strategies import strength_sentences

from simkit.engine import registry
from simkit.page.document.files import as_text
from simkit.questions import equilibrium
from simkit.questions.match import match_lineups
from simkit.runs import runner
from simkit.runs.experiment import parse
from simkit.runs.folder import open_run
from simkit.tables.findings import Findings
from tests.commands import invoke

TWINS = ["hold_at(threshold=60)", "hold_at(threshold=70)"]  # with a goal of 50 neither ever holds before it
OTHER = "hold_at(threshold=20)"
MESSAGE = "60) and hold at a total (hold from 70) made the same moves in all 200 deals."


def played(folder: Path, **keys: object) -> Findings:
    expected = {"question": "q", "game": "pig", "deals": 200, "options": {"goal": 50}}
    return Findings(open_run(runner.run(parse(expected | keys), folder)))


@pytest.mark.parametrize(
    ("keys", "pairs"),
    [
        ({"lineups": [TWINS]}, 1),
        ({"lineups": match_lineups(*TWINS, 3)}, 1),
        ({"round_robin": [*TWINS, OTHER]}, 1),
        ({"lineups": [[TWINS[0], OTHER]]}, 0),
        ({"lineups": [TWINS], "rotate": False}, 0),  # nobody saw them in the other's place
        ({"lineups": [TWINS], "sweep": {"goal": [50, 100]}, "options": {}}, 1),
        ({"lineups": [[TWINS[0]] * 2]}, 0),
    ],
)
def test_players_are_the_same_where_all_their_games_are(
    tmp_path: Path, keys: dict[str, object], pairs: int
) -> None:
    result = played(tmp_path, **keys).same_players
    assert result.height == pairs
    if pairs:
        assert result.row(0)[1:] == (len(keys.get("lineups", [[1, 2]])[0]), *TWINS, 200)


@pytest.mark.parametrize("how", [["--deals", "200"], ["--elo1", "30"], ["--elo1", "30", "--normalized"]])
def test_a_match_of_the_same_player_has_no_elo(tmp_path: Path, how: list[str]) -> None:
    words = [*TWINS, *how, "--set", "goal=50", "-o", tmp_path]
    text = invoke("match pig", *words).stdout
    assert MESSAGE in text and "Elo" not in text
    document = json.loads(invoke("match pig", *words, "--json").stdout)
    assert document["same"] and document["elo"] is document["elo_high"] is document["plain_elo"] is None
    page = as_text(registry.recipe("match").build(open_run(tmp_path)))
    assert MESSAGE in page and "stronger" not in page.split("\n\n")[0]
    assert "No meaningful difference" in page and "Play on" not in page


def test_the_ranking_and_the_value_say_who_is_the_same_player(tmp_path: Path) -> None:
    result = played(tmp_path, round_robin=[*TWINS, OTHER], mirrors=True)
    assert any(MESSAGE in message.text for message in strength_sentences(result, ""))
    assert MESSAGE in equilibrium_answer(result).advice


def test_a_twin_fills_one_row_of_the_equilibrium(tmp_path: Path) -> None:
    result, both = played(tmp_path, round_robin=[*TWINS, OTHER], mirrors=True), " = ".join(TWINS)
    assert result.equilibrium["strategies"].to_list() == [2]
    for seat in (0, 1):
        assert set(result.equilibrium_mixes.filter(seat=seat)["strategy"]) == {both, OTHER}
    assert set(result.equilibrium_matrix.select("row", "column").rows()) == {
        (first, second) for first in (both, OTHER) for second in (both, OTHER)
    }
    page = as_text(registry.recipe("equilibrium").build(result.run))
    assert "hold at a total (hold from 60) = hold at a total (hold from 70)" in page
    assert "best of these two players" in page


def test_strategies_that_differ_only_against_a_third_are_no_twins(tmp_path: Path) -> None:
    result = played(tmp_path, round_robin=[*TWINS, OTHER], mirrors=True)
    (pairings,) = equilibrium.pairings_by_setting(result.run.cells)
    matrix = result.cached(equilibrium.solutions)[0].matrix
    off = (pl.col("row") == TWINS[1]) & (pl.col("column") == OTHER)
    other = matrix.with_columns(share=pl.when(off).then(0.9).otherwise("share"))
    assert len(equilibrium._distinct(result, pairings, matrix)) == 2
    assert len(equilibrium._distinct(result, pairings, other)) == 3

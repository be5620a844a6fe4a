"""The page that suits a run: by the form of its experiment, or as the experiment says."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.page.recipe import recipe_for
from simkit.runs import experiment
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.plan import load, make_plan

SHIPPED = {
    "exoplanet_colony_characters": "compare",
    "exoplanet_colony_difficulty": "sweep",
    "exoplanet_colony_hands": "effects",
    "exoplanet_colony_losing": "losing",
    "exoplanet_colony_scenario_4": "sweep",
    "exoplanet_colony_start": "effects",
    "exoplanet_colony_teams": "strategies",
    "lunar_outpost_buildings": "restricted",
    "lunar_outpost_reconstructed": "compare",
    "lunar_outpost_seats": "seats",
    "lunar_outpost_war": "strategies",
    "outpost_hands": "effects",
    "outpost_mega": "compare",
    "outpost_seats": "seats",
    "outpost_seven_hand_rules": "compare",
    "outpost_seven_opening": "sweep",
    "outpost_seven_other_players": "sweep",
    "outpost_seven_strategies": "strategies",
    "outpost_two_players": "compare",
    "outpost_upgrades": "upgrades",
    "pig_first_seat": "seats",
    "red_outpost_cards": "compare",
    "red_outpost_first_player": "compare",
    "red_outpost_plans": "strategies",
    "red_outpost_seats": "seats",
    "red_outpost_tracks": "compare",
}


def page_of(request: Experiment) -> str:
    """The recipe for a run of the experiment, without playing it."""
    words, cells = SimpleNamespace(options={}), make_plan(request).cells
    run = SimpleNamespace(experiment=request, cells=cells, answer=None, kind="", words=words)
    return recipe_for(cast(Run, run))


@pytest.mark.parametrize("name", sorted(registry.experiments()))
def test_each_experiment_that_comes_with_simkit_gets_the_page_of_its_question(name: str) -> None:
    wanted = SHIPPED[name]
    expected = wanted if wanted in registry.recipes() else "balance"
    assert page_of(load(registry.experiments()[name])) == expected


def pig(**keys: Any) -> Experiment:
    return experiment.parse({"question": "?", "game": "pig", "deals": 20, "lineups": ["hold_at*2"]} | keys)


@pytest.mark.parametrize(
    ("keys", "page"),
    [
        ({}, "balance"),
        ({"lineups": [["hold_at", "random"]]}, "strategies"),
        ({"lineups": [["hold_at", "random"]], "rotate": False}, "balance"),
        ({"sweep": {"goal": [50, 60, 70]}, "baseline": {"goal": 60}}, "sweep"),
        ({"sweep": {"goal": [50, 60]}, "baseline": {"goal": 60}}, "compare"),
        ({"sweep": {"goal, faces": [[50, 6], [60, 8], [70, 6]]}, "baseline": {"goal": 50}}, "compare"),
        ({"sweep": {"goal, faces": [[50, 6], [60, 8], [70, 6]]}}, "sweep"),
        ({"sweep": {"goal": [50, 60, 70]}, "report": "compare"}, "compare"),
        ({"lineups": [["hold_at", "random"]], "report": "match"}, "match"),
        ({"lineups": [["hold_at", "random"]], "until_elo": [0, 10]}, "match"),
        (
            {"lineups": [], "round_robin": ["hold_at", "random"], "mirrors": True, "until_outclassed": True},
            "equilibrium",
        ),
    ],
)
def test_the_form_of_an_experiment_chooses_its_page_unless_it_says_another(
    keys: dict[str, Any], page: str
) -> None:
    assert page_of(pig(**keys)) == page


def test_a_page_that_nobody_knows_is_refused_before_anything_is_played() -> None:
    with pytest.raises(UsageError, match="strategys.*did you mean 'strategies'"):
        make_plan(pig(report="strategys"))


def test_the_page_asked_for_stays_with_the_run(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(pig(report="strategies").to_toml())
    assert load(tmp_path / "a.toml").report == "strategies"

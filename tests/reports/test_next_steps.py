"""What to do next: commands that are true and work, and how many deals open verdicts would take."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from made_ladder import with_ladder
from simkit.content.reports.sections import answer
from simkit.content.reports.sections.answer import may_have_fair_value, next_steps
from synthetic import MadeRun, made_run

from simkit.engine import registry
from simkit.engine.rng import sub_seed
from simkit.page.document.parts import Step
from simkit.page.words.commands import compare_command, game_words, ladder_command
from simkit.runs.experiment import experiment_of
from simkit.runs.folder import Run
from simkit.stats import verdicts
from simkit.tables.findings import Findings


def claims(run: MadeRun, times: float, margin: float = 0.02) -> list[str]:
    """The verdict if every result had come so many times as often."""
    seats = run.seats().collect()
    results = []
    for seat in (0, 1):
        values, counts = np.unique(seats.filter(seat=seat)["share"].to_numpy(), return_counts=True)
        results.append(verdicts.evidence(values, times * counts, 0.5, margin))
    return [verdicts.verdict(verdicts.evidence_of_cell(results), np.log(20))]


def test_open_verdicts_are_settled_by_the_deals_that_are_named(tmp_path: Path) -> None:
    """With so many deals and the same results there is a verdict; the luck to come may ask for a few more."""
    run = made_run(
        tmp_path, [["a", "a"]], [0.45], deals=2000
    )  # a tenth of the deals is drawn: half of the wins
    result = Findings(run).deals_to_settle
    assert result["deals"].to_list() == [2000]
    times = result["needed"][0] / 2000
    assert claims(run, 1.001 * times) == ["FAIR"] and claims(run, times / 1.6) == ["NOT SETTLED"]


def better_players(run: MadeRun) -> bool:
    return next_steps(Findings(run)).step == Step(
        "See whether better players change this.", "simkit ladder made --seats 2"
    )


def test_a_share_at_the_margin_is_borderline_once_that_is_certain(tmp_path: Path) -> None:
    run = made_run(tmp_path / "few", [["a", "a"]], [0.5], deals=2000, margin=0.05)
    (needed,) = Findings(run).deals_to_settle["needed"]
    assert claims(run, needed / 2000, margin=0.05) == ["BORDERLINE"]
    run = made_run(tmp_path / "many", [["a", "a"]], [0.5], deals=9000, margin=0.05)
    assert Findings(run).first_player_advantage["verdict"].to_list() == ["BORDERLINE"]
    assert Findings(run).deals_to_settle.is_empty() and better_players(run)


def test_where_nothing_is_open_better_players_are_the_next_step(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "a"]], [0.8], deals=2000)
    assert Findings(run).deals_to_settle.is_empty() and better_players(run)


@pytest.mark.parametrize("lineups", [1, 2])
def test_a_swept_number_is_handed_to_the_solver_with_every_lineup(tmp_path: Path, lineups: int) -> None:
    names = [["a", "a"], ["b", "b"]][:lineups]
    run = made_run(tmp_path, names, [0.3] * lineups + [0.9] * lineups, deals=2000, sweep={"second": [12, 14]})
    confirm = next_steps(Findings(run)).step
    wanted = " ".join(f"--lineup {a},{b}" for a, b in names)
    assert confirm.command == f"simkit fair made --vary second=12:14 {wanted}"
    assert confirm.text == "On fresh deals, find the exact fair value."


def test_a_setting_within_the_margin_is_to_be_confirmed(tmp_path: Path) -> None:
    sweep = {"second": [12, 14]}
    run = made_run(tmp_path, [["a", "a"]], [0.3, 0.45], deals=9000, sweep=sweep, baseline={"second": 12})
    confirm = next_steps(Findings(run)).step
    assert confirm.text == "On fresh deals, confirm second 14 and find the exact fair value."


def test_picked_settings_without_a_fair_value_to_find_are_to_be_confirmed(tmp_path: Path) -> None:
    rules = {"sweep": {"rule": ["draft", "exact"]}, "baseline": {"rule": "draft"}}
    run = made_run(tmp_path, [["a", "a"], ["b", "b"]], [0.3, 0.3, 0.45, 0.45], deals=9000, **rules)
    confirm = next_steps(Findings(run)).step
    assert confirm.text == "Confirm rule: exact on fresh deals."
    seed = sub_seed(run.experiment.seed, "confirm")
    assert confirm.command.startswith(
        "simkit sweep made rule=exact --lineup a,a --lineup b,b --until-verdict"
    )
    assert confirm.command.endswith(f"--seed {seed}")


def test_a_baseline_that_was_not_picked_need_not_be_confirmed(tmp_path: Path) -> None:
    rules = {"sweep": {"rule": ["draft", "exact"]}, "baseline": {"rule": "exact"}}
    run = made_run(tmp_path, [["a", "a"]], [0.3, 0.45], deals=2000, **rules)
    assert not (step := next_steps(Findings(run)).step) or "onfirm" not in step.text


SEVERAL = {"sweep": {"second, rule": [[12, "draft"], [14, "draft"], [14, "exact"]]}}


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ([0], "--set second=12 --set rule=draft"),
        ([0, 1], "--set rule=draft --vary second=12/14"),
        ([0, 2], "--set second=14 --set rule=exact"),
    ],
)
def test_a_ladder_is_played_at_the_setting_that_was_answered(
    places: list[int], words: str, tmp_path: Path
) -> None:
    """The ladder was that of the usual rules wherever more than one option had been chosen."""
    run = made_run(tmp_path, [["a", "a"]], [0.5, 0.5, 0.5], **SEVERAL)
    command = ladder_command(run, [run.cells[place].varied for place in places])
    assert command == f"simkit ladder made {words} --seats 2"


def test_steps_after_own_cards_name_their_stored_file(tmp_path: Path) -> None:
    cards = {"sweep": {"files.cards": ["printed", "mine.csv"]}, "baseline": {"files.cards": "printed"}}
    run = made_run(tmp_path, [["a", "a"]], [0.5, 0.5], **cards)
    stored = {"files.cards": ["printed", "own/mine.csv"]}
    run = replace(run, experiment=run.experiment.model_copy(update={"sweep": stored}))
    settings = [cell.varied for cell in run.cells]
    assert ladder_command(run, settings) == "simkit ladder made --cards cards=own/mine.csv --seats 2"
    command = compare_command(run, "files.cards = mine.csv", [])
    assert command.endswith(" --to files.cards=own/mine.csv --lineup a,a")


def test_a_comparison_does_not_advise_the_comparison_just_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "recommended_settings", lambda _: ["second = 14"])
    keys = {"sweep": {"second": [12, 14]}, "baseline": {"second": 12}}
    runs = [
        made_run(tmp_path / (page or "sweep"), [["a", "a"]], [0.3, 0.45], deals=2000, report=page, **keys)
        for page in ("compare", None)
    ]
    steps = [answer._what_else(Findings(run)) for run in runs]
    assert steps[0] is None or "compare" not in steps[0].command
    assert "See what else changes with second 14" in steps[1].text


RANGE = {"sweep": {"second": [12, 13, 14]}, "baseline": {"second": 12}}


def test_no_fair_value_is_searched_in_a_range_that_is_unfair_at_every_value(tmp_path: Path) -> None:
    """The step searched a range of which the run had just said that it is UNFAIR at every value."""
    off = Findings(made_run(tmp_path, [["a", "a"]], [0.3, 0.33, 0.35], deals=2000, **RANGE))
    assert set(off.first_player_advantage["verdict"]) == {"UNFAIR"}
    assert "fair value" not in next_steps(off).step.text


@pytest.mark.parametrize(
    ("values", "shares", "may"),
    [
        ([12, 14, 16], [0.3, 0.35, 0.7], True),  # 15 may be fair
        ([12, 13, 14], [0.3, 0.35, 0.7], False),
        ([12, 14, 16], [0.3, 0.33, 0.35], False),
        ([12, 13, 14], [0.3, 0.45, 0.7], True),
    ],
)
def test_a_range_may_have_a_fair_value_where_one_is_open_or_lies_between_two_that_were_played(
    values: list[int], shares: list[float], may: bool, tmp_path: Path
) -> None:
    run = made_run(tmp_path, [["a", "a"]], shares, deals=2000, sweep={"second": values})
    assert may_have_fair_value(Findings(run)) is may


@pytest.mark.parametrize(
    ("off", "text", "command"),
    [
        (0.56, "Settle second 13 where all play s1.", "simkit sweep made second=13 --lineup s1,s1 --until-verdict"),
        (0.7, "Find the fair value for the strongest players.", "simkit fair made --vary second=12:14 --lineup s0,s0 --lineup s1,s1"),
    ],
)  # fmt: skip
def test_where_a_ladder_decides_its_players_are_asked(
    off: float, text: str, command: str, tmp_path: Path
) -> None:
    """The demo's next step asked scripted players alone, although learned ones had decided."""
    run = made_run(tmp_path, [["a", "a"]], [0.3, 0.45, 0.6], deals=4000, margin=0.05, **RANGE)
    unfair = ["second = 12", *(["second = 13"] if off > 0.65 else [])]
    findings = with_ladder(Findings(run), {"second = 12": 0.7, "second = 13": off}, unfair)
    step = next_steps(findings).step
    assert step.text == text and step.command.startswith(command)


def test_an_open_answer_is_settled_before_a_fair_value_is_searched(tmp_path: Path) -> None:
    keys = {"sweep": {"second": [12, 14]}, "baseline": {"second": 12}}
    run = made_run(tmp_path, [["a", "a"]], [0.47, 0.8], deals=600, **keys)
    step = next_steps(Findings(run)).step
    assert step.text == "It is open whether second 12 is fair. Play on until there is a verdict."
    assert "--until-verdict" in step.command


@pytest.mark.parametrize(("played", "left"), [(2, "second 14"), (1, "b; second 14"), (3, "b")])
def test_an_unfinished_run_is_to_be_finished_and_what_was_not_played_is_named(
    tmp_path: Path, played: int, left: str
) -> None:
    run = made_run(tmp_path, [["a", "a"], ["b", "b"]], [0.5, 0.6] * 2, sweep={"second": [12, 14]})
    manifest = run.manifest.model_copy(update={"cells": run.cells})
    cells = run.cells[:played] if played < 3 else [cell for cell in run.cells if cell.labels == ["a", "a"]]
    part = replace(run, cells=cells, part=0.5, manifest=manifest)
    brief = registry.recipe("balance").build_brief(Findings(part))
    assert brief.step.text == "Finish the run by the same command."
    beware = f"The run is not finished: this tells of 50.0 % of its games, and of none with {left}."
    assert brief.warnings[0] == beware


def test_a_command_for_the_same_games_keeps_the_role_and_its_target() -> None:
    keys = {
        "question": "?",
        "game": "factions",
        "deals": 1,
        "role": "miners",
        "target": 0.4,
        "rotate": "roles",
    }
    run = cast(Run, SimpleNamespace(experiment=experiment_of(keys)))
    words = ["--lineup", "random,random", "--role", "miners", "--rotate", "roles", "--target", "0.4"]
    assert game_words(run, [["random", "random"]]) == words
    assert game_words(run, []) == []

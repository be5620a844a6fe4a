"""What people call things: settings, strategies, the baseline; never an identifier where there is a label."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from synthetic import MadeRun, made_run, with_words

from simkit.engine.lineups import Named
from simkit.errors import UsageError
from simkit.page.words.labels import Labels
from simkit.runs.experiment import parse
from simkit.runs.plan import make_plan


def option(kind: str, label: str, default: Any, **words: Any) -> dict[str, Any]:
    usual = {"clause": "X-1", "low": 0, "high": 99, "values": "{}", "treats": [], "tries": [], "needs": {}}
    return usual | {"kind": kind, "label": label, "meaning": f"{label}.", "default": default} | words


KEEPS = option("integer", "second player keeps", 16)
OPTIONS = {"start_total_second": KEEPS, "other": option("integer", "other things", 3)}


def labelled(folder: Path, sweep: dict[str, Any], base: dict[str, Any] | None = None, **keys: Any) -> MadeRun:
    """A run of a game whose options have labels."""
    settings = len(next(iter(sweep.values())))
    run = made_run(folder, [["a", "a"]], [0.5] * settings, deals=2, sweep=sweep, baseline=base or {}, **keys)
    return with_words(run, options=OPTIONS)


def test_a_number_stands_right_after_its_option(tmp_path: Path) -> None:
    labels = Labels(labelled(tmp_path, {"start_total_second": [12, 16]}))
    assert labels.setting({"start_total_second": 16}) == "second player keeps 16"
    assert labels.at("start_total_second = 16") == "second player keeps 16"
    assert labels.setting({"start_total_second": 16, "unknown": "draft"}).endswith("16, unknown: draft")


def test_a_number_that_stands_for_something_has_its_label(tmp_path: Path) -> None:
    """A page said "usual rules: 0" of an option in which 0 stands for 7."""
    run = made_run(tmp_path, [["a", "a"]], [0.5, 0.5], deals=2, sweep={"guards": [0, 3]})
    guards = option("integer", "guards", 0, values={"0": "7, as printed"})
    labels = Labels(with_words(run, options={"guards": guards}))
    assert not labels.swept[0].whole_numbers  # 7, which 0 stands for, does not lie below 3
    assert labels.at("guards = 0") == "guards 7, as printed" and labels.at("guards = 3") == "guards 3"


def test_negative_numbers_and_seats_have_their_labels_too(tmp_path: Path) -> None:
    """A page said "start player −1" of an option in which −1 stands for a draw."""
    run = made_run(tmp_path, [["a", "a"]], [0.5, 0.5], deals=2, sweep={"start": [-1, 1]})
    start = option("integer", "start player", 0, values={"-1": "drawn", "{}": "seat {}"})
    limit = option("integer", "hand limit", 0, values={"-1": "none", "{}": "{} cards"})
    labels = Labels(with_words(run, options={"start": start, "limit": limit}))
    assert (
        labels.at("start = -1") == "start player: drawn"
        and labels.at("start = 1") == "start player: second seat"
    )
    assert (
        labels.setting({"limit": -1}) == "hand limit none"
        and labels.setting({"limit": -3}) == "hand limit −3"
    )


def test_options_that_choose_from_the_same_names_are_told_by_these(tmp_path: Path) -> None:
    names = {"none": "nobody", "medic": "Medic", "pilot": "Pilot"}
    words = {key: option("choice", f"{key} seat", "none", values=names) for key in ("one", "two")}
    pairs = {"sweep": {"one, two": [["none", "none"], ["medic", "none"], ["medic", "pilot"]]}}
    run = made_run(
        tmp_path, [["a"] * 2], [0.5] * 3, deals=2, baseline={"one": "none", "two": "none"}, **pairs
    )
    labels = Labels(with_words(run, options=words))
    assert labels.at("one = medic, two = pilot") == "Medic + Pilot"
    assert labels.rule("one = medic, two = pilot") == "“Medic” + “Pilot”"
    assert labels.rule("one = medic, two = none") == "“Medic”"


def test_a_question_has_the_strategies_by_the_names_of_the_answer(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "b"]], [0.5], deals=2, called={"a": "plain player"})
    assert Labels(run).in_text("Is a stronger than b?") == "Is plain player stronger than b?"


def test_a_title_names_the_values_of_what_is_varied(tmp_path: Path) -> None:
    def span(name: str, sweep: dict[str, Any]) -> str:
        labels = Labels(labelled(tmp_path / name, sweep))
        return labels.span(labels.swept[0])

    assert span("many", {"start_total_second": [12, 14, 16]}) == "second player keeps 12 to 16"
    assert span("two", {"start_total_second": [12, 16]}) == "second player keeps 12 or 16"
    assert span("tied", {"start_total_second, other": [[16, 3], [16, 5]]}) == "each rule set"


def test_settings_that_begin_alike_are_said_once(tmp_path: Path) -> None:
    labels = Labels(labelled(tmp_path, {"start_total_second": [12, 20, 21]}))
    some = [f"start_total_second = {value}" for value in (20, 21, 12)]
    assert labels.settings(some[:1]) == "second player keeps 20"
    assert labels.settings(some[:2]) == "second player keeps 20 or 21"
    assert labels.settings(some) == "second player keeps 20, 21 or 12"


@pytest.mark.parametrize(
    ("value", "sources", "called"),
    [(16, ["cards: rulebook"], "rulebook"), (16, [], "usual rules"), (12, ["cards: rulebook"], "baseline")],
)
def test_a_baseline_of_defaults_is_the_rulebook_where_the_game_has_one(
    tmp_path: Path, value: int, sources: list[str], called: str
) -> None:
    run = labelled(tmp_path, {"start_total_second": [12, 16]}, {"start_total_second": value})
    run = with_words(run, provenance=sources)
    labels = Labels(run)
    assert labels.base == called
    assert labels.with_base("16", True) == f"16 ({called})" and labels.with_base("16", False) == "16"
    own_cards = replace(run, experiment=run.experiment.with_keys(files={"cards": "mine.csv"}))
    assert Labels(own_cards).base == "baseline"


def test_of_tied_options_what_differs_from_the_baseline_is_said(tmp_path: Path) -> None:
    sweep = {"start_total_second, other": [[16, 3], [16, 5]]}
    labels = Labels(labelled(tmp_path, sweep, {"start_total_second": 16, "other": 3}))
    assert labels.at("start_total_second = 16, other = 5") == "other things 5"
    assert labels.at("start_total_second = 16, other = 3") == "usual rules"


def test_an_experiment_says_what_strategies_are_called(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "a"], ["b", "b"]], [0.5, 0.5], deals=2, called={"a": "plain player"})
    labels = Labels(run)
    assert [labels.strategy(name) for name in "ab"] == ["plain player", "b"]
    assert labels.all_alike and labels.lineup(["a", "a"]) == "plain player"
    mixed = Labels(made_run(tmp_path / "2", [["a", "b"]], [0.5], deals=2, called={"a": "plain player"}))
    assert not mixed.all_alike and mixed.lineup(["a", "b"]) == "plain player, b"


def test_strategies_of_one_program_are_kin(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "a"], ["b", "b"], ["c", "c"]], [0.5] * 3, deals=2)
    assert Labels(run).kin() == []
    weighted = [(Named("a", {}),) * 2, (Named("a", {"depth": 2}),) * 2, (Named("c", {}),) * 2]
    cells = [replace(cell, lineup=lineup) for cell, lineup in zip(run.cells, weighted, strict=True)]
    assert Labels(replace(run, cells=cells)).kin() == [["a", "a(depth=2)"]]


PIG: dict[str, Any] = {"question": "?", "game": "pig", "deals": 5, "lineups": [["hold_at", "random"]]}


def test_names_in_called_must_play_or_be_the_baseline() -> None:
    cells = make_plan(parse(PIG | {"called": {"baseline": "as printed", "random": "a monkey"}})).check().cells
    assert len(cells) == 1
    with pytest.raises(UsageError, match=r"unknown strategy in \[called\] 'hold'; did you mean 'hold_at'"):
        make_plan(parse(PIG | {"called": {"hold": "careful"}})).check()


def test_settings_of_several_options_are_told_from_each_other(tmp_path: Path) -> None:
    pairs = [[12, 9], [14, 9], [14, 8], [16, 8]]
    keys = {"sweep": {"second, first": pairs}, "baseline": {"second": 12, "first": 9}}
    labels = Labels(made_run(tmp_path, [["a", "a"]], [0.5] * 4, deals=2, **keys))
    some = ["second = 14, first = 9", "second = 14, first = 8", "second = 16, first = 8"]
    assert labels.settings(some) == "second 14; second 14, first 8; or second 16, first 8"

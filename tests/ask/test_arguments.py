"""Arguments of the API: what is refused, what is the same question, what the manifest records."""

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simkit as sk
from simkit.ask.question import arguments, by_name, form_of, format_call
from simkit.engine import registry
from simkit.games.pig import game as PIG
from simkit.questions.tune import Tuning

HOLD_AT = registry.strategy(PIG, "hold_at")
QUICK: dict[str, Any] = {"deals": 40, "progress": False}
DESIGN: dict[str, Any] = {"trials": 2, "best": 1, "confirm": 40, "deals": 20, "progress": False}
TUNE: dict[str, Any] = {"trials": 2, "deals": 20, "confirm": 40, "progress": False}
GOAL: dict[str, Any] = {"goal": [50]}
RANGE: dict[str, Any] = {"goal": (2, 40)}
QUESTIONS = [sk.run, sk.sweep, sk.compare, sk.fair, sk.match, sk.equilibrium]
QUESTIONS += [sk.screen, sk.ablate, sk.design, sk.ladder, sk.tune]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def command(result: sk.Result) -> str:
    return str(result.run.manifest.command)


REFUSED: list[tuple[Any, str]] = [
    (lambda: sk.match("pig", "random", "hold_at", deals=0), "deals.* greater than or equal to 1, not 0"),
    (lambda: sk.match("pig", "random", "hold_at", seats=0), "seats: .* equal to 1, not 0"),
    (lambda: sk.ladder("pig", seats=0), "seats: .* equal to 1, not 0"),
    (lambda: sk.tune("pig", "hold_at", seats=0), "seats: .* equal to 1, not 0"),
    (lambda: sk.tune("pig", "hold_at", trials=0), "trials: .* equal to 2, not 0"),
    (lambda: sk.tune("pig", "hold_at", sampler="foo"), "sampler: should be 'tpe' or 'cma-es', not 'foo'"),  # type: ignore[arg-type]
    (lambda: sk.design("pig", GOAL, ["fairness"], trials=-5), "trials: .*, not -5"),
    (lambda: sk.design("pig", GOAL, ["fairness"], best=0), "best: .*, not 0"),
    (lambda: sk.design("pig", {"goal": [20, 30]}, []), "wishes: one or more are needed"),
    (lambda: sk.fair("pig", {}), "vary: name an option or more"),
    (lambda: sk.plot.picture("run", 3), "name: must be the name of a picture, not 3"),  # type: ignore[arg-type]
    (lambda: sk.fair("pig", RANGE, deals=99), "deals: .* equal to 100, not 99"),
    (lambda: sk.sweep("pig", GOAL, batch_timeout="x"), "batch_timeout: should be a valid number, not 'x'"),  # type: ignore[arg-type]
    (lambda: sk.sweep("pig", GOAL, batch_timeout=0), "batch_timeout: .*, not 0"),
    (lambda: sk.sweep("pig", GOAL, jobs=1.5), "jobs: should be a valid integer, not 1.5"),  # type: ignore[arg-type]
    (lambda: sk.sweep("pig", GOAL, jobs="2"), "jobs: should be a valid integer, not '2'"),  # type: ignore[arg-type]
    (lambda: sk.sweep("pig", GOAL, backend="multiprocessing"), "unknown backend"),
    (lambda: sk.sweep("pig", {"goal": 50}), "vary.goal: must be a list, not 50"),
    (lambda: sk.sweep("pig", ["goal"]), "vary: should be a valid dictionary"),  # type: ignore[arg-type]
    (lambda: sk.sweep("pig", "goal"), "vary: should be a valid dictionary"),  # type: ignore[arg-type]
    (lambda: sk.sweep("pig", {"goal": "50:80"}), "takes a whole number 1 to 1000, not '50:80'"),
    (lambda: sk.sweep("pig", GOAL, options=["faces=8"]), "options: should be a valid dictionary"),  # type: ignore[arg-type]
    (lambda: sk.sweep("pig", GOAL, lineups=[[1, 2]]), "strategy '1'"),  # type: ignore[list-item]
    (lambda: sk.sweep("pig", GOAL, lineups=3), "lineups: must be a list, not 3"),  # type: ignore[arg-type]
    (
        lambda: sk.sweep(PIG, GOAL),
        "^give the name 'pig' in place of the object; simkit finds games and strategies by name",
    ),  # type: ignore[arg-type]
    (lambda: sk.play("pig", [HOLD_AT, "random"]), "^give the name 'hold_at' in place of the object"),  # type: ignore[list-item]
    (lambda: sk.lock("pig", deals=10), "^deals: .* equal to 1000, not 10"),
    (lambda: sk.play("pig", deal=10**10), "deal: should be less than 10000000000"),
    (lambda: sk.sweep(None, GOAL), "game: should be a valid string, not None"),  # type: ignore[arg-type]
    (lambda: sk.fair("pig", {"goal": [2, 3, 4]}), r"vary.goal: must be two values, not \[2, 3, 4\]"),  # type: ignore[dict-item]
    (lambda: sk.fair("pig", {"goal": 2}), "vary.goal: must be two values, not 2"),  # type: ignore[dict-item]
    (lambda: sk.fair("pig", {"goal": (2.5, 40)}), "vary.goal: should be a valid integer, not 2.5"),  # type: ignore[dict-item]
    (lambda: sk.screen("pig", {"goal": range(9)}), "vary.goal: must be two values"),  # type: ignore[dict-item]
    (lambda: sk.screen("pig", strongest=-1), "strongest: .*, not -1"),
    (lambda: sk.screen("pig", small="x"), "small: .*, not 'x'"),  # type: ignore[arg-type]
    (lambda: sk.compare("pig", [{"goal": 60}]), "others: should be a valid dictionary"),  # type: ignore[list-item]
    (lambda: sk.compare("pig", "goal=60"), "others: should be a valid dictionary"),  # type: ignore[arg-type]
    (lambda: sk.compare("pig", {"goal": 60}, base=None), "base: should be a valid dictionary"),  # type: ignore[arg-type]
    (lambda: sk.compare("pig"), "name a rule set to compare, or files"),
    (lambda: sk.match("pig", "random", None), "second: should be a valid string, not None"),  # type: ignore[arg-type]
    (lambda: sk.tune("pig", ["hold_at"]), "strategy: should be a valid string"),  # type: ignore[arg-type]
    (lambda: sk.equilibrium("pig", sweep={"goal": 20}), "sweep.goal: must be a list"),
    (lambda: sk.run([1]), "experiment: should be a valid"),  # type: ignore[arg-type]
    (lambda: sk.open_run(None), "folder: should be a valid string, not None"),  # type: ignore[arg-type]
    (lambda: sk.report(None), "run: must be a run, its result or its folder, not None"),  # type: ignore[arg-type]
    (lambda: sk.findings(3), "run: must be a run, its result or its folder, not 3"),  # type: ignore[arg-type]
    (lambda: sk.check(None), "game: should be a valid string, not None"),  # type: ignore[arg-type]
    (lambda: sk.replay("run", "3"), "number: should be a valid integer, not '3'"),  # type: ignore[arg-type]
    (lambda: sk.play("pig", as_seat="a"), "as_seat: should be a valid integer, not 'a'"),  # type: ignore[arg-type]
    (lambda: sk.play("pig", deal="a"), "deal: should be a valid integer, not 'a'"),  # type: ignore[arg-type]
    (lambda: sk.play("pig", deal=-1), "deal: .*, not -1"),
    (lambda: sk.plan(seats=0), "seats: .*, not 0"),
    (lambda: sk.plan(power=2), "power: .*, not 2"),
    (lambda: sk.plan(margin=-1), "margin: .*, not -1"),
    (lambda: sk.plan(target=5), "target: .*, not 5"),
    (lambda: sk.plan(effect=None), "effect: .*, not None"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_arguments_of_another_type_or_out_of_range_are_refused_by_name(
    call: Any, message: str, tmp_path: Path
) -> None:
    with pytest.raises(sk.UsageError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value) and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sk.match("pig", "random", "hold_at", lineups=["random*2"]), "'lineups'"),  # type: ignore[call-arg]
        (lambda: sk.equilibrium("pig", lineups=["random*2"]), "'lineups'"),  # type: ignore[call-arg]
        (lambda: sk.ladder("pig", lineups=["random*2"]), "'lineups'"),  # type: ignore[call-arg]
        (lambda: sk.tune("pig", "hold_at", lineups=["random*2"]), "'lineups'"),  # type: ignore[call-arg]
        (
            lambda: sk.fair("pig", RANGE, deal=3),
            r"fair\(\) .* 'deal'; did you mean 'deals'\?; known: game, vary",
        ),  # type: ignore[call-arg]
    ],
)
def test_a_keyword_that_a_function_does_not_have_is_refused(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message) as caught:
        call()
    assert "execution" not in str(caught.value)


@pytest.mark.parametrize(
    "keywords",
    [
        {"vary": {"goal": range(50, 80, 10)}},
        {"vary": {"goal": (50, 60, 70)}},
        {"vary": {"goal": np.arange(50, 80, 10)}},
        {"vary": {"goal": (goal for goal in (50, 60, 70))}},
        {"vary": {"goal": {70, 60, 50}}, "deals": np.int64(40), "seed": np.int64(1)},
        {"lineups": None, "margin": None, "options": {}, "jobs": None, "out": None, "question": ""},
        {"lineups": [], "files": {}, "beginners": ()},
    ],
)
def test_one_question_has_one_folder_however_it_is_written(keywords: dict[str, Any]) -> None:
    usual = {"vary": {"goal": [50, 60, 70]}, **QUICK}
    call = format_call(sk.sweep, by_name(arguments(sk.sweep, "pig", **usual | keywords)))
    call = call.replace(", progress=False", "").replace(", seed=1", "")
    assert call == "sweep('pig', {'goal': [50, 60, 70]}, deals=40)"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"lineups": "random*2"}, {"lineups": ["random*2"]}),
        ({"lineups": [["random", "random"]]}, {"lineups": (name for name in ["random, random"])}),
        ({"options": {"faces": np.int64(8)}}, {"options": {"faces": 8}}),
        ({"beginners": np.array([0.1, 0.2])}, {"beginners": (0.1, 0.2)}),
        ({"files": {"cards": Path("mine.csv")}}, {"files": {"cards": "mine.csv"}}),
        ({"out": "~/runs"}, {"out": os.path.expanduser("~/runs")}),
    ],
)
def test_keywords_may_be_written_in_several_ways(first: dict[str, Any], second: dict[str, Any]) -> None:
    given = [arguments(sk.sweep, "pig", **keywords) for keywords in (first, second)]
    assert given[0] == given[1]


def test_a_text_is_the_only_entry_of_a_list() -> None:
    assert sk.design("pig", {"goal": [20, 30]}, "fairness", **DESIGN).wishes.height
    assert sk.compare("pig", {"goal": 60}, columns="busts", **QUICK).comparisons.height
    with pytest.raises(sk.UsageError, match="the rungs must be two or more"):
        sk.ladder("nim", "random")
    with pytest.raises(sk.UsageError, match="strategies random: two or more"):
        sk.equilibrium("pig", "random")


def test_players_and_experiments_may_hold_numpy_values() -> None:
    result = sk.sweep("pig", {"players": np.array([2, 3])}, **QUICK)
    assert result.cells["seats"].to_list() == [2, 3]
    keys = {"question": "?", "game": "pig", "deals": np.int64(20), "sweep": {"goal": range(50, 61, 10)}}
    assert sk.run(keys | {"lineups": ["random*2"]}, progress=False).cells["goal"].to_list() == [50, 60]


def test_a_range_of_a_weight_may_be_given_by_name() -> None:
    results = sk.tune("pig", "hold_at", weights={"threshold": (5, 10)}, seats=3, save="low", **TUNE)
    trials = [trial.strategy for trial in results.run.answer_of(Tuning).trials[1:]]
    assert all(5 <= int(text.partition("=")[2].rstrip(")")) <= 10 for text in trials)
    assert command(results).endswith("trials=2, deals=20, confirm=40, seats=3, save='low')")
    assert "save" not in results.folder.name


@pytest.mark.parametrize(
    ("call", "recorded"),
    [
        (
            lambda: sk.ablate("charms", deals=400, rate=0.3, trace=7, progress=False),
            "simkit.ablate('charms', rate=0.3, deals=400, trace=7)",
        ),
        (
            lambda: sk.sweep("pig", GOAL, question="Foo?", **QUICK),
            "simkit.sweep('pig', {'goal': [50]}, deals=40, question='Foo?')",
        ),
        (
            lambda: sk.compare("pig", {"goal": 60}, columns=["busts"], **QUICK),
            "simkit.compare('pig', {'goal': 60}, columns=['busts'], deals=40)",
        ),
        (
            lambda: sk.equilibrium("pig", ["random", "hold_at"], question="Foo?", **QUICK),
            "simkit.equilibrium('pig', ['random', 'hold_at'], deals=40, question='Foo?')",
        ),
        (
            lambda: sk.run({"question": "?", "game": "pig", "deals": 20, "lineups": ["random*2"]}, seed=2),
            "simkit.run({'question': '?', 'game': 'pig', 'deals': 20, 'lineups': ['random*2']}, seed=2)",
        ),
    ],
)
def test_the_recorded_command_repeats_the_run(call: Any, recorded: str) -> None:
    result = call()
    assert command(result) == recorded
    assert eval(recorded, {"simkit": sk}).folder == result.folder


def test_an_experiment_is_recorded_by_its_keys() -> None:
    first = sk.sweep("pig", GOAL, **QUICK)
    repeated = sk.run(first.run.experiment, out="again", progress=False)
    assert command(repeated).startswith(
        "simkit.run({'question': 'How fair is pig along goal?', 'game': 'pig'"
    )


def test_the_plan_of_a_run_has_its_margin_and_no_seats_or_target() -> None:
    run = sk.sweep("pig", {"goal": [50, 100]}, margin=0.1, **QUICK)
    assert any("within 10 points" in question for question in sk.plan(run)["question"])
    assert any("within 5 points" in question for question in sk.plan(run, margin=0.05)["question"])
    for keywords in ({"seats": 7}, {"target": 0.5}):
        with pytest.raises(sk.UsageError, match="is for a plan without a run"):
            sk.plan(run, **keywords)  # type: ignore[arg-type]


def test_a_result_outlives_a_change_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = sk.sweep("pig", GOAL, **QUICK)
    assert result.folder.is_absolute() and repr(result).endswith("runs/sweep-pig-goal-50-deals-40")
    assert repr(sk.report(result)) == "runs/sweep-pig-goal-50-deals-40/report.html"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert sk.report(result).path.is_file() and not list(Path().iterdir())
    assert result.seat_shares.height == 2


def test_only_a_search_for_a_fair_value_has_a_value() -> None:
    assert sk.sweep("pig", GOAL, **QUICK).value is None


def test_a_page_has_one_of_the_known_endings() -> None:
    with pytest.raises(sk.UsageError, match=r"x.txt: .*html, md, json, pdf"):
        sk.report(sk.sweep("pig", GOAL, **QUICK), "x.txt")


@pytest.mark.parametrize("function", QUESTIONS)
def test_the_help_of_a_question_names_all_its_keywords(function: Any) -> None:
    words = re.findall(r"\w+", function.__doc__)
    assert [name for name in form_of(function).model_fields if name not in words] == []

"""Arguments of the API: what is refused, what is the same question, what the manifest records."""

import inspect
import os
import re
from dataclasses import replace
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
CHECKED = [*QUESTIONS, sk.lock, sk.plan, sk.playtests, sk.play, sk.replay, sk.check, sk.report, sk.open_run]
CHECKED += [sk.findings]
GIVEN: dict[str, Any] = {"vary": RANGE, "wishes": ["fairness"], "number": 1}  # where an argument is required


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def command(result: sk.Result) -> str:
    return str(result.run.manifest.command)


def ends(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a schema that has the range, where the argument may be None, too."""
    part: dict[str, Any] = schema["anyOf"][0] if "anyOf" in schema else schema
    return part


def beyond(schema: dict[str, Any]) -> list[Any]:
    """Return numbers just outside the range that a schema declares."""
    part = ends(schema)
    step = 1 if part.get("type") == "integer" else 1e-9
    steps = {"minimum": -step, "maximum": step, "exclusiveMinimum": 0, "exclusiveMaximum": 0}
    return [part[key] + more for key, more in steps.items() if key in part]


@pytest.mark.parametrize("function", CHECKED, ids=lambda function: function.__name__)
def test_every_argument_refuses_another_type_and_what_is_out_of_range_by_its_name(
    function: Any, tmp_path: Path
) -> None:
    """Before anything is written; numbers just outside the declared range."""
    empty, single = inspect.Parameter.empty, inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = inspect.signature(function).parameters.values()
    required = [part.name for part in parameters if part.default is empty and part.kind is single]
    given = {name: GIVEN.get(name, "pig") for name in required}
    for name, schema in form_of(function).model_json_schema()["properties"].items():
        for wrong in (object(), *beyond(schema)):
            several = [wrong] if name == "others" else []  # of any number of arguments
            keywords = given if several else given | {name: wrong}
            first = [keywords[key] for key in required]
            others = {key: value for key, value in keywords.items() if key not in required}
            with pytest.raises(sk.UsageError, match=rf"^{name}\b.*, not ") as caught:
                function(*first, *several, **others)
            assert "\n" not in str(caught.value) and not list(tmp_path.iterdir())


LEAST = {
    "match": {"deals": 1, "seats": 1}, "ladder": {"seats": 1}, "tune": {"seats": 1, "trials": 2},
    "design": {"trials": 2, "best": 1}, "fair": {"deals": 100}, "screen": {"strongest": 1},
    "equilibrium": {"deals": 20}, "lock": {"deals": 1000}, "sweep": {"batch_timeout": 1}, "play": {"deal": 0},
    "plan": {"seats": 2},
}  # fmt: skip


@pytest.mark.parametrize("name", LEAST)
def test_the_least_numbers_are_those_with_which_a_question_makes_sense(name: str) -> None:
    properties = form_of(getattr(sk, name)).model_json_schema()["properties"]
    assert {key: ends(properties[key])["minimum"] for key in LEAST[name]} == LEAST[name]


REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    (sk.tune, {"strategy": "hold_at", "sampler": "foo"}, "sampler: should be 'tpe' or 'cma-es', not 'foo'"),
    (sk.design, {"vary": {"goal": [20, 30]}, "wishes": []}, "wishes: one or more are needed"),
    (sk.fair, {"vary": {}}, "vary: name an option or more"),
    (sk.fair, {"vary": {"goal": [2, 3, 4]}}, r"vary.goal: must be two values, not \[2, 3, 4\]"),
    (sk.fair, {"vary": {"goal": (2.5, 40)}}, "vary.goal: should be a valid integer, not 2.5"),
    (sk.screen, {"vary": {"goal": range(9)}}, "vary.goal: must be two values"),
    (
        sk.play,
        {"lineup": [replace(HOLD_AT), "random"]},
        "'hold_at' is in no file .*%%writefile mine/strategies/",
    ),
    (sk.sweep, {"game": replace(PIG), "vary": GOAL}, "'pig' is in no file .*%%writefile mine/games/pig.py"),
    (sk.check, {"game": replace(PIG, name="pigs")}, "'pigs' is in no file .*%%writefile mine/games/pigs.py"),
    (sk.sweep, {"vary": GOAL, "jobs": "2"}, "jobs: should be a valid integer, not '2'"),
    (sk.sweep, {"vary": GOAL, "backend": "multiprocessing"}, "unknown backend"),
    (sk.sweep, {"vary": GOAL, "lineups": [[1, 2]]}, "strategy '1'"),
    (sk.sweep, {"vary": {"goal": 50}}, "vary.goal: must be a list, not 50"),
    (sk.sweep, {"vary": {"goal": "50:80"}}, "takes a whole number 1 to 1000, not '50:80'"),
    (sk.equilibrium, {"sweep": {"goal": 20}}, "sweep.goal: must be a list"),
    (
        sk.equilibrium,
        {"strategies": ["random", "hold_at"], "target": 0.4},
        "^key 'target' is for co-operative",
    ),
    (sk.match, {"first": "random", "second": "hold_at", "target": 0.4}, "^key 'target' is for co-operative"),
    (sk.compare, {}, "name a rule set to compare, or files"),
]


@pytest.mark.parametrize(("function", "keywords", "message"), REFUSED)
def test_what_a_type_alone_cannot_say_is_refused_too(
    function: Any, keywords: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(sk.UsageError, match=message) as caught:
        function(**{"game": "pig"} | keywords)
    assert "\n" not in str(caught.value) and not list(tmp_path.iterdir())


@pytest.mark.parametrize("function", [sk.match, sk.equilibrium, sk.ladder, sk.tune])
def test_a_keyword_that_a_function_does_not_have_is_refused(function: Any) -> None:
    with pytest.raises(TypeError, match="'lineups'"):
        function("pig", lineups=["random*2"])
    with pytest.raises(
        TypeError, match=r"fair\(\) .* 'deal'; did you mean 'deals'\?; known: game, vary"
    ) as caught:
        sk.fair("pig", RANGE, deal=3)  # type: ignore[call-arg]
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
        "simkit.run({'question': 'How fair is Pig along points that win?', 'game': 'pig'"
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

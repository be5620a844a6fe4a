"""What a page says of seats: options that treat some differently, and the map of verdicts over two options."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from simkit.content.reports.sections.seats import cures, verdict_map
from synthetic import MadeRun, made_run, with_words

from simkit.engine import registry
from simkit.runs import experiment, runner
from simkit.runs.folder import open_run
from simkit.runs.run_metadata import OptionWords
from simkit.tables.findings import Findings

USUAL: dict[str, Any] = {
    "clause": "X-1",
    "kind": "integer",
    "default": 4,
    "low": 0,
    "high": 9,
    "values": "{}",
}


def option(label: str, treats: list[int], tries: list[int], **needs: Any) -> dict[str, Any]:
    words = {"label": label, "meaning": label.capitalize(), "treats": treats, "tries": tries, "needs": needs}
    return USUAL | words


def built(folder: Path, **options: dict[str, Any]) -> MadeRun:
    """A run of 60 deals along `second`, 12 or 14, of a game with these options besides."""
    run = made_run(folder, [["a", "b"]], [0.4, 0.5], deals=60, sweep={"second": [12, 14]})
    every = {"second": option("second keeps", [1], [3, 4])} | options
    return with_words(run, options=every)


def test_options_that_treat_a_seat_apart_are_proposed_with_what_they_need(tmp_path: Path) -> None:
    run = built(
        tmp_path,
        bonus=option("bonus of the first", [0], [3, 4, 5], mode=[2, 3]),
        mode=option("mode", [], []),
        only=option("one value", [0], [4]),
    )
    result = cures(Findings(run))
    text, (sweeps,) = " ".join(result.text) if result else "", result.stories if result else []
    assert "Bonus of the first" in text and "one value" not in text
    assert "second keeps" not in text  # it was varied here
    (command,) = [shlex.split(line) for line in sweeps.command.splitlines()]
    assert command[:4] == ["simkit", "sweep", "made", "bonus=3,4,5"]
    assert command[4:] == ["--set", "mode=2", "--lineup", "a,b", "--deals", "60"]


def test_every_proposal_for_outpost_seven_is_taken_by_the_game(tmp_path: Path) -> None:
    keys = {"question": "?", "game": "outpost_seven", "deals": 2, "lineups": ["random*2"]}
    request = experiment.parse(keys | {"sweep": {"start_total_second": [12, 16]}})
    result = cures(Findings(open_run(runner.run(request, tmp_path / "run"))))
    (sweeps,) = result.stories if result else []
    commands = [shlex.split(line) for line in sweeps.command.splitlines()]
    game = registry.game("outpost_seven")
    assert len(commands) > 2
    for words in commands:
        name, _, values = words[3].partition("=")
        assert words[:3] == ["simkit", "sweep", "outpost_seven"] and name != "start_total_second"
        assert game.option(name).treats
        given = dict(part.split("=") for place, part in enumerate(words) if words[place - 1] == "--set")
        for value in values.split(","):
            game.rules(given | {name: value})
        for other, allowed in game.option(name).needs.items():
            force = str(game.resolve(given)[other])
            assert force in (map(str, allowed) if isinstance(allowed, tuple | list) else [str(allowed)])


def test_where_the_swept_option_treats_all_alike_nothing_is_said(tmp_path: Path) -> None:
    run = built(tmp_path, second=option("second", [], []), bonus=option("bonus", [0], [3, 4, 5]))
    assert cures(Findings(run)) is None


@pytest.mark.parametrize("sweep", [{"goal": [20, 30]}, {"goal": [20, 30], "faces": [6, 8]}])
def test_where_no_option_treats_a_seat_apart_or_several_were_swept_nothing_is_said(
    sweep: dict[str, list[object]], tmp_path: Path
) -> None:
    keys = {"question": "?", "game": "pig", "deals": 2, "lineups": ["random*2"], "sweep": sweep}
    run = open_run(runner.run(experiment.parse(keys), tmp_path / "run"))
    assert cures(Findings(run)) is None


def test_the_map_of_options_that_are_tied_names_the_baseline_once(tmp_path: Path) -> None:
    """With more lineups than a picture of lines holds, the map has the settings in words."""
    tied = {"sweep": {"cards, draws": [[2, 0], [3, 0], [2, 1]]}, "baseline": {"cards": 2, "draws": 0}}
    run = made_run(tmp_path, [[name] * 2 for name in "abcdefgh"], [0.5] * 24, deals=60, **tied)
    (picture,) = verdict_map(Findings(run)).figures
    drawn = re.findall(r">(baseline(?: \(\w+\))?|cards 3|draws 1)<", picture.drawing.svg())
    assert sorted(drawn) == ["baseline", "cards 3", "draws 1"]


def of_choices(run: MadeRun, **labels: dict[str, str]) -> MadeRun:
    """The run with options that are choices, with a label for each."""
    rest = {"meaning": "", "clause": "", "kind": "choice", "default": "", "low": 0, "high": 0}
    rest |= {"treats": (), "needs": {}, "tries": []}
    options = {
        name: OptionWords.model_validate(rest | {"label": name, "values": values})
        for name, values in labels.items()
    }
    return with_words(run, options=options)


def test_choices_of_two_keys_are_drawn_by_their_labels(tmp_path: Path) -> None:
    pairs = [["draft", 1], ["draft", 2], ["exact", 1], ["exact", 2]]
    keys = {"sweep": {"rule, first": pairs}, "baseline": {"rule": "draft", "first": 1}}
    run = made_run(tmp_path, [["a", "a"], ["b", "b"]], [0.5] * 8, **keys)
    separate = run.experiment.model_copy(update={"sweep": {"rule": ["draft", "exact"], "first": [1, 2]}})
    run = of_choices(replace(run, experiment=separate), rule={"draft": "by draft", "exact": "by sum"})
    (picture,) = verdict_map(Findings(run)).figures
    rows = picture.drawing.table["row"].unique(maintain_order=True).to_list()
    assert rows == ["by draft / 1 (baseline)", "by draft / 2", "by sum / 1", "by sum / 2"]

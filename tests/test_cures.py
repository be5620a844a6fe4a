"""What else could be tried: other options that name a seat, with commands that a terminal takes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from reports.sections.cures import cure_section
from simkit import catalogue, experiment, runlog, runner


def _run(folder: Path, game: str, lineup: str, sweep: dict[str, list[object]]) -> runlog.Run:
    keys = {"question": "?", "game": game, "deals": 2, "lineups": [lineup], "sweep": sweep}
    return runlog.open_run(runner.run(experiment.parse(keys), folder / "run"))


def test_options_that_name_a_seat_are_proposed_with_values_that_the_game_takes(tmp_path: Path) -> None:
    run = _run(tmp_path, "outpost_seven", "random*2", {"start_total_second": [12, 16]})
    (found,) = cure_section(run)
    commands = [shlex.split(line) for line in found.stories[0].text.splitlines()]
    game = catalogue.game("outpost_seven")
    assert len(commands) > 3
    for words in commands:
        name, _, values = words[3].partition("=")
        assert (
            words[:3] == ["simkit", "sweep", "outpost_seven"]
            and name != "start_total_second"
            and f"{name} (" in found.text[0]
        )
        meaning = game.option(name).meaning.lower()
        assert re.search("first|second|player", meaning)
        given = dict(part.split("=") for place, part in enumerate(words) if words[place - 1] == "--set")
        for value in values.split(","):
            game.rules(given | {name: value})
        if "keep_count" in meaning:
            assert given["start_rule"] == "keep_count"


@pytest.mark.parametrize("sweep", [{"goal": [20, 30]}, {"goal": [20, 30], "faces": [6, 8]}])
def test_where_no_option_names_a_seat_or_several_were_swept_nothing_is_said(
    sweep: dict[str, list[object]], tmp_path: Path
) -> None:
    assert cure_section(_run(tmp_path, "pig", "random*2", sweep)) == []

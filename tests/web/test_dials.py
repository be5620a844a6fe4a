"""The dials of a page: what is prepared for it, and pages that have none, with the reason."""

from __future__ import annotations

import gzip
import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simkit
from simkit.ask.report import dials_of
from simkit.engine import registry
from simkit.engine.compile import jit
from simkit.errors import WebError
from simkit.runs.folder import Run
from simkit.web.dials import PreparedRules
from tests.commands import invoke

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not jit.COMPILED, reason="without the compiler there is no LLVM code"),
]
PLAYERS = ["random", "hold_at(threshold=25)"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of Pig whose players are two, one with a weight."""
    folder = tmp_path_factory.mktemp("run")
    result = simkit.sweep(
        "pig", {"goal": [50, 100]}, lineups=[PLAYERS], deals=40, seed=5, out=str(folder / "pig")
    )
    return result.run


def content(parts: Mapping[str, str]) -> dict[str, Any]:
    """Return what the scripts of a page read."""
    packed = parts["markup"].partition('id="dials-data">')[2].partition("<")[0]
    head, _, module = gzip.decompress(b64decode(packed)).partition(b"\n")
    assert module.startswith(b"\0asm")
    return dict(json.loads(head))


def test_the_dials_start_with_the_setting_and_the_players_of_the_run(run: Run) -> None:
    page = content(dials_of(run)[0])
    assert page["given"] == {"goal": 100} and page["seed"] == "5"
    goal, *others = page["options"]
    assert (goal["name"], goal["first"], goal["default"], goal["choices"]) == ("goal", True, 100, None)
    assert [option["chapter"] for option in others] == ["Chapter 2 of the rules", "Chapter 3 of the rules"]
    players = [page["roster"][place] for place in page["lineup"]]
    assert [player["weights"] for player in players] == [[], [25.0]]
    assert page["command"] == ["simkit"] and page["base_words"] == "the usual rules"


def test_the_open_dial_of_a_run_of_own_cards_is_an_option(tmp_path: Path) -> None:
    printed = invoke("cards", "outpost_seven").stdout
    (tmp_path / "own.csv").write_text(printed.replace("blue,3,A..", "blue,4,A...", 1))
    cards = ["printed", str(tmp_path / "own.csv")]
    result = simkit.sweep(
        "outpost_seven", {"files.cards": cards}, lineups=["random*2"], deals=4, out=str(tmp_path / "run")
    )
    page = content(dials_of(result.run)[0])
    assert page["live"] in {option["name"] for option in page["options"]}


def test_a_page_has_dials_only_with_the_sources_of_the_run(run: Run, tmp_path: Path) -> None:
    assert dials_of(run) == (dials_of(run)[0], "")
    sources = run.manifest.sources | {"the rules of pig": "0"}
    other = replace(run, manifest=run.manifest.model_copy(update={"sources": sources}))
    why = "the rules of pig changed since the run was played; play it again for a page with dials"
    assert dials_of(other) == ({}, why)
    page = simkit.report(other, tmp_path / "page.html")
    assert page.no_dials == why and "dials" not in page.path.read_text()


def test_whatever_goes_wrong_with_the_dials_the_page_is_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error in (WebError("pig: no linker"), ValueError("oops")):

        def fails(*arguments: Any, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr("simkit.ask.report.make", fails)
        page = simkit.report(run, tmp_path / "page.html")
        assert str(error) in page.no_dials and "<h1" in page.path.read_text()


def test_only_html_has_dials(run: Run, tmp_path: Path) -> None:
    assert "dials" not in simkit.report(run, tmp_path / "page.md").path.read_text()
    assert "dials" not in simkit.report(run, tmp_path / "page.html")._repr_html_()


def patched(prepared: PreparedRules, option: str, number: int) -> bytes:
    """Return the record of a page in which one option is turned, as its script makes it."""
    record = bytearray(prepared.base)
    for offset, part in prepared.patches[option][number]:
        new = b64decode(part)
        record[offset : offset + len(new)] = new
    return bytes(record)


@pytest.mark.parametrize("name", [name for name, game in registry.games().items() if game.components.fields])
def test_patches_give_the_records_of_the_game(name: str) -> None:
    game = registry.game(name)
    prepared = PreparedRules(game, {}, {}, {})
    assert prepared.base == game.rules({}).tobytes()
    for option, patches in prepared.patches.items():
        for number in patches:
            value = game.option(option).value(number)
            assert patched(prepared, option, number) == game.rules({option: value}).tobytes()


def test_a_dial_offers_the_value_that_the_run_has_however_far_it_is_from_the_printed_value() -> None:
    prepared = PreparedRules(registry.game("outpost"), {"cost_ore": 90}, {}, {})
    assert {10, 90} <= {*prepared.patches["cost_ore"]} and 90 not in prepared.patches["cost_water"]


def test_options_without_a_patch_may_be_written_into_the_record() -> None:
    game = registry.game("outpost_seven")
    prepared = PreparedRules(game, {}, {}, {})
    for option in game.options:
        if option.name not in prepared.patches:
            for value in option.near:
                record = np.frombuffer(bytearray(prepared.base), game.rules_dtype)
                record[0][option.name] = option.number(value)
                assert record.tobytes() == game.rules({option.name: value}).tobytes()


def test_values_that_the_rules_refuse_are_no_patches_but_reasons() -> None:
    prepared = PreparedRules(registry.game("exoplanet_colony"), {}, {}, {})
    refused = prepared.refused["piles"]
    assert min(refused) == 10 and 10 not in prepared.patches["piles"]
    assert refused[10] == "piles = 10 and normals_per_pile = 4 need 40 cards of 39 normal events (EX-2.5)"


def test_tables_that_take_more_room_than_a_page_has_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simkit.web.dials.MAX_BYTES", 2_000)
    prepared = PreparedRules(registry.game("outpost_seven"), {}, {}, {"faceup": [4]})
    assert prepared.patches["faceup"] and not prepared.patches["card_set"]

"""Settings without a verdict are not counted with those that are found unfair."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from simkit.content.reports.sections.seats import verdict_map
from synthetic import MadeRun, made_run, with_words

from simkit.page.words.answer import balance_answer
from simkit.page.words.numbers import about
from simkit.runs.run_metadata import OptionWords
from simkit.tables.findings import Findings

SWEEP = {"sweep": {"second": [10, 12, 14]}, "baseline": {"second": 10}}


def result(folder: Path, shares: list[float], lineups: str = "a", **keys: int) -> Findings:
    each = [share for share in shares for _ in lineups]
    return Findings(made_run(folder, [[name] * 2 for name in lineups], each, **SWEEP | keys))


def test_settings_that_are_all_off_are_said_to_be(tmp_path: Path) -> None:
    off = result(tmp_path, [0.8, 0.7, 0.2], deals=1200)
    assert balance_answer(off).advice.startswith("No setting tried is known to be fair. Nearest so far is ")


def test_no_setting_is_said_to_be_off_before_it_is_decided(tmp_path: Path) -> None:
    few = result(tmp_path, [0.3, 0.4, 0.7], deals=100)
    assert "NOT SETTLED" in few.first_player_advantage["verdict"].to_list()
    advice = balance_answer(few).advice
    assert advice.startswith("It is not settled whether a setting is fair") and "so far" in advice
    (deals,) = re.findall(r"about ([\d,]+) games", advice)
    assert int(deals.replace(",", "")) == about(int(few.deals_to_settle["needed"].max()))  # type: ignore[arg-type]


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

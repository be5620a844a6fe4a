"""What sentences say of ties, of names, and of what cannot vary."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_report import behind
from simkit.content.reports.compare import difference_rows as compared_rows
from simkit.content.reports.compare import doubt
from simkit.content.reports.compare.words import rules_answer
from synthetic import MadeRun, made_run, with_words

from simkit.engine import registry
from simkit.page.terminal import screen
from simkit.runs.run_metadata import OptionWords
from simkit.tables.findings import Findings
from tests.everyday import everyday

MIRROR = [["a", "a"]]


def optioned(run: MadeRun, **options: dict[str, str]) -> MadeRun:
    """The run with words for options whose values are names."""
    expected = {
        name: OptionWords(
            label=name,
            kind="choice",
            meaning="",
            default=next(iter(values)),
            values=values,
            low=0,
            high=len(values) - 1,
        )
        for name, values in options.items()
    }
    return with_words(run, options=expected)


def test_a_value_that_is_a_name_stands_in_quotes_after_its_option(tmp_path: Path) -> None:
    keys = {"sweep": {"token": ["winner", "nobody", "loser"]}, "baseline": {"token": "winner"}}
    run = made_run(tmp_path, MIRROR, [0.8, 0.5, 0.7], deals=2000, **keys)
    run = optioned(run, token={"winner": "the winner", "nobody": "nobody", "loser": "the loser"})
    assert rules_answer(Findings(run)).headline.startswith("Token “nobody” ")


LUCK = {
    "nothing varies": ((1.0, 0.0, 0.0, 0.0), "the same in every deal"),
    "no difference but some luck": ((1.0, 0.0, -0.1, 0.1), "may be luck"),
    "beyond luck": ((0.001, 0.1, 0.05, 0.15), ""),
}


@pytest.mark.parametrize(("numbers", "text"), LUCK.values(), ids=list(LUCK))
def test_where_nothing_varies_nothing_is_luck(numbers: tuple[float, ...], text: str) -> None:
    names = ("p_adjusted", "difference", "low", "high")
    assert doubt(dict(zip(names, numbers, strict=True))) == text


def test_rules_that_change_no_game_are_said_to_be_the_same(tmp_path: Path) -> None:
    keys = {"sweep": {"miles": [6, 8]}, "baseline": {"miles": 6}}
    findings = Findings(made_run(tmp_path, MIRROR, [0.6, 0.6], deals=400, **keys))
    shown = [first for first in compared_rows(findings, (), True) if first["interval"] == "+0.00 to +0.00"]
    assert shown and {first[""] for first in shown} == {"the same in every deal"}


BOATS = {"sweep": {"miles, freeboard": [[5, 3], [6, 3], [5, 4]]}, "baseline": {"miles": 5, "freeboard": 3}}


def test_each_option_varied_has_a_column_of_its_own(tmp_path: Path) -> None:
    run = made_run(tmp_path, MIRROR, [0.6, 0.5, 0.5], deals=40, **BOATS)
    (listing,) = screen(Findings(run))
    assert [(first["miles"], first["freeboard"], first["baseline"]) for first in listing.rows] == [
        ("5", "3", "yes"),
        ("6", "3", ""),
        ("5", "4", ""),
    ]


def test_the_first_screen_of_a_page_has_a_column_for_each_option_varied(tmp_path: Path) -> None:
    from simkit.content.reports import sweep

    glance = behind(sweep.recipe.build(made_run(tmp_path, MIRROR, [0.6, 0.5, 0.5], deals=40, **BOATS)))
    assert glance is not None
    assert [column.name for column in glance.columns][:3] == ["miles", "freeboard", "baseline"]
    assert glance.rows[0][:3] == ["5", "3", "yes"]


SETTINGS = {  # what varies, columns of each setting in the order played: of all settings, of those compared
    "two options": (BOATS, [["5", "3", "yes"], ["6", "3", ""], ["5", "4", ""]], [["6", "3"], ["5", "4"]]),
    "one option": (
        {"sweep": {"miles": [5, 6, 7]}, "baseline": {"miles": 5}},
        [["5 (baseline)"], ["6"], ["7"]],
        [["6"], ["7"]],
    ),
    "one of two options that are tied": (
        {"sweep": {"miles, freeboard": [[5, 3], [6, 3], [7, 3]]}, "baseline": {"miles": 5, "freeboard": 3}},
        [["5 (baseline)"], ["6"], ["7"]],
        [["6"], ["7"]],
    ),
}
OF_ALL = {"Rule sets, nearest to fair first": 1}  # caption -> columns before the setting
OF_OTHERS = {"Changes on the same deals, the greatest beyond luck first": 0}


def swept(folder: Path, keys: dict[str, Any]) -> MadeRun:
    shares = [0.6, 0.5, 0.5, 0.7, 0.4, 0.5]
    return made_run(folder, [["a", "a"], ["a", "b"]], shares, deals=40, **keys)


@pytest.mark.slow
@pytest.mark.parametrize(("keys", "every", "others"), everyday(SETTINGS.values(), 1), ids=list(SETTINGS))
def test_tables_of_a_page_list_settings_by_the_value_of_each_option_varied(
    keys: dict[str, Any], every: list[list[str]], others: list[list[str]], tmp_path: Path
) -> None:
    run = swept(tmp_path, keys)
    pages = [registry.recipe(name).build(run) for name in ("compare", "strategies", "sweep", "balance")]
    tables = [table for page in pages for table in page.tables()]
    for captions, settings in ((OF_ALL, every), (OF_OTHERS, others)):
        for caption, before in captions.items():
            some = [table for table in tables if table.caption == caption]
            assert some, caption
            for table in some:
                shown = [row[before : before + len(settings[0])] for row in table.rows]
                assert {*map(tuple, shown)} == {*map(tuple, settings)}, caption
    texts = {text for table in tables for row in table.rows for text in row}
    assert not texts & {"baseline", "miles 5", "miles 6", "miles 5 (baseline)", "freeboard 4"}


@pytest.mark.parametrize(("keys", "every", "others"), SETTINGS.values(), ids=list(SETTINGS))
def test_the_terminal_lists_rule_sets_compared_by_the_value_of_each_option_varied(
    keys: dict[str, Any], every: list[list[str]], others: list[list[str]], tmp_path: Path
) -> None:
    shown = compared_rows(Findings(swept(tmp_path, keys)), (), True)
    front = ["miles", "freeboard"][: len(others[0])]
    assert [*shown[0]][: len(front) + 1] == [*front, "lineup"]
    assert {tuple(row[name] for name in front) for row in shown} == {*map(tuple, others)}

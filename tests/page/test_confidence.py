"""How sure an answer is: who played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from simkit.content.reports.sections.answer import cases
from synthetic import MadeRun, made_run

from simkit.engine.lineups import Named
from simkit.page.terminal import everything, screen
from simkit.page.words.confidence import limits, measurement_note
from simkit.tables.findings import Findings


def weighted(folder: Path, lineups: list[tuple[str, int, int]]) -> MadeRun:
    """Lineups of one strategy each: its program, a weight, the number of players."""
    run = made_run(
        folder, [[f"{name}{depth}"] * seats for name, depth, seats in lineups], [0.5] * len(lineups)
    )
    named = [(Named(name, {"depth": depth}),) * seats for name, depth, seats in lineups]
    return replace(
        run, cells=[replace(cell, lineup=first) for cell, first in zip(run.cells, named, strict=True)]
    )


@pytest.mark.parametrize(
    ("lineups", "message"),
    [
        (
            [("a", 1, 2), ("a", 2, 2), ("b", 1, 2)],
            "three computer players, two of them versions of one program",
        ),
        ([("a", 1, 2), ("a", 2, 2)], "two computer players, both versions of one program"),
        (
            [("a", 1, 2), ("a", 2, 2), ("a", 1, 3), ("a", 2, 3)],
            "two computer players, both versions of one program",
        ),
        ([("a", 1, 2), ("b", 1, 2)], "two computer players"),
    ],
)
def test_lineups_of_one_program_are_counted(
    lineups: list[tuple[str, int, int]], message: str, tmp_path: Path
) -> None:
    findings = Findings(weighted(tmp_path, lineups))
    assert limits(findings)[0] == f"How people play: all games were played by {message}."


def test_the_brief_explains_verdicts_that_its_intervals_seem_to_contradict(tmp_path: Path) -> None:
    findings = Findings(made_run(tmp_path, [["a", "a"]], [0.53], deals=900))
    note = measurement_note(findings, "The game is NOT EQUAL.")
    assert (
        note.startswith("900 games; 95 % intervals.")
        and "NOT EQUAL: the share is surely not the fair one" in note
    )
    assert "NOT EQUAL" not in measurement_note(findings, "The game is UNFAIR.")


def test_the_terminal_says_not_equal_where_the_page_does(tmp_path: Path) -> None:
    findings = Findings(made_run(tmp_path, [["a", "a"]], [0.53], deals=400, margin=0.04))
    texts = dict(
        zip([column.name for column in cases(findings).columns], cases(findings).rows[0], strict=True)
    )
    assert texts["verdict"] == "NOT EQUAL"
    for listing in (*screen(findings), *everything(findings)):
        assert listing.rows[0]["verdict"].startswith("NOT EQUAL")


def test_the_interval_that_a_verdict_rests_on_stands_beside_it(tmp_path: Path) -> None:
    """One look at 4,000 games says that the share is within the margin; the verdict, at any look, does not."""
    run = made_run(tmp_path, [["a", "a"]], [0.442], deals=4_000)
    table = cases(Findings(run))
    texts = dict(zip([column.name for column in table.columns], table.rows[0], strict=True))
    assert texts["verdict"] == "NOT SETTLED" and "48" < texts["low"] < texts["high"] < "52"
    assert texts["ever_low"] < "48" and texts["ever_high"] > "52"
    order = [column.name for column in table.columns]
    after = order.index("fpa_high" if "fpa_high" in order else "high")
    assert order[after + 1 : after + 3] == ["ever_low", "ever_high"]  # not those of the farthest seat
    ((row,),) = (listing.rows for listing in screen(Findings(run)))
    surely = f"{texts['ever_low'].removesuffix(' %')} to {texts['ever_high']}"
    assert row["surely"] == surely != row["95 % interval"]
    stopped = replace(run, experiment=run.experiment.model_copy(update={"until_verdict": True}))
    ((row,),) = (listing.rows for listing in screen(Findings(stopped)))
    assert row["95 % interval"] == surely and "surely" not in row

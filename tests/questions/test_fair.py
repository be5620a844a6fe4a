"""`simkit fair` finds the value that a raffle with a known answer has, and says when there is none."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from simkit.content.reports.fair import fair_answer

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.questions.fair import FairStudy
from simkit.questions.fair.result import POOLED
from simkit.runs.folder import SIDE_RUNS, Run, open_run
from simkit.tables.findings import Findings
from tests.commands import invoke
from tests.questions.carried_out import findings_of, urn_project

pytestmark = pytest.mark.slow

# Seat s holds some tickets, seat 0 half a ticket more; the share of each seat is its part of the tickets.
RAFFLE = """
first, second = 2 * rules.tickets_0 + 1, 2 * rules.tickets_1
third = 2 * rules.tickets_2 if s.seats > 2 else 0
drawn = below(rng.urn, first + second + third)
winner = 0 if drawn < first else 1 if drawn < first + second else 2
"""
OPTIONS = [f'integer("tickets_{seat}", 20, 1, 100, "RA-1", "Tickets of seat {seat}")' for seat in range(3)]
OPTIONS += ['flag("loud", False, "RA-2", "Whether the winner cheers")']


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with urn_project(tmp_path_factory.mktemp("raffle"), "raffle", OPTIONS, RAFFLE) as folder:
        yield folder


def solved(
    folder: Path,
    vary: dict[str, tuple[int, int]],
    lineups: list[list[str]],
    deals: int = 20_000,
    **keys: object,
) -> Findings:
    return findings_of(FairStudy("raffle", lineups, deals, 1, 0.02, dict(keys), vary), folder)


def analyses(findings: Findings) -> list[Run]:
    """The runs of the looks, in the order in which they were played."""
    names = findings.fair_points["look"].unique(maintain_order=True).to_list()
    return [open_run(findings.run.folder / SIDE_RUNS / name) for name in names]


SIZES = [1_000, pytest.param(20_000, marks=pytest.mark.proof("questions.fair"))]


@pytest.mark.parametrize("deals", SIZES)
def test_the_fair_value_lies_between_whole_numbers(project: Path, tmp_path: Path, deals: int) -> None:
    result = solved(tmp_path, {"tickets_1": (5, 60)}, [["random", "random"]], deals)
    (value,) = result.fair_values.rows(named=True)
    widest = 2 * math.sqrt(20_000 / deals)  # the ends are whole numbers that were played
    assert value["low"] <= 20.5 <= value["high"] and value["high"] - value["low"] <= widest
    if deals == 20_000:
        (verdict,) = result.fair_checks["verdict"]  # at 21 the first player wins 49.4 %: at times BORDERLINE
        assert value["best"] in (20, 21) and verdict in ("FAIR", "BORDERLINE")
    names = result.fair_points["look"].unique(maintain_order=True).to_list()
    assert [text[:20] for text in fair_answer(result).warnings] == ["All of this is of on"] and names[:2] == [
        "wide",
        "close",
    ]


def test_a_bent_curve_is_looked_at_more_and_more_closely(project: Path, tmp_path: Path) -> None:
    result = solved(
        tmp_path, {"tickets_1": (1, 100)}, [["random", "random"]], deals=2000, options={"tickets_0": 4}
    )
    (value,) = result.fair_values.rows(named=True)
    assert value["low"] <= 4.5 <= value["high"] and value["high"] - value["low"] < 1.6
    assert value["best"] in (4, 5) and len(analyses(result)) > 2


def test_the_check_uses_deals_of_its_own(project: Path, tmp_path: Path) -> None:
    result = solved(tmp_path, {"tickets_1": (15, 25)}, [["random", "random"]], deals=1000)
    seeds = [run.experiment.seed for run in [*analyses(result), result.run]]
    assert len(set(seeds)) == len(seeds)


def test_without_a_fair_value_in_the_range_the_nearest_end_is_checked(project: Path, tmp_path: Path) -> None:
    result = solved(tmp_path, {"tickets_1": (2, 10)}, [["random", "random"]], deals=2000)
    (value,) = result.fair_values.rows(named=True)
    assert value["value"] is None and value["best"] == 10
    text = fair_answer(result).headline
    assert text.startswith("No whole number from 2 to 10 is fair: nearest is 10, where the first ")
    assert re.search(
        r" wins 6[4-9] games of 100 \(\d+ to \d+; 50 would be fair\)\.$", text
    )  # 20.5 of 30.5 tickets
    assert result.fair_checks["verdict"].to_list() == ["UNFAIR"]


@pytest.mark.parametrize("deals", SIZES)
def test_one_option_per_seat_makes_three_seats_equal(project: Path, tmp_path: Path, deals: int) -> None:
    vary = {"tickets_1": (10, 40), "tickets_2": (10, 40)}
    result = solved(tmp_path, vary, [["random"] * 3], deals)
    for value in result.fair_values.rows(named=True):
        assert value["low"] <= 20.5 <= value["high"]
    if deals == 20_000:
        assert set(result.fair_values["best"]) <= {20, 21}
        assert result.fair_checks["verdict"].to_list() == ["FAIR"]


def test_lineups_that_play_alike_agree_and_are_pooled(project: Path, tmp_path: Path) -> None:
    (project / "strategies").mkdir(exist_ok=True)
    (project / "strategies" / "raffle.py").write_text(
        "from games.raffle import game\nfrom simkit.engine.strategy import strategy\n\n\n"
        "@strategy(game)\ndef hopeful(view, rules, legal, w, rng, scratch, memo):\n"
        '    """Takes what there is."""\n    return legal[0]\n'
    )
    registry.set_projects([])
    registry.add_project(project)
    result = solved(
        tmp_path, {"tickets_1": (10, 40)}, [["random", "random"], ["hopeful", "hopeful"]], deals=1000
    )
    first, second, both = result.fair_values.rows(named=True)
    assert [value["lineup"] for value in (first, second, both)] == ["random mirror", "hopeful mirror", POOLED]
    assert fair_answer(result).warnings == []
    assert first["value"] == pytest.approx(second["value"])  # the same luck, the same games
    widths = [value["high"] - value["low"] for value in (both, first)]
    assert widths[0] == pytest.approx(widths[1], rel=0.05)


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ({"loud": (0, 1)}, "option loud is not a whole number"),
        ({"tickets_1": (9, 9)}, "the range goes up"),
        ({"tickets_1": (0, 9)}, "tickets_1 = 0 is out of range"),
        ({"ticket_1": (1, 9)}, "did you mean 'tickets_1'"),
    ],
)
def test_what_cannot_be_varied_is_refused_before_anything_is_played(
    project: Path, tmp_path: Path, vary: dict, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        solved(tmp_path, vary, [["random", "random"]])
    assert list(tmp_path.iterdir()) == []


def test_an_option_may_not_be_fixed_and_varied(project: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is both varied and set to one value"):
        solved(tmp_path, {"tickets_1": (5, 60)}, [["random", "random"]], options={"tickets_1": 9})
    with pytest.raises(UsageError, match="different numbers of seats"):
        solved(tmp_path, {"tickets_1": (5, 60)}, [["random"] * 2, ["random"] * 3])


COMMAND = "fair raffle --vary tickets_1=10:40 --deals 1000 --lineup random*2 -o"


def test_the_command_answers_first_then_shows_the_table_then_names_the_page(
    project: Path, tmp_path: Path
) -> None:
    text = invoke(COMMAND, tmp_path / "f")
    lines = [line for line in text.stdout.splitlines() if line]
    assert (
        text.exit_code == 0
        and lines[0].startswith("Nearest to fair is about 19.9")
        and lines[1].startswith("Not known yet")
    )
    table = next(place for place, line in enumerate(lines) if line.startswith("lineup"))
    assert any(line.endswith(f"report {tmp_path / 'f'}") for line in lines[table:])
    document = json.loads(invoke(COMMAND, tmp_path / "f", "--json").stdout)
    assert document["best"]["tickets_1"] in (20, 21) and document["fair_values"][0]["low"] < 20.5
    assert {"share", "low", "high", "verdict", "deals"} <= set(document["checked"][0])
    assert document["answer"] == lines[0] and document["run"] == str(tmp_path / "f")
    assert document["best_is_fair"] in (True, None)


def test_where_no_value_is_fair_none_is_called_so(project: Path, tmp_path: Path) -> None:
    command = COMMAND.replace("10:40", "2:10")
    text = invoke(command, tmp_path).stdout
    assert "none, nearest 10" in text and "best" not in text
    assert json.loads(invoke(command, tmp_path, "--json").stdout)["best_is_fair"] is False


def test_of_three_seats_each_is_printed_with_its_interval(project: Path, tmp_path: Path) -> None:
    command = "fair raffle --vary tickets_1=5:60 --set tickets_2=30 --deals 1000 --lineup random*3 -o"
    text = invoke(command, tmp_path).stdout
    rows = [line for line in text.splitlines() if re.search(r"(first|second|third) player +\d", line)]
    assert len(rows) == 3 and all(re.search(r"\d+\.\d to \d+\.\d +33\.3 %", row) for row in rows)
    document = json.loads(invoke(command, tmp_path, "--json").stdout)
    best = [row for row in document["seats"] if row["tickets_1"] == document["best"]["tickets_1"]]
    assert [row["seat"] for row in best] == [0, 1, 2] and all(row["low"] < row["share"] for row in best)


def test_a_search_that_was_stopped_goes_on_and_a_part_that_is_there_is_not_played_again(
    project: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "f"
    invoke(COMMAND, folder)
    shutil.copytree(folder / SIDE_RUNS, tmp_path / "g" / SIDE_RUNS)
    with pytest.raises(UsageError, match="the search is not finished; run its command again"):
        open_run(tmp_path / "g")
    played = open_run(folder / "side_runs" / "wide").manifest.finished
    invoke(COMMAND, tmp_path / "g")
    assert open_run(tmp_path / "g" / "side_runs" / "wide").manifest.finished == played
    assert open_run(tmp_path / "g").answer == open_run(folder).answer


def every_file(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


SEARCH = "fair pig --vary goal=20:23 --deals 100 -o"


def test_a_search_leaves_the_folder_of_another_alone_and_goes_elsewhere_as_a_whole(tmp_path: Path) -> None:
    other, mine = tmp_path / "other", tmp_path / "mine"
    invoke(SEARCH, other)
    before = every_file(other)
    with pytest.raises(UsageError, match="holds another search"):
        invoke(SEARCH, other, "--deals", 200)
    assert every_file(other) == before
    invoke(SEARCH, other, "--deals", 200, "--into", mine)
    assert every_file(other) == before
    assert open_run(mine).answer and (mine / "side_runs" / "wide").is_dir()


def test_one_lineup_is_warned_that_other_players_may_disagree(tmp_path: Path) -> None:
    words = "fair outpost_seven --vary start_total_second=20:22 --deals 100 -o"
    warning = "Beware: All of this is of one lineup: "
    assert warning in invoke(words, tmp_path / "one").stdout
    several = ["--lineup", "reference_greedy*2", "--lineup", "greedy*2"]
    assert warning not in invoke(words, tmp_path / "two", *several).stdout


def test_a_search_plays_nothing_into_the_folder_of_a_run(tmp_path: Path) -> None:
    invoke("sweep pig goal=20,30 --lineup hold_at,hold_at --deals 20 -o", tmp_path)
    before = every_file(tmp_path)
    with pytest.raises(UsageError):
        invoke(SEARCH, tmp_path)
    assert every_file(tmp_path) == before


def test_a_search_plays_nothing_where_something_else_lies(tmp_path: Path) -> None:
    note = tmp_path / "notes" / "a.txt"
    note.parent.mkdir()
    note.write_text("mine")
    for place, message in [(note.parent, "is not empty and not a run"), (note, f"{note}: is a file")]:
        with pytest.raises(UsageError, match=message):
            invoke(SEARCH, place)
        assert every_file(tmp_path) == {"notes/a.txt": b"mine"} and os.listdir(note.parent) == ["a.txt"]


def test_no_run_is_played_into_the_folder_of_a_search(tmp_path: Path) -> None:
    there = tmp_path / "f"
    invoke(SEARCH, there)
    before = every_file(there)
    with pytest.raises(UsageError, match="holds a search"):
        invoke("run", there / "experiment.toml", "-o", there)
    assert invoke("run", there / "experiment.toml", "-o", there, "--into", tmp_path / "g").exit_code == 0
    assert every_file(there) == before and open_run(tmp_path / "g").manifest.finished

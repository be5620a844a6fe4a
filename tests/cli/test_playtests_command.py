"""The playtests command: the example of the manual gives what the manual says, and its folder can be opened."""

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import simkit
from simkit.cli import cli

MANUAL = (
    (Path(__file__).parents[2] / "docs" / "ask.md").read_text(encoding="utf-8").partition("## Playtests")[2]
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def simkit_command(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


def block(language: str) -> str:
    return re.findall(rf"```{language}\n(.*?)```", MANUAL, re.DOTALL)[0]


@pytest.mark.slow
def test_the_example_of_the_manual_gives_the_answer_of_the_manual(tmp_path: Path) -> None:
    (tmp_path / "evenings.csv").write_text(block("text"), encoding="utf-8")
    done = simkit_command(*shlex.split(block("sh"))[1:])
    quoted = " ".join(line.removeprefix(">").strip() for line in MANUAL.splitlines() if line.startswith(">"))
    assert done.exit_code == 0, done.output
    assert [text for text in quoted.split("  ") if text not in done.stdout] == []


@pytest.mark.slow
def test_the_folder_keeps_the_games_and_the_page_and_both_interfaces_say_the_same(tmp_path: Path) -> None:
    sheet = tmp_path / "table.csv"
    sheet.write_text("players,winner,turns,goal\n2,1,20,\n3,2,33,50\n2,draw,,\n", encoding="utf-8")
    words = [*("playtests", "pig", str(sheet), "--deals", "200"), "--json", "-o", "run"]
    document = json.loads(simkit_command(*words).stdout)
    opened = simkit.open_run("run")
    assert opened.playtests.rows(named=True) == document["playtests"]
    assert opened.playtests.select("seats", "goal").unique().height == 2
    assert opened.answer == document["answer"] == simkit.open_run("run").run.manifest.answer
    page = simkit.report(opened, "page.md").path.read_text()
    assert opened.answer in " ".join(page.replace("# ", "").split()) and "rule out" in page
    assert set(opened.playtest_fits["strategy"]) == {"hold_at", "random"}
    repeated = simkit.playtests("pig", sheet, deals=200, out="run", progress=False)
    assert repeated.playtest_seats.equals(opened.playtest_seats)
    sheet.write_text(sheet.read_text() + "2,2,25,\n", encoding="utf-8")
    longer = simkit.playtests("pig", sheet, deals=200, out="run", progress=False)
    assert longer.playtests["play"].n_unique() == 4


SCORES = "score_1,score_2\n100,40\n60,101\n99,100\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "sheet", "texts"),
    [
        (
            "pig",
            "turns\n20\n22\n25\n",
            ["3 playtests can rule out 1 of 2 simulated players", "Players, the best"],
        ),
        ("pig", "turns\n1000\n1000\n1000\n", ["can rule out 2 of 2 simulated players"]),
        ("pig", SCORES, ["The first player wins 33.3 %", "Seats:"]),
        (
            "pig",
            "score_1,score_2,winner\n100,90,2\n80,101,2\n104,3,2\n",
            ["table.csv, rows 2 and 4: the winner has a worse score than another player"],
        ),
        *[
            (
                f"race_to_six --seed {seed}",
                "players,winner\n" + "3,2\n" * 100,
                ["can rule out 1 of 1 simulated player; “random” comes nearest", "they cannot both be true"],
            )
            for seed in (1, 2)
        ],
    ],
)
def test_a_sheet_with_few_columns_has_an_answer_that_does_not_contradict_itself(
    game: str, sheet: str, texts: list[str]
) -> None:
    Path("table.csv").write_text(sheet, encoding="utf-8")
    name, *options = game.split()
    done = simkit_command("playtests", name, "table.csv", "--deals", "1000", *options)
    assert done.exit_code == 0, done.output
    assert not [text for text in texts if text not in done.output]


@pytest.mark.slow
def test_a_table_that_was_changed_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("winner\n1\n")
    simkit_command("playtests", "pig", "table.csv", "--deals", "100", "--strategies", "random", "-o", "run")
    (tmp_path / "run" / "playtests.parquet").write_bytes(b"other games")
    done = simkit_command("report", "run", "-o", "page.md")
    assert done.exit_code == 2 or isinstance(done.exception, simkit.UsageError)
    assert not (tmp_path / "page.md").exists()


def test_without_a_sheet_it_prints_the_columns() -> None:
    done = simkit_command("playtests", "kuhn_poker")
    assert done.output == "date,players,seat_1,seat_2,score_1,score_2,winner,turns,minutes\n"

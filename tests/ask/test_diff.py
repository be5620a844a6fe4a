"""Differences between two sheets, runs or locks, in words, without playing a game."""

import json
from pathlib import Path

import openpyxl
import pytest

import simkit as sk
from simkit import cli

CARDS = "colour,value,spaces\nblue,3,A..\nblue,3,A..\npurple,1,.\ngreen,4,R...\npurple,1,.\n"
SHIPS = "ship,cost,note\ntug,3,\nferry,4,slow\n"
LOCK = (Path(__file__).parents[1] / "runs/example.lock").read_text("utf-8")


def differences(folder, before, after, names=("a.csv", "b.csv")):
    paths = [folder / name for name in names]
    for path, text in zip(paths, (before, after), strict=True):
        path.write_text(text)
    return [str(difference) for difference in sk.diff(*paths)]


def test_cards_without_names_are_matched_in_order(tmp_path):
    after = CARDS.replace("blue,3,A..\n", "", 1).replace("R...", "RA..") + "blue,6,A.....\n"
    assert differences(tmp_path, CARDS, after) == [
        "row 1: blue 3 A.. removed",
        "row 3 (green 4 R...), spaces: R... → RA..",
        "row 5: blue 6 A..... added",
    ]


def test_rows_with_names_are_matched_by_them_in_any_order(tmp_path):
    after = "note,Cost,Ship\n,5,ferry\n,3,tug\n,9,liner\n"
    columns = "ship,cost,note\nferry,5,\ntug,3,\nliner,9,big\n"
    assert differences(tmp_path, SHIPS, columns) == [
        "row 1 (ferry 4 slow), cost: 4 → 5",
        "row 1 (ferry 4 slow), note: slow removed",
        "row 3: liner 9 big added",
    ]
    assert sk.diff(tmp_path / "a.csv", tmp_path / "a.csv") == []
    assert any("ferry" in line for line in differences(tmp_path, SHIPS, after))


def test_numbers_are_no_names(tmp_path):
    """A mood track is matched in order, so that a changed value is a change, not another row."""
    before, after = "value,start\n-3,\n0,1\n2,\n", "value,start\n-3,\n1,1\n2,\n"
    assert differences(tmp_path, before, after) == ["row 2 (0 1), value: 0 → 1"]


def test_a_workbook_and_a_text_with_the_same_cells_do_not_differ(tmp_path, capsys):
    book = openpyxl.Workbook()
    for row in (["Ship", "Cost", "Note"], ["tug", 3.0, None], ["ferry", 4, "slow"]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    (tmp_path / "b.csv").write_text(SHIPS)
    with pytest.raises(SystemExit) as done:
        cli.main(["diff", str(tmp_path / "a.xlsx"), str(tmp_path / "b.csv")])
    assert done.value.code == 0 and capsys.readouterr().out == "They do not differ\n"


def test_locks_are_compared_by_targets_and_accepted_values(tmp_path):
    after = LOCK.replace("value = 49.9", "value = 51.5").replace("seed = 1\n", "seed = 2\n", 1)
    after = after.replace('    "turns 25 to 35",\n', '    "turns 25 to 35",\n    "decisions 40 to 60",\n')
    assert differences(tmp_path, LOCK, after, ("a.lock", "b.lock")) == [
        "seed: 1 → 2",
        "claims, first player wins 48 to 52 with reference_greedy: 49.9 (48.2 to 51.6), HOLDS → 51.5 (48.2 to 51.6), HOLDS",
        "claims, decisions 40 to 60: not accepted yet added",
    ]


def test_runs_differ_in_questions_versions_and_files(tmp_path):
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder, goal in zip(folders, (30, 40), strict=True):
        sk.run(
            {"question": "?", "game": "pig", "deals": 2, "lineups": ["hold_at*2"], "options": {"goal": goal}},
            out=folder,
        )
    lines = [str(difference) for difference in sk.diff(*folders)]
    assert "options, goal: 30 → 40" in lines
    assert not any(line.startswith(("deals", "lineups", "simkit", "default")) for line in lines)


@pytest.mark.parametrize(
    ("texts", "names", "message"),
    [
        ((CARDS, SHIPS), ("a.csv", "b.csv"), "have no column in common; compare sheets of one kind"),
        ((CARDS, LOCK), ("a.csv", "b.lock"), "is a sheet, "),
        (("x = [", LOCK), ("a.lock", "b.lock"), "a.lock: malformed TOML"),
        (("", CARDS), ("a.csv", "b.csv"), "a.csv: is empty; the first line must be a header"),
    ],
)
def test_what_cannot_be_compared_is_refused(tmp_path, capsys, texts, names, message):
    for name, text in zip(names, texts, strict=True):
        (tmp_path / name).write_text(text)
    with pytest.raises(SystemExit) as done:
        cli.main(["diff", *(str(tmp_path / name) for name in names), "--json"])
    printed = capsys.readouterr()
    assert done.value.code == 2 and message in printed.err and not printed.out


def test_json_has_place_and_both_values(tmp_path, capsys):
    differences(tmp_path, SHIPS, SHIPS.replace("tug,3", "tug,2"))
    with pytest.raises(SystemExit):
        cli.main(["diff", str(tmp_path / "a.csv"), str(tmp_path / "b.csv"), "--json"])
    assert json.loads(capsys.readouterr().out) == [{"place": "row 1 (tug 3), cost", "was": "3", "now": "2"}]

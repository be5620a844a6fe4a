"""A designer's own cards or tracks as a rule set among others; what they change, row by row."""

import json

import pytest
from simkit.content.reports.sections.components import WORTH_NOTE, cards_changed

from simkit import cli
from simkit.ask import execution
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.page.words.commands import fresh_command, lineups
from simkit.runs import experiment, narrate, runner
from simkit.runs.folder import open_run
from simkit.runs.play import seating
from simkit.stats.comparisons import holm_level
from simkit.stats.quantiles import normal
from simkit.tables.findings import Findings
from simkit.tables.own_tables import changes


def simkit(*words):
    with pytest.raises(SystemExit) as done:
        cli.main(list(words))
    return done.value.code


@pytest.fixture
def mine(tmp_path, capsys):
    """The printed cards of Outpost Seven, one changed and one removed."""
    assert simkit("cards", "outpost_seven") == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[12] == "blue,5,A.R.." and rows[19] == "green,3,A.."
    path = tmp_path / "mine.csv"
    path.write_text("\n".join([*rows[:12], "blue,5,AAR..", *rows[13:19], *rows[20:], ""]))
    return path


def own(path, folder, **keys):
    request = {
        "question": "?", "game": "outpost_seven", "deals": 8, "lineups": ["random*2"],
        "sweep": {"files.cards, start_total_second": [["printed", 16], [str(path), 16], [str(path), 20]]},
        "baseline": {"files.cards": "printed", "start_total_second": 16},
    } | keys  # fmt: skip
    return open_run(runner.run(experiment.parse(request), folder))


TABLES = [(of, table) for of, definition in registry.games().items() for table in definition.components.files]


def test_all_five_games_have_tables_that_a_file_can_replace():
    assert {of for of, _ in TABLES} == {
        "outpost_seven", "red_outpost", "outpost", "lunar_outpost", "exoplanet_colony"
    }  # fmt: skip


@pytest.mark.parametrize(("game", "table"), TABLES)
def test_a_printed_table_that_is_printed_and_read_again_is_the_same_rules(game, table, tmp_path, capsys):
    assert simkit("cards", game, table) == 0
    path = tmp_path / "table.csv"
    path.write_text(capsys.readouterr().out)
    of = registry.game(game)
    read = {table: of.components.files[table].read(path)}
    assert of.rules({}, read).tobytes() == of.rules({}).tobytes()


def test_without_a_table_the_first_is_printed_and_the_others_are_named(capsys):
    assert simkit("cards", "lunar_outpost") == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("building,cost,defence,vp,tokens,storage\ndome,4,3,3,3,2\n")
    assert printed.err == "This is buildings; other tables: events\n"


def test_cards_prints_the_set_that_is_asked_for(capsys):
    assert simkit("cards", "outpost_seven", "--set", "card_set=no_bonus") == 0
    assert "blue,3,..." in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("form", [str, str.capitalize], ids=["the same", "a capital"])
def test_two_files_of_one_name_are_refused(mine, tmp_path, form):
    """Capitals do not count, since Windows and macOS take such names for one."""
    other = tmp_path / "other" / form(mine.name)
    other.parent.mkdir()
    other.write_text(mine.read_text())
    with pytest.raises(UsageError, match="have one name; rename one of them"):
        own(mine, tmp_path / "run", sweep={"files.cards": [str(mine), str(other)]}, baseline={})


def test_cells_play_with_their_own_files_and_the_run_keeps_copies(mine, tmp_path):
    run = own(mine, tmp_path / "run")
    assert [cell.varied["files.cards"] for cell in run.cells] == ["printed", "mine.csv", "mine.csv"]
    assert [cell.options for cell in run.cells] == [{"start_total_second": n} for n in (16, 16, 20)]
    stored = run.folder / "files" / "cards" / "mine.csv"
    assert stored.read_text() == mine.read_text()
    mine.unlink()  # the run needs it no more
    of = registry.game("outpost_seven")
    cards = of.components.files["cards"].read(stored)
    for cell, files in zip(run.cells, ({}, {"cards": cards}, {"cards": cards}), strict=True):
        assert seating(run.experiment, cell).table.rules.tobytes() == of.rules(cell.options, files).tobytes()
    for play in (0, 9, 17):
        assert list(narrate.replay(run, play))
    assert run.games().select("files.cards").collect().to_series().to_list() == [
        name for name in ("printed", "mine.csv", "mine.csv") for _ in range(8)
    ]


def test_own_cards_without_a_rule_set_are_compared_with_the_printed_ones(mine, tmp_path, capsys):
    words = ["--cards", str(mine), "--deals", "2", "--lineup", "random*2", "-o", str(tmp_path / "run")]
    assert simkit("compare", "outpost_seven", *words) == 0
    run = open_run(tmp_path / "run")
    assert [cell.varied for cell in run.cells] == [{"files.cards": "printed"}, {"files.cards": "mine.csv"}]
    assert [cell.baseline for cell in run.cells] == [True, False]


def test_other_contents_of_a_file_are_another_run(mine, tmp_path):
    own(mine, tmp_path / "run")
    mine.write_text(mine.read_text().replace("AAR..", "AAA.."))
    with pytest.raises(UsageError, match="other contents of the designer's file for files.cards: mine.csv"):
        own(mine, tmp_path / "run")


def test_a_page_tells_what_changed_card_by_card(mine, tmp_path):
    findings = Findings(own(mine, tmp_path / "run"))
    rows = findings.table_changes.rows(named=True)
    assert [(row["kind"], row["row"], row["was"], row["now"], row["cells"]) for row in rows] == [
        ("changed", 12, "blue 5 A.R..", "blue 5 AAR..", "spaces: A.R.. → AAR.."),
        ("removed", 19, "green 3 A..", "", ""),
    ]
    section = cards_changed(findings)
    (listed,) = section.tables
    assert json.loads(json.dumps(listed.records()))[0]["now"] == "blue 5 AAR.."


def test_a_run_without_own_files_has_nothing_of_the_kind(tmp_path):
    request = {"question": "?", "game": "pig", "deals": 3, "lineups": ["random*2"]}
    findings = Findings(open_run(runner.run(experiment.parse(request), tmp_path / "run")))
    assert findings.table_changes.is_empty() and cards_changed(findings) is None


def test_changes_row_by_row():
    old = [["name", "cost"], ["mill", "3"], ["mine", "4"], ["dock", "5"]]
    new = [["name", "cost"], ["mill", "2"], ["mine", "4"], ["dock", "5"], ["farm", "1"]]
    assert [(first["row"], first["kind"], first["cells"]) for first in changes(old, new)] == [
        (1, "changed", "cost: 3 → 2"),
        (4, "added", ""),
    ]
    assert not list(changes(old, old))


def test_which_cards_became_stronger_is_their_worth_now_less_before(mine, tmp_path):
    findings = Findings(own(mine, tmp_path / "run", deals=80, trace=80))
    table, half = findings.stronger_pieces, 1.959964
    assert table["cell"].unique().sort().to_list() == [1, 2] and table["change"].drop_nulls().len()
    was, now = ({row["piece"]: row for row in findings.only([i]).pieces.rows(named=True)} for i in (0, 1))
    rows = {row["piece"]: row for row in table.filter(cell=1).rows(named=True)}
    renamed = {name: row["was"] for name, row in rows.items() if name not in was}
    assert set(rows) == set(now) and renamed == {"blue 5 AAR..": "blue 5 A.R.."}
    wide = normal(holm_level(table.filter(cell=1)["p_adjusted"].drop_nulls()))
    for piece, row in rows.items():
        old, new = was[row["was"]], now[piece]
        assert (row["before"], row["now"]) == (old["difference"], new["difference"])
        if row["change"] is None:
            assert row["why"] == "too rare" and None in (row["before"], row["now"])
            continue
        assert row["change"] == pytest.approx(row["now"] - row["before"])
        widths = [first["difference_high"] - first["difference_low"] for first in (old, new)]
        error = (widths[0] ** 2 + widths[1] ** 2) ** 0.5 / (2 * half)
        assert row["change_high"] - row["change"] == pytest.approx(wide * error, rel=1e-5)
    section = cards_changed(findings)
    assert section.text == [WORTH_NOTE]
    assert [shown.caption for shown in section.tables] == ["Row by row"]  # no change is beyond luck


def test_without_a_trace_a_page_says_how_to_see_which_cards_became_stronger(mine, tmp_path):
    run = own(mine, tmp_path / "run")
    (story,) = cards_changed(Findings(run)).stories
    command = f"simkit run {run.folder}/experiment.toml --trace 1000 -o {run.folder}-traced"
    assert story.command == command and "became stronger" in story.title


def test_a_command_that_plays_a_cell_again_names_the_file_that_the_run_keeps(mine, tmp_path):
    run = own(mine, tmp_path / "run")
    command = fresh_command(run, 2, lineups(run))
    assert f"files.cards={run.folder}/files/cards/mine.csv start_total_second=20" in command


@pytest.mark.parametrize(
    "words",
    [
        "match outpost_seven hoarder random",
        "equilibrium outpost_seven --strategies hoarder,random",
        "sweep outpost_seven start_total_second=16",
    ],
)
def test_what_was_read_from_files_is_told_once(mine, words, monkeypatch, capsys):
    def stop(*_):
        raise UsageError("stopped before play")

    monkeypatch.setattr(execution, "_with_folder", stop)
    assert simkit(*words.split(), "--cards", str(mine)) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2 and lines[1] == "simkit: stopped before play"

"""The lock and gate commands: tables, reports for machines, exit codes."""

import json
import signal
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from simkit import __main__, cli
from simkit.ask import claims as words
from simkit.ask import lock_file as locks
from simkit.ask.gate import Gated
from simkit.cli import main
from simkit.cli.gated import format_gate_results
from simkit.errors import UsageError

EXAMPLE = Path(__file__).parents[1] / "runs" / "example.lock"


def simkit(*texts: object) -> Result:
    return CliRunner().invoke(cli.cli, list(map(str, texts)))


@pytest.fixture
def gated() -> Gated:
    lock = locks.read(EXAMPLE)
    unknown = lock.history[0].results[0].model_copy(update={"claim": "a | b 1 to 2"})
    return Gated(EXAMPLE, lock, [*lock.tests, *lock.history[1].results[1:], unknown], 12_000)


def test_rows_name_the_accepted_value_the_present_one_the_change_and_the_verdict(gated: Gated) -> None:
    first, second, worth, unknown = words.rows(gated.before, gated.results)
    assert first == {
        "claim": "first player wins 48 to 52 with reference_greedy",
        "accepted": "49.9 (48.2 to 51.6)",
        "now": "54.2 (52.4 to 56.0)",
        "change": "+4.2 (+3.1 to +5.3)",
        "games": 8000,
        "verdict": "BROKEN",
    }
    assert second["verdict"] == "CHANGED BUT HOLDS"
    assert (worth["now"], worth["change"]) == ("3.1 (1.5 to 4.6, Reactor)", "-")
    assert (unknown["accepted"], unknown["verdict"]) == ("-", "NOT KNOWN YET (about 6,000 more games)")


def test_an_interval_outside_the_range_that_the_level_of_the_test_does_not_confirm_is_explained(
    gated: Gated,
) -> None:
    """The printed interval is that of 95 %."""
    (broken, *_) = gated.results
    changes = {"verdict": "NOT KNOWN YET", "test_low": 51.0, "level": 3.2e-5, "further": 4_000}
    (row,) = words.rows(gated.before, [broken.model_copy(update=changes)])
    why = "outside at 5 %, not yet at the 0.0032 % that the error budget leaves; about 4,000 more games"
    assert row["verdict"] == f"NOT KNOWN YET ({why})"


def test_the_sentence_names_what_is_broken_and_the_next_step_what_to_do(gated: Gated) -> None:
    claim = "first player wins 48 to 52 with reference_greedy"
    assert str(gated) == f"1 of 4 claims broken: {claim}. 12,000 games played."
    assert words.next_step(gated.results, "b.lock", 20_000).endswith('simkit gate b.lock --accept "reason"')
    assert (
        words.sentence(gated.results[3:], 9)
        == "No claim is broken; 1 of 1 cannot be decided yet. 9 games played."
    )
    (unknown,) = gated.results[3:]
    update = {"games": 4_000, "deals": 2_000, "further": 18_000}  # that is 9,000 deals more
    twice = unknown.model_copy(update=update)
    assert "set deals = 11000" in words.next_step([twice], "b.lock", 2_000)
    close = twice.model_copy(update={"further": None})
    assert words.next_step([close], "b.lock", 2_000).startswith("Widen the claim in b.lock")
    assert words.sentence(gated.results[1:2], 1) == "The claim holds. 1 game played."
    assert words.next_step(gated.results[1:2], "b.lock", 20_000).startswith("Commit b.lock")


def test_in_junit_a_claim_is_a_test_case_and_a_broken_claim_a_failure(gated: Gated) -> None:
    suite = ElementTree.fromstring(format_gate_results(gated, "xml").encode())
    assert (suite.get("tests"), suite.get("failures")) == ("4", "1")
    assert [case.get("name") for case in suite] == [result.claim for result in gated.results]
    (failure,) = suite.iter("failure")
    assert "now 54.2 (52.4 to 56.0)" in (failure.text or "")


def test_markdown_has_a_row_for_every_claim_and_the_command(gated: Gated) -> None:
    text = format_gate_results(gated, "md")
    assert text.startswith("### Balance\n\n1 of 4 claims broken")
    assert sum(line.startswith("|") for line in text.splitlines()) == 6
    assert "a \\| b 1 to 2" in text


@pytest.mark.slow
def test_a_broken_claim_ends_with_1_a_warning_with_0_and_a_missing_file_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        main(["gate"])
    assert "balance.lock: cannot be read: No such file or directory" in capsys.readouterr().err
    locked = simkit("lock", "pig", "--claim", "turns 10 to 40", "--deals", 1000)
    assert locked.exit_code == 0
    assert "The claim holds. 2,000 games played." in locked.stdout
    Path("balance.lock").write_text(
        Path("balance.lock").read_text().replace("turns 10 to 40", "turns 30 to 40")
    )
    gated = simkit("gate", "balance.lock", "--junit", "reports/j.xml", "--markdown", "m.md")
    assert gated.exit_code == 1
    assert "BROKEN" in gated.stdout
    assert Path("reports/j.xml").is_file() and Path("m.md").is_file()
    warned = simkit("gate", "--warn", "--json")
    assert warned.exit_code == 0
    document = json.loads(warned.stdout)
    assert (document["broken"], document["games"]) == (["turns 30 to 40"], 0)
    assert simkit("gate", "--accept", "longer").exit_code == 0
    with pytest.raises(SystemExit, match="2"):
        main(["gate", "--merge"])
    assert "there is no conflict in it" in capsys.readouterr().err


def test_what_a_gate_cannot_understand_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1 means that a claim is broken."""
    file, text = tmp_path / "b.lock", EXAMPLE.read_text()
    for content, options, problem in (
        (text, ["--accept", " "], "accept needs a reason"),
        (text.replace("[[tests]]", "[[tests]]\nwhy = 3", 1), [], "unknown key 'tests.0.why'"),
        (text.replace("turns 25 to 35", "turns 35 to 25", 1), [], "a range goes up"),
        (text.replace("seed = 1", "<<<<<<< a\nseed = 1\n=======\nseed = 2\n>>>>>>> b", 1), ["--merge"],
         "both sides changed the lines above the mark"),
    ):  # fmt: skip
        file.write_text(content)
        with pytest.raises(SystemExit) as end:
            main(["gate", str(file), *options])
        assert (end.value.code, file.read_text()) == (2, content)
        assert problem in capsys.readouterr().err
    monkeypatch.setattr("simkit.cli.main", lambda: 1 // 0)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    with pytest.raises(SystemExit, match="2"):
        __main__.main()
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_marks_of_a_conflict_that_git_has_forgotten_are_merged(tmp_path: Path) -> None:
    file = tmp_path / "b.lock"
    own, end = EXAMPLE.read_text().split("[budget]")
    budget, outcomes = end.split("[outcomes]")
    theirs = budget.replace("rejections = 1", "rejections = 0").replace("]", ', "12345678"]')
    text = f"{own}[budget]<<<<<<< HEAD{budget}=======\n{theirs}>>>>>>> other\n[outcomes]{outcomes}"
    file.write_text(text.replace("[budget]<", "[budget]\n<"))
    with pytest.raises(UsageError, match="--merge"):
        locks.read(file)
    assert simkit("gate", file, "--merge").exit_code == 0
    assert locks.read(file).budget.rejections == 0 and len(locks.read(file).budget.tests) == 8

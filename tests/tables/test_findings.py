"""Tables of a run by name, each worked out once."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from synthetic import made_run

from simkit.errors import UsageError
from simkit.tables.findings import Findings, all_findings, finding, open_findings


@pytest.fixture
def findings(tmp_path: Path) -> Findings:
    return Findings(made_run(tmp_path, [["a", "a"], ["b", "b"]], [0.5, 0.6], deals=30))


def test_a_finding_is_worked_out_once(findings: Findings) -> None:
    assert findings.seat_shares.height == 4
    assert findings.seat_shares is findings.seat_shares
    assert findings.only([1]).seat_shares["cell"].unique().to_list() == [1]
    assert findings.only([1]) is findings.only([1])


def test_all_findings_are_listed_with_what_they_say(findings: Findings) -> None:
    assert {"seat_shares", "lengths", "components", "only", "run"} <= set(dir(findings))
    assert all(function.__doc__ for function in all_findings().values())
    assert "seat_shares: Per cell and seat" in repr(findings)


def test_an_unknown_finding_given_by_name_names_the_nearest(findings: Findings) -> None:
    with pytest.raises(AttributeError, match="unknown finding 'length'; did you mean 'lengths'"):
        findings.to_pandas("length")


def test_two_findings_of_one_name_are_refused() -> None:
    def lengths(findings: Findings) -> pl.DataFrame:
        return findings.seat_shares

    with pytest.raises(TypeError, match=r"two findings are called lengths: in simkit\.tables\.length and "):
        finding(lengths)


def test_a_folder_that_is_no_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a run folder"):
        open_findings(tmp_path)


def test_every_finding_of_a_run_without_trace_or_strategies_is_a_table(findings: Findings) -> None:
    traced = {"lead_changes", "decided_at", "predictability", "runaway"}
    for name in set(all_findings()) - traced:
        assert isinstance(getattr(findings, name), pl.DataFrame), name


def test_comparisons_say_measure_seat_and_unit(tmp_path: Path) -> None:
    keys = {"sweep": {"goal": [1, 2]}, "baseline": {"goal": 1}}
    run = made_run(tmp_path, [["a", "a"]], [0.5, 0.6], deals=30, **keys)
    assert Findings(run).comparisons.select("measure", "seat", "unit").rows() == [
        ("share", 0, "share"),
        ("share", 1, "share"),
        ("fpa", 0, "share"),
        ("score", 0, "score"),
        ("score", 1, "score"),
        ("draw", None, "share"),
        ("turns", None, "turns"),
        ("decisions", None, "decisions"),
    ]


def test_some_cells_have_the_verdicts_of_the_whole_run(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "a"]], [0.5, 0.6, 0.4], deals=30, sweep={"goal": [1, 2, 3]})
    findings = Findings(run)
    some = findings.only([1, 2])
    assert (
        some.seat_shares["bar"][0]
        == findings.seat_shares["bar"][0]
        > Findings(run.only([1])).seat_shares["bar"][0]
    )
    values = findings.first_player_advantage.filter(pl.col("cell") > 0)["verdict"].to_list()
    assert some.first_player_advantage["verdict"].to_list() == values


@pytest.mark.parametrize("name", ["barracks_cost", "log_turns"])
def test_an_option_keeps_its_column_whatever_its_name(name: str, tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "a"]], [0.5, 0.6], deals=10, sweep={name: [1, 2]})
    assert Findings(run).first_player_advantage[name].to_list() == [1, 2]

"""What the equilibrium page decides and says of the first player, from literal rows."""

from pathlib import Path

import polars as pl
from simkit.content.reports.equilibrium import _equilibrium_step, deals_to_settle, equilibrium_stamp
from simkit.content.reports.sections.best_choices import open_words
from synthetic import made_run

from simkit.page.words.verdicts import KEEP
from simkit.tables.findings import Findings, all_findings


def test_the_interval_of_the_value_decides_an_equilibrium() -> None:
    row = {"setting": "goal = 50", "fair": 0.5, "share": 0.5, "low": 0.49, "high": 0.51, "deals": 800}
    assert (equilibrium_stamp([row], 0.02).text) == "Keep it"
    assert (
        equilibrium_stamp([row | {"share": 0.53, "high": 0.56, "low": 0.5}], 0.02).text
    ) == "Not known yet (play up to 6,400 more games each)"
    assert (
        equilibrium_stamp([row, row | {"setting": "goal = 60", "share": 0.6, "low": 0.58}], 0.02).text
    ) == "Use goal = 50"


def test_a_player_surely_ahead_by_an_open_amount_is_said_to_be() -> None:
    assert (open_words([{"fair": 0.5, "share": 0.57, "low": 0.504, "high": 0.638}], 0.02)) == [
        "The first player is surely ahead, but not surely by more than 2 percentage points."
    ]


def test_the_deals_that_settle_are_those_of_the_setting_that_is_open() -> None:
    """After 3,000 deals a page advised to play on to 170: those of the baseline, far from fair."""
    base = {"setting": "goal = 50", "fair": 0.5, "share": 0.61, "low": 0.59, "high": 0.63, "deals": 3000}
    near = base | {"setting": "goal = 60", "share": 0.53, "low": 0.5, "high": 0.56}
    assert equilibrium_stamp([base, near], 0.02).kind == "open"
    assert deals_to_settle([base, near], 0.02) == 27_000


def test_the_next_step_is_about_the_setting_nearest_to_fair(tmp_path: Path) -> None:
    """Of several settings the step was that of the baseline, or of the usual rules."""
    keys = {"sweep": {"second": [12, 20]}, "baseline": {"second": 12}}
    findings = Findings(made_run(tmp_path, [["a", "a"]], [0.6, 0.5], **keys))
    rows = [
        {"setting": f"second = {second}", "share": share, "fair": 0.5}
        for second, share in ((12, 0.6), (20, 0.5))
    ]
    findings._cache[all_findings()["equilibrium"]] = pl.DataFrame(rows)
    step = _equilibrium_step(findings, KEEP)
    assert step.command == "simkit ladder made --set second=20 --seats 2"

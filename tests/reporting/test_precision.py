"""Whole percents where they say enough; a digit more where they would hide what a verdict rests upon."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from made_report import behind
from synthetic import made_run

from simkit.analysis import Findings
from simkit.engine import registry
from simkit.reporting.text.precision import Judged, whole_hides
from simkit.reporting.text.rules import rules_answer
from simkit.stats.verdicts import BORDERLINE, FAIR, NOT_SETTLED, UNFAIR


@pytest.mark.parametrize(
    ("every", "hidden"),
    [
        ([(0.518, 0.5, FAIR), (0.522, 0.5, BORDERLINE)], True),
        ([(0.518, 0.5, FAIR), (0.516, 0.5, FAIR)], False),
        ([(0.51, 0.5, FAIR), (0.53, 0.5, UNFAIR)], False),
        ([(0.524, 0.5, UNFAIR)], True),
        ([(0.476, 0.5, UNFAIR)], True),
        ([(0.53, 0.5, UNFAIR)], False),
        ([(0.478, 0.5, NOT_SETTLED), (0.481, 0.5, FAIR)], False),
        ([(0.478, 0.5, BORDERLINE)], False),
        ([(0.52, 0.5, FAIR), (0.52, 0.25, UNFAIR)], False),
    ],
)
def test_a_digit_more_where_whole_percents_hide_a_verdict(
    every: list[tuple[float, float, str]], hidden: bool
) -> None:
    assert whole_hides([Judged(*first) for first in every], 0.02) is hidden


def test_rule_sets_of_one_whole_percent_and_two_verdicts_are_told_apart(tmp_path: Path) -> None:
    """Shares of 52 and of 52 of 100, of which one is FAIR and one BORDERLINE."""
    rules = {"sweep": {"second": [12, 14]}, "baseline": {"second": 12}, "deals": 30_000, "margin": 0.03}
    run = made_run(tmp_path, [["a", "a"]], [0.471, 0.463], **rules)
    findings = Findings(run)
    shares = findings.first_player_advantage["share"].to_list()
    kinds = findings.first_player_advantage["verdict"].to_list()
    assert len({round(100 * share) for share in shares}) == 1 and len(set(kinds)) == 2
    sentence = rules_answer(findings).headline
    assert re.findall(r"\d+\.\d", sentence) == [f"{100 * share:.1f}" for share in reversed(shares)]
    for recipe in ("compare", "balance"):
        glance = behind(registry.recipe(recipe).build(run))
        assert glance and {f"{100 * share:.1f} %" for share in shares} <= {
            text for row in glance.rows for text in row
        }


def test_shares_far_from_the_margin_stay_whole_in_the_answer(tmp_path: Path) -> None:
    rules = {"sweep": {"second": [12, 14]}, "baseline": {"second": 12}, "deals": 2000}
    answer = rules_answer(Findings(made_run(tmp_path, [["a", "a"]], [0.75, 0.6], **rules)))
    assert not re.search(r"\d\.\d", answer.headline)

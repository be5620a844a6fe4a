"""Findings with the ladder of a run, made up for tests."""

from __future__ import annotations

from collections.abc import Collection

import polars as pl

from simkit.tables.findings import Findings, all_findings

FAMILIES = ("scripted", "search")


def with_ladder(findings: Findings, shares: dict[str, float], unfair: Collection[str] = ()) -> Findings:
    """Findings with a ladder of two rungs, s0 and s1, that win so many games first, by a margin of 5 points.

    shares: by setting; unfair: the settings with the verdict UNFAIR, the others are NOT SETTLED.
    """
    answers = [
        {"rung": rung, "strategy": f"s{rung}", "searches": rung > 0, "family": family, "setting": setting}
        | {"seat": 0, "fair": 0.5, "share": share, "low": share - 0.02, "high": share + 0.02, "deals": 2401}
        | {"ever_low": share - 0.03, "ever_high": share + 0.03, "near": abs(share - 0.5) < 0.045}
        | {"verdict": "UNFAIR" if setting in unfair else "NOT SETTLED"}
        for setting, share in shares.items()
        for rung, family in enumerate(FAMILIES)
    ]
    fair = {"option": "second", "fair": 14.5, "fair_low": 14.0, "fair_high": 15.0}
    rungs = [
        {"rung": rung, "strategy": f"s{rung}", "family": kind} | fair for rung, kind in enumerate(FAMILIES)
    ]
    findings._cache[all_findings()["rungs"]] = pl.DataFrame(rungs)
    findings._cache[all_findings()["rung_answers"]] = pl.DataFrame(answers)
    return findings

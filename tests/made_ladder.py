"""Findings with the ladder of a run, made up for tests."""

from __future__ import annotations

import polars as pl

from simkit.tables.findings import Findings, all_findings


def with_ladder(findings: Findings, shares: dict[str, float], families: str = "scripted search") -> Findings:
    """Findings with a ladder whose rungs win so many games first, ±2 points, by a margin of 5 points."""
    rows = [
        {
            "rung": rung,
            "strategy": f"s{rung}",
            "searches": rung > 0,
            "family": family,
            "setting": setting,
            "seat": 0,
            "fair": 0.5,
        }
        | {"share": share, "low": share - 0.02, "high": share + 0.02, "verdict": "NOT SETTLED", "deals": 2401}
        | {"ever_low": share - 0.03, "ever_high": share + 0.03, "near": abs(share - 0.5) < 0.045}
        for setting, share in shares.items()
        for rung, family in enumerate(families.split())
    ]
    rungs = [
        {"rung": place, "strategy": f"s{place}", "family": kind}
        for place, kind in enumerate(families.split())
    ]
    fair = {"option": "second", "fair": 14.5, "fair_low": 14.0, "fair_high": 15.0}
    findings._cache[all_findings()["rungs"]] = pl.DataFrame([rung | fair for rung in rungs])
    findings._cache[all_findings()["rung_answers"]] = pl.DataFrame(rows)
    return findings

"""Checks of ablation studies: planted effects of components are estimated correctly and covered."""

from collections.abc import Iterator
from itertools import groupby

import numpy as np
from scipy import special

from simkit.analysis import Findings
from simkit.analysis.ablation import block_sums, parts_of, thrown
from simkit.engine.game import Planted
from simkit.engine.strategy import parse_lineup
from simkit.stats.coins import main_effects
from simkit.verify.validate.cells import ALLOWANCE, LEVEL, MIN_RUNS
from simkit.verify.validate.result import ROUNDING, Result, Subject, measured, rate
from simkit.verify.validate.runs import Question, Runs

MIN_DEALS, MAX_DEALS, TRACED = 2_000, 100_000, 20_000  # deals: fewest for this check; most; with owners
BLOCKS = 50  # of each small run whose intervals are checked
RATE = 0.5  # part of the deals in which each component is changed


def checks(runs: Runs) -> Iterator[Result]:
    """Yield the checks of every planted effect of a game, by way and lineup."""
    for (way, lineup), effects in groupby(runs.game.planted, lambda effect: (effect.way, effect.lineup)):
        names = [str(named) for named in parse_lineup(lineup)]
        keys = {"ablate": {"how": way, "rate": RATE}, "trace": min(TRACED, runs.plays)}
        question = Question(runs.game.name, [names], {}, [], keys)
        run = runs.play(question, runs.seed, min(MAX_DEALS, runs.plays))
        findings, subject = Findings(run), Subject(runs.game.name, f"{way}, {lineup}")
        for planted in effects:
            yield _effect(findings, subject, planted)
            if planted.measure == "share":
                yield from _coverage(findings, subject, planted)


def _effect(findings: Findings, subject: Subject, planted: Planted) -> Result:
    """Check one effect against the table that reports it."""
    check = f"effect on {planted.measure} of changing {planted.component}"
    table = (
        findings.ablation_owners
        if planted.measure == "falls"
        else findings.ablation.filter(measure=planted.measure)
    )
    row = table.filter(component=planted.component).row(0, named=True)
    n = row["fell"] if planted.measure == "falls" else findings.run.cells[0].deals
    error = (row["high"] - row["low"]) / 2 / float(special.ndtri((1 + LEVEL) / 2))
    return measured(subject, check, planted.value, row["effect"], error if error > ROUNDING else 0.0, n)


def _coverage(findings: Findings, subject: Subject, planted: Planted) -> Iterator[Result]:
    """Check how often intervals of small runs, cut out of this one, cover the effect."""
    sums = block_sums(findings).sort("block")
    changed = thrown(findings.run, 0, sums["block"].to_numpy())
    outcome = (sums["share"] / sums["games"]).to_numpy()
    column, run_count = parts_of(findings.run, 0).index(planted.component), sums.height // BLOCKS
    if run_count < MIN_RUNS:
        return
    covered = []
    for number in range(run_count):
        part = slice(number * BLOCKS, (number + 1) * BLOCKS)
        effects = main_effects(changed[part], outcome[part], np.ones(BLOCKS))
        covered.append(effects.low[column] <= planted.value <= effects.high[column])
    text = f"95 % intervals of {BLOCKS} blocks that cover the effect on share of changing {planted.component}"
    yield rate(subject, text, LEVEL, np.array(covered), LEVEL, ALLOWANCE)

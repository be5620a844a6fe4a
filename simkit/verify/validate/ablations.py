"""Components that were changed by coins: effects that were planted are found, and intervals hold them."""

from collections.abc import Iterator
from itertools import groupby

import numpy as np
from scipy import special

from simkit.analysis import Findings
from simkit.analysis.ablation import block_sums, parts_of, thrown
from simkit.engine.game import Planted
from simkit.engine.strategy import parse_lineup
from simkit.stats.coins import main_effects
from simkit.verify.validate.cells import ALLOWANCE, FEWEST, LEVEL
from simkit.verify.validate.result import ROUNDING, Result, Subject, measured, rate
from simkit.verify.validate.runs import Question, Runs

LEAST, MOST_DEALS, TRACED = 2_000, 100_000, 20_000  # deals: fewer say too little; all; with owners
BLOCKS = 50  # of a small run whose intervals are looked at
RATE = 0.5  # part of the deals in which each component is changed


def checks(runs: Runs) -> Iterator[Result]:
    """Every planted effect of a game, by way and lineup."""
    for (way, lineup), some in groupby(runs.game.planted, lambda one: (one.way, one.lineup)):
        names = [str(named) for named in parse_lineup(lineup)]
        more = {"ablate": {"how": way, "rate": RATE}, "trace": min(TRACED, runs.plays)}
        question = Question(runs.game.name, [names], {}, [], more)
        run = runs.play(question, runs.seed, min(MOST_DEALS, runs.plays))
        found, of = Findings(run), Subject(runs.game.name, f"{way}, {lineup}")
        for planted in some:
            yield _effect(found, of, planted)
            if planted.measure == "share":
                yield from _coverage(found, of, planted)


def _effect(findings: Findings, of: Subject, planted: Planted) -> Result:
    """One effect, by the table that tells it."""
    said = f"effect on {planted.measure} of changing {planted.component}"
    table = (
        findings.ablation_owners
        if planted.measure == "falls"
        else findings.ablation.filter(measure=planted.measure)
    )
    row = table.filter(component=planted.component).row(0, named=True)
    n = row["fell"] if planted.measure == "falls" else findings.run.cells[0].deals
    error = (row["high"] - row["low"]) / 2 / float(special.ndtri((1 + LEVEL) / 2))
    return measured(of, said, planted.value, row["effect"], error if error > ROUNDING else 0.0, n)


def _coverage(findings: Findings, of: Subject, planted: Planted) -> Iterator[Result]:
    """How often intervals of small runs, cut out of this one, hold the effect."""
    sums = block_sums(findings).sort("block")
    known = thrown(findings.run, 0, sums["block"].to_numpy())
    outcome = (sums["share"] / sums["games"]).to_numpy()
    at, times = parts_of(findings.run, 0).index(planted.component), sums.height // BLOCKS
    if times < FEWEST:
        return
    held = []
    for place in range(times):
        part = slice(place * BLOCKS, (place + 1) * BLOCKS)
        effects = main_effects(known[part], outcome[part], np.ones(BLOCKS))
        held.append(effects.low[at] <= planted.value <= effects.high[at])
    said = f"95 % intervals of {BLOCKS} blocks that cover the effect on share of changing {planted.component}"
    yield rate(of, said, LEVEL, np.array(held), LEVEL, ALLOWANCE)

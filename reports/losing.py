"""The page of a team's defeats: how games are lost, and which rules make defeats fewer."""

from dataclasses import replace

import polars as pl

from simkit.page.columns import table
from simkit.page.document.parts import Section, Takeaway
from simkit.page.document.tables import Show
from simkit.page.pictures import looked_at, query
from simkit.page.words.labels import labels_of, over
from simkit.page.words.numbers import ends, number, whole, with_heading
from simkit.tables.findings import Findings, cells_to_look_at
from simkit.tables.length import losses

from .compare import deal_by_deal, rule_sets_answer
from .compare import recipe as compare
from .sections.answer import answer, next_steps
from .sections.changes import changes, helpful_rules
from .sections.luck import luck
from .sections.players import who
from .sections.seats import verdicts
from .sections.tension import endings

# Sentences: how the team loses, and which rules change its chances

MAX_RULES_NAMED = 4  # rules in a sentence


def how_lost(findings: Findings) -> str:
    """Return the most common end of lost games with its frequency over the lineups."""
    looked = losses(findings).filter(pl.col("cell").is_in(cells_to_look_at(findings.run)))
    lost = looked["cell"].unique(maintain_order=True).to_list()
    if not lost:
        return "No game is lost."
    by_reason = looked.group_by("end_reason").agg(pl.col("share").sum())
    reason = by_reason.sort("share", "end_reason", descending=[True, False])["end_reason"][0]
    shares = dict(looked.filter(end_reason=reason).select("cell", "share").iter_rows())
    each = [shares.get(cell, 0.0) for cell in lost]
    frequency = ends(whole(min(each)), whole(max(each)))
    return f"{frequency} of 100 lost games end by “{labels_of(findings).name(reason)}”{over(findings, lost)}."


def what_helps(findings: Findings) -> str:
    """Return the rules that change the team's wins beyond luck with every lineup, the strongest first."""
    effects = sorted(helpful_rules(findings), key=lambda row: -abs(row["difference"]))
    if not effects:
        return "Which rules change how often the team wins is not settled."
    texts = []
    for row in effects[:MAX_RULES_NAMED]:
        least, most = sorted((row["difference"], row["most"]))
        size = ends(number(100 * least, 0, sign=True), number(100 * most, 0, sign=True))
        texts.append(with_heading(labels_of(findings).at(row["setting"]), size))
    more = f"; and {len(effects) - len(texts)} more in the tables" if len(effects) > len(texts) else ""
    return f"Wins of 100 games more or less, beyond luck: {'; '.join(texts)}{more}."


# The brief


def defeats(findings: Findings) -> Section:
    """Return the brief about defeats; for a competitive game the answer about fairness."""
    usual = rule_sets_answer(findings) or answer(findings)
    if not losses(findings).width:
        return answer(findings)
    first = Takeaway(how_lost(findings), query(findings, "losses", "comparisons"), "answer")
    sure = [takeaway for takeaway in usual.takeaways if takeaway.kind == "sure"]
    takeaways = [first, Takeaway(what_helps(findings), kind="advice"), *sure]
    rows = looked_at(findings, losses(findings)).sort("cell", "share", descending=[False, True])
    heads = {"share": Show("of lost games", "{:.0%}")}
    glance = table(findings, rows, "lineup end_reason share games", "What ends lost games", **heads)
    return replace(usual, takeaways=takeaways, glance=glance, stamp=None, tiles=[], step=None)


recipe = replace(
    compare,
    title="how it is lost",
    brief=[defeats, next_steps],
    chapters={
        "How games end": [endings],
        "Rule by rule": [deal_by_deal],
        "What else changes": [changes],
        "Players and certainty": [verdicts, luck, who],
    },
    of_team={},
)

"""The page of a team's defeats: how games are lost, and which rules make defeats fewer."""

from dataclasses import replace

from simkit.page.columns import table
from simkit.page.document.parts import Section, Takeaway
from simkit.page.document.tables import Show
from simkit.page.pictures import looked_at, query
from simkit.page.words.changes import how_lost, what_helps
from simkit.tables.findings import Findings
from simkit.tables.length import losses

from .compare import deal_by_deal, rule_sets_answer
from .compare import recipe as compare
from .sections.answer import answer, next_steps
from .sections.changes import changes
from .sections.luck import luck
from .sections.players import who
from .sections.seats import verdicts
from .sections.tension import endings


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

"""The first screen about best choices: what the first player wins then, a picture of all pairings."""

from simkit.reporting.document import Table
from simkit.reporting.pages import Findings, Section, Show, Takeaway, query, table
from simkit.reporting.pages.pairings import pairings, values_along
from simkit.reporting.text.equilibrium import equilibrium_answer

WORDS = {
    "Best mix": "how often each strategy is to be chosen so that the other side, knowing these chances, can "
    "do least against it (a maximin strategy; both best mixes together are a Nash equilibrium).",
    "Value": "what the first player wins where both choose by their best mixes.",
}


def section(findings: Findings) -> Section | None:
    if not findings.equilibrium.width:
        return None
    told = equilibrium_answer(findings)
    said = [Takeaway(told.headline, query(findings, "equilibrium"), "answer")]
    said += [Takeaway(told.advice, query(findings, "equilibrium_mixes"), "advice")] if told.advice else []
    said += [Takeaway(one, kind="sure") for one in told.sure]
    picture = next(iter([*values_along(findings), *pairings(findings, "pairings")]))
    return Section(
        takeaways=said, picture=picture, glance=glance(findings), warnings=told.warnings, words=WORDS
    )


def glance(findings: Findings) -> Table:
    """The value of each setting."""
    heads = {"share": Show("first player wins", "{:.1%}", "if both choose best: the value")}
    heads |= {"mattered": Show("players that matter", "{}"), "strategies": Show("of", "{}")}
    names = ["setting"] * (findings.equilibrium.height > 1)
    listed = [*names, "share", "low", "high", "mattered", "strategies", "deals"]
    return table(findings, findings.equilibrium, listed, "The value", **heads)

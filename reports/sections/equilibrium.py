"""The brief about best choices: the first player's wins under them, and a picture of all pairings."""

from simkit.reporting.document import Table
from simkit.reporting.pages import Findings, Section, Show, Takeaway, query, table
from simkit.reporting.pages.pairings import pairings, values_along
from simkit.reporting.text.equilibrium import equilibrium_answer
from simkit.reporting.text.stamps import equilibrium_stamp

WORDS = {
    "Best mix": "how often each strategy is to be chosen so that the other side, knowing these chances, can "
    "do least against it (a maximin strategy; both best mixes together are a Nash equilibrium).",
    "Value": "what the first player wins where both choose by their best mixes.",
}


def section(findings: Findings) -> Section | None:
    """Return the brief, or None for a run without equilibria."""
    if not findings.equilibrium.width:
        return None
    summary = equilibrium_answer(findings)
    takeaways = [Takeaway(summary.headline, query(findings, "equilibrium"), "answer")]
    takeaways += (
        [Takeaway(summary.advice, query(findings, "equilibrium_mixes"), "advice")] if summary.advice else []
    )
    takeaways += [Takeaway(note, kind="sure") for note in summary.sure]
    picture = next(iter([*values_along(findings), *pairings(findings, "pairings")]))
    return Section(
        takeaways=takeaways,
        stamp=equilibrium_stamp(findings.equilibrium.rows(named=True), findings.run.experiment.margin),
        picture=picture,
        glance=glance(findings),
        warnings=summary.warnings,
        words=WORDS,
    )


def glance(findings: Findings) -> Table:
    """Return the value of each setting with its interval."""
    heads = {"share": Show("first player wins", "{:.1%}", "if both choose best: the value")}
    heads |= {"mattered": Show("players that matter", "{}"), "strategies": Show("of", "{}")}
    names = ["setting"] if findings.equilibrium.height > 1 else []
    listed = [*names, "share", "low", "high", "mattered", "strategies", "deals"]
    return table(findings, findings.equilibrium, listed, "The value", **heads)

"""The best whole numbers on fresh deals, with every lineup."""

from simkit.reporting.pages import Findings, Section, margin, prose, table
from simkit.reporting.text.fairness import checked_said
from simkit.reporting.text.perspective import side_of

TEXT = prose("""The best whole numbers were played again on deals of their own until there was a verdict, at
    most {deals:,} deals. The intervals hold at every look; the verdicts are at a margin of {margin}. A
    verdict tests one side at a time: the interval, which has two, may reach a little beyond the margin.""")


def section(findings: Findings) -> Section | None:
    """Return the shares and verdicts of the check, or None for a run that is no search for a fair value."""
    if not findings.fair_values.width:
        return None
    checked, side = findings.first_player_advantage, side_of(findings.run).name
    text = TEXT.format(deals=findings.run.experiment.deals, margin=margin(findings))
    options = " ".join(findings.run.search.vary)
    names = f"{options} lineup share low high verdict deals"
    listed = table(findings, checked, names, "On fresh deals", share=f"{side} wins")
    return Section(checked_said(findings), [text], tables=[listed])

"""The candidates on fresh deals: each whole number that a lineup would pick, with every lineup."""

from simkit.reporting.pages import Findings, Section, margin, prose, table
from simkit.reporting.text.fairness import checked_said
from simkit.reporting.text.perspective import side_of

TEXT = prose("""The best whole numbers were played again on deals of their own until there was a verdict, at
    most {deals:,} deals. The intervals hold at every look; the verdicts are at a margin of {margin}.""")


def section(found: Findings) -> Section | None:
    if not found.fair_values.width:
        return None
    checked, side = found.first_player_advantage, side_of(found.run).name
    text = TEXT.format(deals=found.run.experiment.deals, margin=margin(found))
    options = " ".join(found.run.search["vary"])
    names = f"{options} lineup share low high verdict deals"
    listed = table(found, checked, names, "On fresh deals", share=f"{side} wins")
    return Section(checked_said(found), [text], tables=[listed])

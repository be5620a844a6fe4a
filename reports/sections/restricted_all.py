"""What who goes without wins at every setting, as at every price."""

from simkit.pages import Findings, Section, table
from simkit.wording import counted

TEXT = "Intervals hold for all of those at one setting together."


def section(found: Findings) -> Section | None:
    rows = found.restricted
    if not rows.width:
        return None
    listed = table(found, rows, "cell strategy share low high result", "Who goes without")
    settled = rows.filter(rows["result"] != "not settled").height
    cases = counted(rows.height, "case")
    heading = f"Who goes without wins more or less beyond luck in {settled} of {cases}"
    return Section(heading, [TEXT], tables=[listed])

"""The measurements of a search for a fair value: every setting of every round, with its interval."""

from simkit.reporting.pages import Findings, Section, Show, prose, table
from simkit.reporting.pages.fitted import fitted

TEXT = prose("""First looks over the whole range are cheap; closer looks measure where the shares are near
    fair, each on deals of its own, at the values that those before it leave open. The shares of the closer
    looks are joined by straight lines: where these meet the fair share is the fair value. Its 95 % interval
    goes from the first to the last place at which the fair share lies within the band of the lines.""")
TEXT_OF_SEVERAL_OPTIONS = prose("""First looks over the ranges are cheap; closer looks measure near the
    setting at which all seats are equal, each on deals of its own. The log ratios of the shares are straight
    lines there; where all of them meet is the fair setting.""")


def section(findings: Findings) -> Section | None:
    """Return all measurements, or None for a run that is no search for a fair value."""
    rows = findings.fair_points
    if not rows.width:
        return None
    options = list(findings.run.search.vary)
    seat = "" if rows["seat"].n_unique() == 1 else " seat"
    names = f"look {' '.join(options)} lineup{seat} share low high deals"
    listed = table(findings, rows, names, "All that was measured before the check", look=Show("look", "{}"))
    text = TEXT if len(options) == 1 else TEXT_OF_SEVERAL_OPTIONS
    return Section("What was measured", [text], fitted(findings)[1:], [listed])

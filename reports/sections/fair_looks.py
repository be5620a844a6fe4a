"""The measurements of a search for a fair value: every setting of every round, with its interval."""

from simkit.reporting.pages import Findings, Section, Show, prose, table

from .fair_value import fair_figures

FAIR_LOOKS_TEXT = prose("""First looks over the whole range are cheap; closer looks measure where the shares
    are near fair, each on deals of its own. The shares (with several options their log ratios) are joined by
    straight lines: where these meet the fair share is the fair value. Its 95 % interval goes from the first
    to the last place at which the fair share lies within the band of the lines.""")


def fair_looks(findings: Findings) -> Section:
    """Return all measurements."""
    rows = findings.fair_points
    seat = "" if rows["seat"].n_unique() == 1 else " seat"
    names = f"look {' '.join(findings.run.search.vary)} lineup{seat} share low high deals"
    listed = table(findings, rows, names, "All that was measured before the check", look=Show("look", "{}"))
    return Section("What was measured", [FAIR_LOOKS_TEXT], fair_figures(findings)[1:], [listed])

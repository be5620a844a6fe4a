"""The check of the settings nearest to fair on fresh deals, with every lineup."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, margin, prose, table
from simkit.reporting.text.confirmed import recommended_settings
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import beyond_two, side_of

CONFIRMATION_TEXT = prose("""What was picked because it looked best looks better than it is. The settings
    nearest to fair were therefore played again, on deals of their own, until there was a verdict at a margin
    of {margin}. Shares are corrected for the bias of stopping. The intervals hold at every look.""")


def confirmed_settings(findings: Findings) -> Section | None:
    """Return the shares and verdicts on fresh deals, or None for a run without a check."""
    if not findings.confirmed.width:
        return None
    good, side = recommended_settings(findings), side_of(findings.run)
    right = "on target" if findings.run.team else "fair"
    heading = f"No setting is known to be {right} on fresh deals"
    if good:
        cases = findings.confirmed.filter(pl.col("setting").is_in(good))
        right = right if set(cases["verdict"]) == {side.verdicts[0]} else f"near {side.aim}"
        stay = "stays" if len(good) == 1 else "stay"
        heading = f"On fresh deals {labels_of(findings).settings(good, 'and')} {stay} {right}"
    heads = {"share": Show(f"{side.name} wins", "{:.1%}")}
    heads |= {"more_games": Show("further games", "{:,}", "that would roughly settle it")}
    farthest = "farthest_share " if beyond_two(findings) else ""
    columns = f"setting lineup share low high {farthest}verdict games more_games"
    listed = table(findings, findings.confirmed, columns, "Nearest to fair, on fresh deals", **heads)
    return Section(heading, [CONFIRMATION_TEXT.format(margin=margin(findings))], tables=[listed])

"""The strength and cost of each rung, and where its shares are fair."""

from simkit.reporting.pages import Findings, Section, Show, labels_of, table


def rungs(findings: Findings) -> Section:
    """Return a row per rung."""
    rows = findings.rungs
    shows = {"strategy": Show("rung", "{}"), "rival": Show("met", "{}", "the rung below, in all other seats")}
    shows |= {"share": Show("wins", "{:.1%}", "against it"), "elo": Show("Elo", "{:.0f}", "above the lowest")}
    shows["milliseconds"] = Show("µs per decision", lambda time: f"{1000 * time:,.2f}", "processor time")
    shows |= {"agreement": Show("decides like the highest", "{:.0%}", "in positions of its games")}
    strength = "" if findings.run.team else "rival share share_low share_high elo elo_low elo_high"
    names = f"strategy {strength} milliseconds agreement"
    if option := rows["option"].drop_nulls().unique().to_list():
        label = f"first player's share is fair at {labels_of(findings).option(option[0])}"
        shows["fair"] = Show(label, "{:.1f}", "an empty end lies beyond the values tried")
        names += " fair fair_low fair_high"
    listed = table(findings, rows, names, "The rungs, the lowest first", **shows)
    return Section("How strong each rung is", tables=[listed])

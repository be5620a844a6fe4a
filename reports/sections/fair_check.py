"""The best whole numbers on fresh deals, with every lineup or, of three and more seats, with every seat."""

from simkit.reporting.pages import Figure, Findings, Section, Show, charts, figure, margin, prose, table
from simkit.reporting.pages.columns import points
from simkit.reporting.text.fairness import best_of_all, of_each_seat
from simkit.reporting.text.perspective import beyond_two, side_of

FAIR_CHECK_TEXT = prose("""The best whole numbers were played again on deals of their own until there was a
    verdict, at most {deals:,} deals. The intervals hold at every look; the verdicts are at a margin of
    {margin}.""")


def fair_check(findings: Findings) -> Section:
    """Return the shares of the check."""
    text = FAIR_CHECK_TEXT.format(deals=findings.run.experiment.deals, margin=margin(findings))
    rows, figures = findings.first_player_advantage, list[Figure]()
    names = f"{' '.join(findings.run.search.vary)} lineup share low high verdict deals"
    heads: dict[str, str | Show] = {"share": f"{side_of(findings.run).name} wins"}
    if beyond_two(findings):
        rows, names = of_each_seat(findings), "lineup seat share joint_low joint_high fair off n"
        less = "share less the fair share, in percentage points"
        heads = {"off": Show("above or below fair", points, less)}
        parts = {"label": "lineup", "kind": "seat", "low": "joint_low", "high": "joint_high"}
        alt = f"How often each player wins at {best_of_all(findings).setting}, with 95 % intervals"
        figures = [figure(findings, ("fair_seats", charts.forest), rows, alt, "", parts, style_by="seat")]
    return Section("The check", [text], figures, [table(findings, rows, names, "On fresh deals", **heads)])

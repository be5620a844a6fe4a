"""The verdict of each case, the strength of its evidence and the gap between the seats."""

from simkit.reporting.pages import Findings, Section, looked_at, table
from simkit.reporting.text.confidence import grounds
from simkit.reporting.text.perspective import TEAM, side_of, verdict_scale
from simkit.reporting.text.verdict_counts import with_not_equal

VERDICTS_WORDS = {
    "Evidence (e-value)": "how strongly the games speak for the verdict: what a bet against it would have "
    "multiplied its stake by. A single case is settled at 20 (5 % error); where there are many cases, the "
    "bar rises with their number.",
    "Surely from": "such an interval is wider than the ordinary one, since it holds however often one looks "
    "and whenever one stops. It never contradicts the verdict, which rests on the same tests.",
    "Gap of seats": "share of the most favoured seat less that of the least favoured, corrected for luck: "
    "by luck alone the shares of a fair game differ a little too.",
    "Elo": "difference in winning chances on the scale of chess ratings: +35 is about 55 %, +70 about 60 %, "
    "+191 is 75 %.",
}


def verdicts(findings: Findings) -> Section | None:
    """Return verdicts, evidence and gaps at the setting in view; None for a team without a target."""
    if not findings.run.judged:
        return None
    side, rows = side_of(findings.run), looked_at(findings, findings.first_player_advantage)
    rows = with_not_equal(rows, findings.run.team)
    heads = {"share": f"{side.name} wins", "p_adjusted": "p, if seats are equal"}
    names = "cell share ever_low ever_high verdict e_value"
    text = [f"{verdict_scale(findings.run)}.", grounds(findings.run)]
    if side == TEAM:
        names += " fair n"
    else:
        gaps = findings.seat_spread.select("cell", "gap", "gap_low", "gap_high", "p_adjusted")
        rows = rows.join(gaps, on="cell", maintain_order="left")
        names += " farthest farthest_share gap"
        names += " n" if findings.run.experiment.adaptive else " gap_low gap_high p_adjusted n"
    listed = table(findings, rows, names, "Verdicts", **heads)
    return Section("Verdicts and their evidence", text, tables=[listed], words=VERDICTS_WORDS)

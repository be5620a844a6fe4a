"""The verdict of each case, the strength of its evidence and the gap between the seats."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Table, labels_of, looked_at, prose, table
from simkit.reporting.text.perspective import TEAM, side_of, verdict_scale
from simkit.reporting.text.phrases import with_needed

WORDS = {
    "Evidence (e-value)": "how strongly the games speak for the verdict: what a bet against it would have "
    "multiplied its stake by. A single case is settled at 20 (5 % error); where there are many cases, the "
    "bar rises with their number.",
    "At any look": "such an interval is wider than the ordinary one, since it holds however often one looks "
    "and whenever one stops.",
    "Gap of seats": "share of the most favoured seat less that of the least favoured, corrected for luck: "
    "by luck alone the shares of a fair game differ a little too.",
    "Elo": "difference in winning chances on the scale of chess ratings: +35 is about 55 %, +70 about 60 %, "
    "+191 is 75 %.",
}
READING = prose("""Of many cases some would look unfair by luck alone. So a verdict is stricter than an
    interval: it holds for all cases together, at every analysis, and a case may be NOT SETTLED though its
    interval lies beyond the margin. “Not equal” says as surely that the seats differ, by however little. The
    gap between the most and the least favoured player is corrected for what luck alone adds, so that a fair
    game shows about 0.""")


def section(findings: Findings) -> Section | None:
    """Return verdicts, evidence and gaps."""
    if not findings.run.judged:
        return None
    if findings.run.team:
        return _of_team(findings)
    gaps = findings.seat_spread.select("cell", "gap", "gap_low", "gap_high", "p_adjusted")
    rows = findings.first_player_advantage.join(gaps, on="cell", maintain_order="left")
    text = [f"{verdict_scale(findings.run)}.", READING]
    heading = _counted(rows, side_of(findings.run).verdicts)
    return Section(heading, text, tables=[_table(findings, rows)], words=WORDS)


def _of_team(findings: Findings) -> Section:
    """Return the team's share and verdict against the target, case by case."""
    rows = findings.first_player_advantage
    names = "cell verdict e_value share ever_low ever_high fair n"
    heads = {"share": "team wins", "ever_low": "at any look from", "fair": "target"}
    listed = table(findings, rows, names, "Verdicts", **heads)
    words = {name: WORDS[name] for name in ("Evidence (e-value)", "At any look")}
    return Section(
        _counted(rows, TEAM.verdicts), [f"{verdict_scale(findings.run)}."], tables=[listed], words=words
    )


def _counted(rows: pl.DataFrame, verdicts: tuple[str, ...]) -> str:
    if rows.height == 1:
        return f"The verdict: {with_needed(rows['verdict'][0], rows['needed'][0])}"
    counts = {kind: rows.filter(verdict=kind).height for kind in verdicts}
    kinds = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    return f"Verdicts on {rows.height} cases: {kinds}"


def _table(findings: Findings, rows: pl.DataFrame) -> Table:
    more_seats = max(rows["seats"]) > 2
    share = "farthest farthest_share" if more_seats else "share"
    intervals = (
        "" if findings.run.experiment.adaptive else f"gap_low gap_high{' p_adjusted' if more_seats else ''}"
    )
    names = f"verdict e_value unequal {share} gap {intervals}"
    heads = {"share": "first player", "p_adjusted": "p, if seats are equal"}
    shown = looked_at(findings, rows)
    if shown.height == rows.height:
        return table(findings, rows, f"cell {names} n", "Verdicts", **heads)
    setting = labels_of(findings).at(shown["setting"][0])
    return table(findings, shown, f"lineup {names}", f"Verdicts at {setting}", **heads)

"""Wins of each strategy, against the share that all would have if equally strong."""

from simkit.reporting.pages import Findings, Section, at_setting, labels_of, prose, table
from simkit.reporting.pages.strengths import order, ranking_figures
from simkit.reporting.text.groups import looked_place
from simkit.reporting.text.meetings import DIFFERENT, met_at
from simkit.reporting.text.phrases import Row, games_of_100

TEXT = prose("""How often each plan wins, over all lineups in which it met another, each lineup counting
    alike. Intervals that overlap do not settle an order.""")


def section(findings: Findings) -> Section:
    """Return the ranking over all lineups in which a strategy met another."""
    ranked = at_setting(findings, findings.ranking)
    all_met = met_at(at_setting(findings, findings.meetings), ranked["seats"][0]).everybody
    rows = ranked.filter(seats=ranked["seats"][0])
    heading = "How often each plan wins against those that it met"
    if all_met:
        heading = _weakest(findings, rows.row(0, named=True), rows.row(-1, named=True))
    drawn = ranking_figures(findings)
    figures = [
        picture for picture in drawn[0 if len(order(findings)) > 2 else 1 :] if ranked["seats"].n_unique() > 1
    ]
    names = "where strategy opponents share low high n"
    listed = table(findings, findings.ranking, names, "Ranking")
    heading += looked_place(findings, ranked)
    return Section(heading, [TEXT if all_met else f"{TEXT} {DIFFERENT}"], figures, [listed])


def _weakest(findings: Findings, best: Row, last: Row) -> str:
    if last["high"] >= best["low"]:
        return "Which plan wins most is not settled"
    won = games_of_100(last["share"])
    return f"The weakest, {labels_of(findings).strategy(last['strategy'])}, wins {won}"

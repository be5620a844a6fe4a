"""How often each plan wins, against the share that all would have if equally strong."""

from simkit.pages import Findings, Section, at_setting, labels_of, prose, table
from simkit.pages.strengths import order, ranking_figures
from simkit.words.phrases import games_of_100

TEXT = prose("""How often each plan wins, over all line-ups in which it met another, each line-up counting
    alike. Intervals that overlap do not settle an order.""")


def section(found: Findings) -> Section:
    ranked = at_setting(found, found.ranking)
    last = ranked.filter(seats=ranked["seats"][0]).row(-1, named=True)
    won = games_of_100(last["share"], last["share"])
    heading = f"The weakest, {labels_of(found).strategy(last['strategy'])}, wins {won}"
    drawn = ranking_figures(found)
    figures = [one for one in drawn[0 if len(order(found)) > 2 else 1 :] if ranked["seats"].n_unique() > 1]
    names = "where strategy opponents share low high n"
    return Section(heading, [TEXT], figures, [table(found, found.ranking, names, "Ranking")])

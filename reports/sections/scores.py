"""What games score, by seat."""

from simkit.pages import Findings, Section, Show, prose, table
from simkit.words import headings


def section(found: Findings) -> Section:
    points = found.run.words.score
    text = prose(f"""Final scores ({points}) by seat: the mean with its 95 % interval, and how far single
        games scatter around it (sd).""")
    mean = Show(f"mean score ({points})", "{:.2f}")
    sd, names = Show("sd", "{:.2f}", "standard deviation"), "cell seat mean low high sd n"
    if found.run.team:
        text, team = text.replace(" by seat", ""), found.scores.filter(seat=0)
        names = names.replace(" seat", "")
        return Section(
            headings.scores(found), [text], tables=[table(found, team, names, "Score", mean=mean, sd=sd)]
        )
    listed = table(found, found.scores, names, "Score of each seat", mean=mean, sd=sd)
    return Section(headings.scores(found), [text], tables=[listed])

"""What games score, by seat."""

from simkit.pages import Findings, Section, Show, prose, table


def section(found: Findings) -> Section:
    points = found.run.words.score
    text = prose(f"""Final scores ({points}) by seat: the mean with its 95 % interval, and how far single
        games scatter around it (sd).""")
    mean = Show(f"mean score ({points})", "{:.2f}")
    sd, names = Show("sd", "{:.2f}", "standard deviation"), "cell seat mean low high sd n"
    listed = table(found, found.scores, names, "Score of each seat", mean=mean, sd=sd)
    return Section("Scores", [text], tables=[listed])

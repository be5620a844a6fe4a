"""What games score."""

from simkit.pages import Findings, Section, Show, table


def section(found: Findings) -> Section:
    """Final scores by seat."""
    points = found.run.words.score
    text = (
        f"Final scores ({points}) by seat: the mean with its 95 % interval, and how far single games scatter "
        "around it (sd)."
    )
    forms = {
        "mean": Show(f"mean score ({points})", "{:.2f}"),
        "sd": Show("sd", "{:.2f}", "standard deviation"),
    }
    names = "cell seat mean low high sd n"
    return Section(
        "Scores", [text], tables=[table(found, found.scores, names, "Score of each seat", **forms)]
    )

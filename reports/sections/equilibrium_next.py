"""What to do after a page about best choices: what would be fair for those that are chosen; more deals."""

from simkit.reporting.document import Step
from simkit.reporting.pages import Findings, Section, at_setting
from simkit.reporting.pages.commands import again, game_words

WIDE = 0.01  # half an interval above which more deals are advised


def section(findings: Findings) -> Section | None:
    if not findings.equilibrium.width:
        return None
    run, here = findings.run, at_setting(findings, findings.equilibrium_mixes)
    row = at_setting(findings, findings.equilibrium).row(0, named=True)
    best = here.filter(seat=0)["strategy"][0]
    lineup = ["--lineup", ",".join([best, best])]
    fair = again(run, "fair", run.experiment.game, "--vary", "OPTION=LOW:HIGH", *game_words(run, []), *lineup)
    text = "Find the value of a rule at which two of the player chosen most have equal chances."
    steps = [Step(text, fair)]
    if (row["high"] - row["low"]) / 2 > WIDE:
        text = "Play on with more deals, in another folder."
        deals = ["--deals", str(4 * row["deals"]), "-o", f"{run.place}-longer"]
        steps.append(Step(text, again(run, "run", f"{run.place}/experiment.toml", *deals)))
    return Section(steps=steps)

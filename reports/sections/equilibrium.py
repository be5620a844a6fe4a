"""The brief about best choices: the first player's wins under them, and a picture of all pairings."""

from simkit.analysis.table import TWINS
from simkit.reporting.document import Step, Table
from simkit.reporting.pages import Findings, Section, Show, at_setting, table, takeaways_of
from simkit.reporting.pages.commands import command_again, fair_command, game_words
from simkit.reporting.pages.pairings import pairings, value_along
from simkit.reporting.text.equilibrium import equilibrium_answer
from simkit.reporting.text.stamps import equilibrium_stamp
from simkit.runs.run import Run

WORDS = {
    "Best mix": "how often each strategy is to be chosen so that the other side, knowing these chances, can "
    "do least against it (a maximin strategy; both best mixes together are a Nash equilibrium).",
    "Value": "what the first player wins where both choose by their best mixes.",
}


def section(findings: Findings) -> Section:
    """Return the brief."""
    summary, rows = equilibrium_answer(findings), findings.equilibrium.rows(named=True)
    return Section(
        takeaways=takeaways_of(findings, summary, "equilibrium", "equilibrium_mixes"),
        stamp=equilibrium_stamp(rows, findings.run.experiment.margin),
        picture=value_along(findings) or pairings(findings),
        glance=_glance(findings),
        step=_step(findings),
        warnings=summary.warnings,
        words=WORDS,
    )


def _glance(findings: Findings) -> Table:
    """Return the value of each setting with its interval."""
    heads = {"share": Show("first player wins", "{:.1%}", "if both choose best: the value")}
    heads |= {"mattered": Show("players that matter", "{}"), "strategies": Show("of", "{}")}
    names = f"{'setting' if findings.equilibrium.height > 1 else ''} share low high mattered strategies deals"
    return table(findings, findings.equilibrium, names, "The value", **heads)


def _step(findings: Findings) -> Step:
    """Return the next step: a fair value for the strategy chosen most, or more deals."""
    run, mixes = findings.run, at_setting(findings, findings.equilibrium_mixes)
    row = at_setting(findings, findings.equilibrium).row(0, named=True)
    best, *_ = mixes.filter(seat=0)["strategy"][0].split(TWINS)
    if command := fair_command(run, [[best, best]]) or _fair_value(run, best):
        return Step(f"Find the value that is fair between two {best} players.", command)
    deals = ["--deals", str(4 * row["deals"]), "-o", f"{run.place}-longer"]
    command = command_again(run, "run", f"{run.place}/experiment.toml", *deals)
    return Step("Play on with more deals, in another folder.", command)


def _fair_value(run: Run, best: str) -> str | None:
    """Return the command that searches for the fair value of the first number that favours a seat."""
    for name, option in run.words.options.items():
        free = name not in run.experiment.options and option.treats
        if free and option.kind == "integer" and len(option.tries) > 1:
            vary = ["--vary", f"{name}={min(option.tries)}:{max(option.tries)}"]
            words = [*vary, *game_words(run, []), "--lineup", f"{best},{best}"]
            return command_again(run, "fair", run.experiment.game, *words)
    return None

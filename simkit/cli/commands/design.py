"""The design command: a search for rules that meet several wishes."""

import click
from click import option

from simkit.analysis import Findings
from simkit.api import studies as api
from simkit.cli.options import Given, Texts, command, ranged, shared, values_of
from simkit.cli.study import print_study
from simkit.reporting.text.phrases import TableRow
from simkit.studies.design.request import Best
from simkit.studies.study import Deals, Trials

VARY = "Option to vary with its range (LOW:HIGH:STEP for a step), or OPTION=A/B; repeatable."
WISH = "fairness, COLUMN=LOW:HIGH, COLUMN>=NUMBER, COLUMN<=NUMBER, COLUMN>=printed; repeatable."


@command("Questions")
@click.argument("game")
@option("--vary", multiple=True, required=True, metavar="OPTION=LOW:HIGH", help=VARY)
@option("--wish", multiple=True, required=True, metavar="WISH", help=WISH)
@option("--trials", type=ranged(Trials), default=80, help="Settings to try.")
@option("--best", type=ranged(Best), default=4, help="Settings to check on fresh deals.")
@option("--deals", type=ranged(Deals), default=2_000, help="Deals per promising setting.")
@option("--confirm", type=ranged(Deals), default=20_000, help="Fresh deals per checked setting.")
@shared("margin", "target", "lineups", "seed", "set", "files", "play", "json")
def design(given: Given, game: str, vary: Texts, wish: Texts, trials: int, best: int, confirm: int) -> None:
    """Search for rules that meet several wishes at once.

    You get the best settings with a verdict on each wish, measured on fresh deals. A wish is "fairness"
    (every seat wins its share, within --margin), or it says where the mean of a column of the games table
    should lie: in a range, or above or below a number or the mean under the printed rules. Every --lineup has
    to meet it.

    \b
    Example:  simkit design outpost_seven --vary start_total_second=16:24 --vary rows=4:6 \\
                  --wish fairness --wish turns=25:35 --wish "lead_changes>=printed"
    """
    own = {"trials": trials, "best": best} | given.keywords() | {"confirm": confirm}
    result = api.design(game, values_of(game, vary), wish, **own)
    print_study(result, given.as_json, _document)


def _document(findings: Findings) -> TableRow:
    """Return what the JSON document has besides the answer."""
    results, settings = findings.run.designed, {cell.index: cell.varied for cell in findings.run.cells}
    checked = findings.checked_settings.rows(named=True)
    return {
        "vary": results.vary,
        "wishes": [goal.model_dump() for goal in results.goals],
        "checked": [{"setting": settings[row["cell"]], **row} for row in checked],
        "measured": findings.wishes.rows(named=True),
        "trials": [trial.model_dump(include={"setting", "deals", "loss"}) for trial in results.trials],
        "refused": results.refused,
    }

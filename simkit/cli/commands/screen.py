"""The screen command: which of many options matter."""

from typing import Any

import click
from click import option

from simkit.analysis import Findings
from simkit.api import studies as api
from simkit.api.studies import SAMPLES
from simkit.cli.options import SHARE, Given, Texts, Whole, command, ranged, shared, value_of, whole_numbers
from simkit.cli.study import print_study
from simkit.engine import registry
from simkit.engine.options import Option
from simkit.errors import UsageError
from simkit.reporting.text.phrases import TableRow
from simkit.studies.screening.request import Small, Strongest
from simkit.studies.study import Deals

OPTIONS = "Options to screen, with two values if you like; all options by default."
MEASURE = "Column of the log to measure besides the shares; turns and lead_changes by default."
SMALL = "Change of other measures that does not matter, as a part of their mean."


@command("Questions")
@click.argument("game")
@option("--options", multiple=True, metavar="NAME,NAME=LOW:HIGH,NAME=A/B,...", help=OPTIONS)
@option("--measure", multiple=True, metavar="COLUMN", help=MEASURE)
@option("--strongest", type=ranged(Strongest), default=5, help="Options to play in all combinations.")
@option(
    "--sobol",
    type=Whole(0, SAMPLES[-1]),
    default=0,
    metavar="N",
    help="Also Sobol indices, from N points (256).",
)
@option("--small", type=ranged(Small), default=0.05, help=SMALL)
@option("--margin", type=SHARE, default=0.02, help="Change of a share that does not matter.")
@option("--deals", type=ranged(Deals), default=2_000, help="Deals per setting.")
@shared("lineups", "seed", "set", "files", "play", "json")
def screen(
    given: Given, game: str, options: Texts, measure: Texts, strongest: int, sobol: int, small: float
) -> None:
    """Find the options that matter, and those that do nothing.

    You get the effect of every option on who wins and on the length of a game, by itself and averaged over
    the others. The strongest options are then played in all combinations, on fresh deals.

    \b
    Example:  simkit screen pig --options goal=50:100,faces=6:8,bust
    """
    own: dict[str, Any] = {"measures": measure, "strongest": strongest, "sobol": sobol, "small": small}
    result = api.screen(game, levels_of(game, options), **own, **given.keywords())
    print_study(result, given.as_json, _document)


def levels_of(game: str, texts: Texts) -> dict[str, tuple[Any, Any] | None]:
    """Return options with two values each from texts `a,b=1:9,c=x/y`; None where no values are given."""
    levels = dict[str, tuple[Any, Any] | None]()
    for part in [part.strip() for text in texts for part in text.split(",")]:
        name, has_values, values = (word.strip() for word in part.partition("="))
        if name in levels:
            raise UsageError(f"option {name} is given twice")
        option = registry.game(game).option(name)
        levels[name] = _two_values(option, values) if has_values else None
    return levels


def _two_values(option: Option, text: str) -> tuple[Any, Any]:
    """Return the two values in the text of an option."""
    given = whole_numbers(text) if ":" in text else [value_of(part.strip()) for part in text.split("/")]
    values = [option.value(option.number(value)) for value in given]
    if len(values) != 2:
        form = "low:high" if not option.names else "one/other"
        raise UsageError(f"--options {option.name}={text}: two values are needed, {option.name}={form}")
    return values[0], values[1]


def _document(findings: Findings) -> TableRow:
    """Return what the JSON document has besides the answer."""
    results = findings.run.screened
    return {
        "levels": results.levels,
        "effects": findings.dials.rows(named=True),
        "strongest": results.strongest,
        "alone_again": findings.alone_again.rows(named=True),
        "together": findings.together.rows(named=True),
        "sobol": [index.model_dump() for index in results.sobol],
        "left_out": results.notes,
    }

"""Games: Show what a strategy sees: state, actions, random numbers."""

from itertools import zip_longest
from typing import Any

import click

from simkit.cli.options import Whole, command, shared_options
from simkit.cli.output import print_json, print_table
from simkit.engine import registry
from simkit.verify import anatomy

SEEN_BY_WORDS = {"all": "all seats", "own": "some seats, or each its own part", "none": "nobody"}


@command()
@click.argument("game")
@click.option(
    "--position", type=Whole(min=1), default=1, metavar="N", help="Position whose actions are shown."
)
@shared_options("options", "json", seed=1)
def state(game: str, position: int, seed: int, options: dict[str, Any], as_json: bool) -> None:
    """Show what a strategy sees: state, actions, random numbers.

    Lists the fields of the view (shape, axes, and who sees them, as observed in random games), the meaning of
    each legal action at one position of a random game, and the streams of luck.
    """
    definition = registry.game(game)
    rules = definition.rules(options)
    actions = anatomy.actions(definition, rules, seed, position)
    fields, streams = anatomy.fields(definition, rules), anatomy.streams(definition)
    if as_json:
        print_json({"game": definition.name, "state": fields, "actions": actions, "streams": streams})
        return
    for row in fields:
        axes, shape = row.pop("axes"), row.pop("shape")
        sizes = [f"{axis} {size}".strip() for axis, size in zip_longest(axes, shape, fillvalue="")]
        row["type"] += f"[{', '.join(sizes)}]" if sizes else ""
        row["seen_by"] = SEEN_BY_WORDS[row["seen_by"]]
    click.echo(f"{definition.title} ({definition.name}): the fields of `view`, whose log is blank\n")
    print_table(fields)
    click.echo(f"\nActions at position {position} of the random game with seed {seed}\n")
    print_table(actions)
    click.echo("\nStreams of luck\n" if streams else "\nNo luck")
    if streams:
        print_table(streams)

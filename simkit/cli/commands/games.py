"""Games: List the games."""

from typing import Any

from simkit.cli.options import command, shared_options
from simkit.cli.output import print_json, print_table
from simkit.engine import registry


@command()
@shared_options("json")
def games(as_json: bool) -> None:
    """List the games."""
    rows = list[dict[str, Any]]()
    for game in registry.games().values():
        row = {"game": game.name, "title": game.title, "seats": "-".join(map(str, sorted(set(game.seats))))}
        rows.append(row | {"known answers": len(game.known_answers) or None, "about": game.summary})
    print_json(rows) if as_json else print_table(rows)

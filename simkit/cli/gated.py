"""Output of the lock and gate commands: a table, JSON, Markdown and JUnit XML from the same results."""

from simkit.ask.claims import next_step, rows
from simkit.ask.gate import Gated
from simkit.cli.execution import this_command
from simkit.cli.output import print_json, print_table, say


def print_gate_results(gated: Gated, as_json: bool) -> None:
    """Print the results of a gate."""
    if as_json:
        results = [result.model_dump() for result in gated.results]
        print_json({"answer": str(gated), "broken": gated.broken, "games": gated.games, "results": results})
        return
    print_table(rows(gated.before, gated.results))
    say(f"\n{gated}\n{next_step(gated.results, str(gated.file), gated.before.deals)}")
    say(f"\nLock file: {gated.file}   repeat it: {this_command()}")


def format_gate_results(gated: Gated, form: str) -> str:
    """Return the results as Markdown ("md"), for a pull request, or as JUnit XML ("xml")."""
    from simkit.page.document.files import template

    given = {"gated": gated, "rows": rows(gated.before, gated.results), "command": this_command()}
    return template(f"gate.{form}").render(given)

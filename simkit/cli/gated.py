"""Output of the lock and gate commands: a table, JSON, Markdown and JUnit XML from the same results."""

from xml.etree import ElementTree

from simkit.analysis.claims import BROKEN
from simkit.api.gate import Gated
from simkit.cli.execution import this_command
from simkit.cli.output import print_json, print_table, say
from simkit.reporting.text.claims import next_step, rows
from simkit.runs.run import from_here


def print_gated(gated: Gated, as_json: bool) -> None:
    """Print the results of a gate."""
    if as_json:
        results = [result.model_dump() for result in gated.results]
        print_json({"answer": gated.answer, "broken": gated.broken, "games": gated.games, "results": results})
        return
    if gated.results:
        print_table(rows(gated.before, gated.results))
    say(f"\n{gated.answer}\n{next_step(gated.results, str(gated.file), gated.before.deals)}")
    say(f"\nLock file: {from_here(gated.file)}   repeat it: {this_command()}")


def markdown(gated: Gated) -> str:
    """Return the results as Markdown, for the summary of a pull request."""
    table = rows(gated.before, gated.results)
    lines = [list(table[0]), ["---"] * len(table[0]), *(row.values() for row in table)] if table else []
    cells = [[str(cell).replace("|", "\\|") for cell in line] for line in lines]
    body = "\n".join(f"| {' | '.join(line)} |" for line in cells)
    return f"### Balance\n\n{gated.answer}\n\n{body}\n\nRepeat it: `{this_command()}`\n"


def junit(gated: Gated) -> str:
    """Return the results as JUnit XML: each claim is a test case."""
    failures = f"{len(gated.broken)}"
    suite = ElementTree.Element("testsuite", name="balance", tests=f"{len(gated.results)}", failures=failures)
    for row, result in zip(rows(gated.before, gated.results), gated.results, strict=True):
        case = ElementTree.SubElement(suite, "testcase", classname=gated.before.game, name=result.claim)
        text = "; ".join(f"{name}: {value}" for name, value in row.items())
        if result.verdict == BROKEN:
            ElementTree.SubElement(case, "failure", message=f"BROKEN: {result.claim}").text = text
        else:
            ElementTree.SubElement(case, "system-out").text = text
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)

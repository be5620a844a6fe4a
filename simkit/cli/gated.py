"""Output of the lock and gate commands: a table, JSON, Markdown and JUnit XML from the same rows."""

from xml.etree import ElementTree

from simkit.analysis.claims import BROKEN
from simkit.api.gate import Gated
from simkit.cli.execution import this_command
from simkit.cli.output import print_json, print_table, say
from simkit.reporting.text.claims import next_step, rows


def print_gated(gated: Gated, as_json: bool) -> None:
    """Print the results of a gate."""
    if as_json:
        results = [result.model_dump() for result in gated.results]
        print_json({"answer": str(gated), "broken": gated.broken, "games": gated.games, "results": results})
        return
    print_table(rows(gated.before, gated.results))
    say(f"\n{gated}\n{next_step(gated.results, str(gated.file), gated.before.deals)}")
    say(f"\nLock file: {gated.file}   repeat it: {this_command()}")


def markdown(gated: Gated) -> str:
    """Return the results as Markdown, for the summary of a pull request."""
    table = rows(gated.before, gated.results)
    lines = [list(table[0]), ["---"] * len(table[0]), *(row.values() for row in table)]
    cells = [" | ".join(str(cell).replace("|", "\\|") for cell in line) for line in lines]
    body = "\n".join(f"| {line} |" for line in cells)
    return f"### Balance\n\n{gated}\n\n{body}\n\nRepeat it: `{this_command()}`\n"


def junit(gated: Gated) -> str:
    """Return the results as JUnit XML: each claim is a test case."""
    counts = {"tests": f"{len(gated.results)}", "failures": f"{len(gated.broken)}"}
    suite = ElementTree.Element("testsuite", {"name": "balance", **counts})
    for row in rows(gated.before, gated.results):
        case = ElementTree.SubElement(suite, "testcase", classname=gated.before.game, name=row["claim"])
        kind = "failure" if row["verdict"] == BROKEN else "system-out"
        ElementTree.SubElement(case, kind).text = "; ".join(f"{name}: {cell}" for name, cell in row.items())
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)

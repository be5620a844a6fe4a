"""The answer of a study or a match on the terminal."""

from collections.abc import Callable, Iterable, Iterator

from simkit.analysis import Findings
from simkit.api.results import Result
from simkit.cli.output import print_json, print_table, say
from simkit.cli.summary import brief_document, print_brief, print_step, report_command
from simkit.reporting.document import Report
from simkit.reporting.text.phrases import TableRow

Part = str | list[TableRow]  # a text or a table of an answer


def print_study(
    result: Result,
    as_json: bool,
    document_of: Callable[[Findings], TableRow],
    parts_of: Callable[[Findings], Iterable[Part]] | None = None,
) -> None:
    """Print the answer, its parts, the next step and the command for the page; or one JSON document.

    parts_of: None for the numbers behind the answer, as on the page.
    """
    run, brief = result.run, result.brief
    if as_json:
        front = {"game": run.experiment.game, "confidence": 0.95}
        print_json(front | brief_document(brief) | document_of(result) | {"run": run.place})
        return
    print_brief(brief)
    for part in parts_of(result) if parts_of else _behind(brief):
        say("")
        say(part) if isinstance(part, str) else print_table(part)
    print_step(brief)
    say(f"report: {report_command(run)}")


def _behind(brief: Report) -> Iterator[Part]:
    """Yield the tables behind the answer with their captions."""
    for listed in brief.tables():
        heads = [column.heading for column in listed.columns]
        yield f"{listed.caption}:"
        yield [dict(zip(heads, row, strict=True)) for row in listed.rows]

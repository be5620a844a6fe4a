"""Answers of questions, printed as text or as one JSON document."""

from collections.abc import Iterable

from simkit.ask.results import Result
from simkit.cli.output import print_json, print_table, say
from simkit.engine import projects, registry
from simkit.page import terminal
from simkit.page.document.parts import Report
from simkit.page.recipe import outstanding_parts, recipe_for
from simkit.page.terminal import TextOrTable
from simkit.runs.folder import Run, from_here
from simkit.runs.storage import remote
from simkit.system import command_line
from simkit.tables.fairness import check_findings
from simkit.tables.findings import Findings
from simkit.tables.rungs import ladder_findings


def print_answer(result: Result, page: str, as_json: bool, whole: bool) -> None:
    """Print the brief, what its page adds for a terminal, and the next step; or one JSON document.

    Args:
        result: The result.
        page: Page that says what is printed; "" for that of the result.
        as_json: Whether to print the document.
        whole: Whether to print all rows, not those of a screen.
    """
    recipe, brief = registry.recipe(page or recipe_for(result.run)), result.brief
    if as_json:
        document = getattr(recipe, "document", terminal.study_document)
        print_json(document(result, brief) | {"run": result.run.place})
        return
    print_brief(brief)
    print_parts(getattr(recipe, "terminal", terminal.numbers_behind)(result, brief, whole))
    print_step(brief)


def print_first_answer(findings: Findings, writes_page: bool) -> None:
    """Print the answer of a run whose follow-ups are still to be played, and write its page if asked."""
    brief: Report = registry.recipe(recipe_for(findings.run)).build_brief(findings)
    say(brief.sentence, err=True)
    if writes_page:
        save_page(findings)
    update = " The page is written again when that is done." if writes_page else ""
    say(f"Still being played: {outstanding_parts(findings.run)}.{update}", err=True)


def save_page(findings: Findings) -> None:
    """Write the page of a run into its folder, and print where it is."""
    from simkit.ask.report import write_page  # what makes pages is imported for commands that write one

    say(f"Report: {remote.show_addresses(str(from_here(write_page(findings))))}", err=True)


def print_brief(brief: Report) -> None:
    """Print the answer, the decision, what to do next, and what the run cannot tell."""
    say(brief.sentence)
    if brief.stamp:
        say(f"{brief.stamp.text}.")
    for warning in brief.warnings:
        say(f"Beware: {warning}")
    say(brief.source)
    if brief.by_strength:
        print_parts(terminal.table_in_text(brief.by_strength))
        say("")
    say("\n".join(["What this cannot tell you:", *(f"- {limit}" for limit in brief.limits)]))


def print_parts(parts: Iterable[TextOrTable]) -> None:
    """Print texts and tables."""
    for part in parts:
        say(part) if isinstance(part, str) else print_table(part)


def print_step(brief: Report) -> None:
    """Print the next step with its command."""
    if brief.step:
        say(f"\nNext: {brief.step.text}\n  {brief.step.command}".rstrip())


def print_follow_ups(result: Result) -> None:
    """Print where the ladder and the check of a run are, if it has them."""
    for name, follow_up in (("Ladder", ladder_findings), ("Fresh deals", check_findings)):
        if not result.run.kind and (played := result.cached(follow_up)):
            say(f"{name}: {played.run.place}   report: {report_command(played.run)}")


def report_command(run: Run) -> str:
    """Return the command that writes the page that suits a run."""
    return simkit_command("report", run.place)


def simkit_command(*words: str) -> str:
    """Return a command with the project folders of this process."""
    return command_line(["simkit", *projects.command_words(), *words])

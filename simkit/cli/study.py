"""Commands of studies: from the options to the run of a study, and its answer on the terminal."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from simkit.analysis import Findings
from simkit.cli.build import lineups_of, say_files, seated
from simkit.cli.execute import in_folder, placed, play_in
from simkit.cli.options import Given
from simkit.cli.output import print_json, print_table, say
from simkit.cli.summary import brief_document, print_brief, print_step, record_answer, report_command
from simkit.reporting.document import Report
from simkit.reporting.text.phrases import Row
from simkit.runs import runner
from simkit.runs.experiment import Experiment
from simkit.runs.run import Run
from simkit.studies.study import Study

Part = str | list[Row]  # a text or a table of an answer


def study_keys(given: Given, game: str) -> dict[str, Any]:
    """Return what all studies take from the shared options."""
    given, _ = seated(given, game, {})
    more = {"options": given.settings, "files": given.files, **given.keys("target", "keep_going")}
    keys = {"game": game, "lineups": lineups_of(game, given.lineups), "more": more}
    return keys | given.keys("deals", "seed", "margin")


def conduct(given: Given, study: Study) -> Run:
    """Carry out a study in a folder that is empty or holds this study: --out, otherwise --into."""
    study.check()
    last = study.last_run()
    say_files(last)
    given = placed(given, last, repr(study))

    def conduct_in(place: Path) -> Run:
        runner.refuse_strangers(place)
        study.refuse_other(place)

        def play(experiment: Experiment, name: str) -> Run:
            if name:
                study.refuse_other(place / name, experiment)
            return play_in(given, experiment, place / name, f"{place.name}/{name}".rstrip("/"))

        return study.solve(play)

    return in_folder(given, conduct_in)


def print_study(
    given: Given,
    run: Run,
    parts_of: Callable[[Findings], Iterable[Part]] | None,
    document_of: Callable[[Findings], Row],
) -> None:
    """Print the answer, its parts, the next step and the command for the page; or one JSON document.

    parts_of: None for the numbers behind the answer, as on the page.
    """
    findings, brief = record_answer(run)
    if given.as_json:
        front = {"game": run.experiment.game, "confidence": 0.95}
        print_json(front | brief_document(brief) | document_of(findings) | {"run": run.place})
        return
    print_brief(brief)
    for part in parts_of(findings) if parts_of else _behind(brief):
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

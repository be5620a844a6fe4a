"""Commands to type next, in identifiers: what to run where a run cannot answer, what confirms it."""

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any

from simkit.analysis import Findings, axes
from simkit.reporting.document import Section, Step, Takeaway
from simkit.reporting.text.commands import (
    again,
    game_words,
    lineups,
    setting_texts,
    target_words,
    until_verdict,
)
from simkit.reporting.text.labels import Labels
from simkit.reporting.text.phrases import Said, prose
from simkit.runs.run import Run
from simkit.runs.table_files import HEAD


def query(findings: Findings, *tables: str) -> str:
    """Python that prints tables of the findings in full."""
    prints = [f"print(findings.{name}.write_csv())" for name in tables]
    polars = ["import polars as pl"] if any("pl." in line for line in prints) else []
    start = ["from simkit.analysis import open_findings", f"findings = open_findings({findings.run.place!r})"]
    return "\n".join([*polars, *start, *prints])


def told(findings: Findings, sentences: Iterable[Said], kind: str = "") -> list[Takeaway]:
    """Sentences as takeaways of a kind, each with the query that gives its numbers again."""
    return [Takeaway(prose(said.text), query(findings, said.rests), kind) for said in sentences]


def instead(nothing: str, text: str, commands: str) -> Section:
    """Why a page has nothing to say of this run, and the commands for a run of which it has."""
    return Section(takeaways=[Takeaway(nothing, kind="answer")], steps=[Step(text, commands)])


def fair_command(run: Run, some: list[list[str]] | None = None) -> str | None:
    """The command that finds the fair value of the only swept option, where that is one whole number."""
    some = some or lineups(run)
    swept = [axis for axis in axes(run) if len(axis.options) == 1 and axis.whole_numbers]
    if len(swept) != 1 or len(axes(run)) != 1 or len({len(labels) for labels in some}) > 1:
        return None
    (name,), values = swept[0].options, [value for (value,) in swept[0].values]
    if Labels(run).is_seat(name):
        return None
    margin = ["--margin", f"{run.experiment.margin:g}"] if run.experiment.margin != 0.02 else []
    vary = ["--vary", f"{name}={min(values)}:{max(values)}", *target_words(run)]
    return again(run, "fair", run.experiment.game, *vary, *game_words(run, some), *margin)


def confirm_command(run: Run, index: int) -> str:
    """The command that plays one setting on fresh deals: the solver if possible, else until a verdict."""
    (cell,) = (cell for cell in run.cells if cell.index == index)
    return fair_command(run, [cell.labels]) or fresh_command(run, index, [cell.labels])


def fresh_command(run: Run, index: int, some: list[list[str]]) -> str:
    """The command that plays the setting of a cell with these lineups on fresh deals until a verdict."""
    (cell,) = (cell for cell in run.cells if cell.index == index)
    words = [*setting_texts(_with_paths(run, cell.varied)), *game_words(run, some)]
    return again(run, "sweep", run.experiment.game, *words, *until_verdict(run, cell.deals))


def _with_paths(run: Run, varied: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a cell with the paths of its own files, those that the run keeps."""
    paths = {HEAD + table: path for table, path in run.experiment.files_of(varied).items()}
    return {name: paths.get(name, value) for name, value in varied.items()}


def settle_command(run: Run, deals: int) -> str:
    """The command that plays the run's cells until each has a verdict, at most so many deals."""
    until = ["--until-verdict", "--deals", str(deals), "-o", f"{run.place}-settled"]
    return again(run, "run", f"{run.place}/experiment.toml", *until)


def trace_command(run: Run) -> str:
    return again(run, "run", f"{run.place}/experiment.toml", "--trace", "1000", "-o", f"{run.place}-traced")


def written(run: Run, name: str, recipe: str, **keys: Any) -> str:
    """Commands that write an experiment like the run's but for some keys, carry it out and report on it."""
    text = run.experiment.changed(**keys).to_toml()
    after = [again(run, "run", f"{name}.toml"), again(run, "report", f"runs/{name}", "--recipe", recipe)]
    return "\n".join([f"cat > {name}.toml << 'END'", text.rstrip("\n"), "END", *after])


def with_mirrors(run: Run) -> str:
    """Commands that play the same run with every strategy in every seat, too."""
    if run.experiment.round_robin and not run.experiment.lineups:
        return written(run, "with_mirrors", "strategies", mirrors=True)
    met = dict.fromkeys((cell.seats, name) for cell in run.cells for name in cell.labels)
    more = [[name] * seats for seats, name in sorted(met, key=itemgetter(0))]
    return written(run, "with_mirrors", "strategies", lineups=[*run.experiment.lineups, *more])

"""Commands that look at runs: compare, report."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

from simkit import analysis, catalogue, experiment, runlog, runner
from simkit import report as reports
from simkit.cli.options import (
    cards_option,
    deals_option,
    json_option,
    lineups_of,
    lineups_option,
    out_option,
    seed_option,
    set_option,
    settings_of,
    trace_option,
    workers,
)
from simkit.cli.output import print_json, print_table, progress
from simkit.cli.playing import command_line, folder_for, say_files
from simkit.cli.summary import report_command
from simkit.errors import UsageError
from simkit.runlog import Run


@click.command()
@click.argument("run_folder", metavar="RUN")
@click.option(
    "--recipe",
    default="balance",
    show_default=True,
    help="What kind of report: balance, sweep, compare, strategies, …; see reports/.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(reports.FORMATS),
    help="html (a page), md or json; the default goes by the name of FILE.",
)
@click.option("--figures", metavar="DIR", help="Write the figures as PNG into this folder, too.")
@click.option(
    "-o",
    "--out",
    metavar="FILE",
    help="Where to write it (default: report.html or RECIPE.html in the run folder); - prints it.",
)
def report(run_folder: str, recipe: str, form: str | None, figures: str | None, out: str | None) -> None:
    """Write the report of a run as one page, or for programs.

    Prints the path of the self-contained page and the answer in one line.
    """
    run = runlog.open_run(run_folder)
    made = catalogue.recipe(recipe).build(run)
    form = form or reports.format_of(out)
    pictures = {} if figures is None else reports.write_figures(made, figures)
    if out == "-":
        click.echo(
            reports.as_text(made, form, {name: file.as_posix() for name, file in pictures.items()}), nl=False
        )
        return
    name = "report" if recipe == "balance" else recipe
    click.echo(f"Report: {reports.write(made, out or run.folder / f'{name}.{form}', form, pictures)}")
    if pictures:
        click.echo(f"Figures: {len(pictures)} PNG files in {figures}")
    for takeaway in made.takeaways[:1]:
        click.echo(f"Answer: {takeaway.text}")


@click.command()
@click.argument("game")
@click.option(
    "--base",
    multiple=True,
    metavar="OPTION=VALUE",
    help="Rule set compared with; the rulebook's where not given. May be repeated.",
)
@click.option(
    "--to",
    "others",
    multiple=True,
    required=True,
    metavar="OPTION=VALUE[,OPTION=VALUE]",
    help="A rule set to compare; may be repeated.",
)
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="NAME|NAME=VALUE",
    help="Also compare a column of the log (README, What a run holds).",
)
@lineups_option
@deals_option
@seed_option
@set_option
@cards_option
@out_option
@trace_option
@workers
@json_option
def compare(
    game: str, base: tuple[str, ...], others: tuple[str, ...], columns: tuple[str, ...], lineups: tuple[str, ...], deals: int, seed: int,
    settings: tuple[str, ...], files: dict[str, str], out: str | None, trace: int | None, jobs: int, backend: str, as_json: bool,
) -> None:  # fmt: skip
    """Compare rule sets on the same deals.

    Prints paired differences with intervals. --set holds for every rule set; --base and --to say where they differ.
    """
    asked = rule_sets(game, settings_of(base), [settings_of((to,)) for to in others], settings_of(settings))
    keys: dict[str, Any] = {
        "lineups": lineups_of(game, lineups),
        "deals": deals,
        "seed": seed,
        "trace": trace or 0,
        "files": files,
    }
    wanted = experiment.parse(asked | keys)
    folder = out or folder_for("compare", wanted)
    say_files(wanted)
    with progress(Path(folder).name) as told:
        runner.run(wanted, folder, jobs, backend, told, command=command_line())
    _print_differences(runlog.open_run(folder), columns, as_json)


def rule_sets(
    game: str, base: dict[str, Any], others: list[dict[str, Any]], fixed: dict[str, Any]
) -> dict[str, Any]:
    """The keys of an experiment whose cells are the base rule set and the others."""
    of = catalogue.game(game)
    names = list(dict.fromkeys(name for one in [base, *others] for name in one))
    twice = sorted(set(names) & set(fixed))
    if twice:
        raise UsageError(f"option {twice[0]} is given with --set and with --base or --to; once is enough")
    rows = [[of.resolve(fixed | base | one)[name] for name in names] for one in [{}, *others]]
    if any(rows.count(row) > 1 for row in rows):
        raise UsageError(
            "two of the rule sets are the same: each --to must differ from --base and from the others"
        )
    sweep = {names[0]: [row[0] for row in rows]} if len(names) == 1 else {", ".join(names): rows}
    question = f"What do other rules change in {of.title}?"
    return {
        "question": question,
        "game": game,
        "options": fixed,
        "sweep": sweep,
        "baseline": dict(zip(names, rows[0], strict=True)),
    }


def _print_differences(run: Run, columns: tuple[str, ...], as_json: bool) -> None:
    table = analysis.comparisons(run, columns)
    rows, sentences = table.rows(named=True), analysis.comparison_sentences(table)
    if as_json:
        base = {
            "question": run.experiment.question,
            "run": str(run.folder),
            "base": _setting(run),
            "confidence": 0.95,
        }
        print_json(base | {"answer": sentences, "differences": rows})
        return
    click.echo(f"Compared with {_setting(run)}, deal by deal:\n")
    heads = [
        "rules",
        "lineup",
        "measure",
        "base",
        "here",
        "difference",
        "95 % interval",
        "p adjusted",
        "deals",
        "variance reduced",
    ]
    print_table(heads, [_difference(row) for row in rows], numbers=(3, 4, 5, 7, 8, 9))
    click.echo()
    for sentence in sentences:
        click.echo(sentence)
    click.echo(f"Run: {run.folder}   report: {report_command(run, 'compare')}")


def _setting(run: Run) -> str:
    return analysis.setting_words(next(cell.varied for cell in run.cells if cell.baseline))


def _difference(row: dict[str, Any]) -> list[str]:
    share = row["measure"].startswith(("share of", "first-player", "drawn"))
    scale, unit = (100, " %") if share else (1, "")
    points = " points" if share else ""
    known = row["factor"] is not None and not math.isnan(row["factor"])
    factor = "-" if not known else "all" if math.isinf(row["factor"]) else f"{row['factor']:.1f} x"
    return [
        row["setting"], row["lineup"], row["measure"], f"{scale * row['base_value']:.2f}{unit}", f"{scale * row['value']:.2f}{unit}",
        f"{scale * row['difference']:+.2f}{points}", f"{scale * row['low']:+.2f} to {scale * row['high']:+.2f}",
        "< 0.001" if row["p_adjusted"] < 0.001 else f"{row['p_adjusted']:.3f}", f"{row['deals']:,}", factor,
    ]  # fmt: skip

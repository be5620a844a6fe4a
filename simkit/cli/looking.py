"""Commands that look at runs: report, compare."""

import math
from dataclasses import replace
from typing import Any

import click
from click import option

from simkit import analysis, catalogue, manifest, runlog
from simkit import report as reports
from simkit.cli.asking import ask
from simkit.cli.carrying import carry_out
from simkit.cli.options import Given, Texts, command, settings_of, shared
from simkit.cli.output import print_json, print_table
from simkit.cli.summary import report_command
from simkit.errors import UsageError
from simkit.pages.choice import recipe_for
from simkit.runlog import Run
from simkit.wording import counted
from simkit.words import comparison_sentences
from simkit.words.answer import reconstructions
from simkit.words.changes import measure_name
from simkit.words.labels import Labels

Row = dict[str, Any]
SECONDS = click.FloatRange(0, 3600, min_open=True)


@command(75)
@click.argument("run_folder", metavar="RUN")
@option("--recipe", metavar="NAME", help="Another page than the one that suits the run; see reports/.")
@option("--format", "form", type=click.Choice(reports.FORMATS), help="Default: by the name of FILE, or html.")
@option("--figures", metavar="DIR", help="Write the figures as PNG into this folder, too.")
@option("--one-page", is_flag=True, help="A PDF of the first screen only.")
@option("--seconds-per-decision", "seconds", type=SECONDS, metavar="S", help="Adds minutes at the table.")
@option("-o", "--out", metavar="FILE", help="Default: report.html or RECIPE.html in the folder; - prints it.")
def report(
    run_folder: str,
    recipe: str | None,
    form: str | None,
    figures: str | None,
    one_page: bool,
    seconds: float | None,
    out: str | None,
) -> None:
    """Write the report of a run as one page, on paper, or for programs.

    The page suits the question: one setting, a sweep, rules compared, strategies that met, or what the
    experiment asks for (key report). Prints its path and the answer in one line. A PDF needs an installed
    Chromium or Chrome.
    """
    run = runlog.open_run(run_folder)
    if seconds is not None:
        run = replace(run, experiment=run.experiment.model_copy(update={"seconds_per_decision": seconds}))
    made = catalogue.recipe(recipe or recipe_for(run)).build(run)
    form = form or ("pdf" if one_page else reports.format_of(out))
    if one_page and form != "pdf":
        raise UsageError(f"--one-page is for a PDF, not for {form}: leave out --format, or say --format pdf")
    pictures = {} if figures is None else reports.write_figures(made, figures)
    if out == "-":
        links = {name: file.as_posix() for name, file in pictures.items()}
        click.echo(reports.as_text(made, form, links), nl=False)
        return
    name = recipe or "report"
    click.echo(
        f"Report: {reports.write(made, out or run.folder / f'{name}.{form}', form, pictures, one_page)}"
    )
    if pictures:
        click.echo(f"Figures: {counted(len(pictures), 'PNG file')} in {figures}")
    told = [one.text for kind in ("answer", "advice") for one in made.told(kind)]
    click.echo(f"Answer: {' '.join(told)}")


@command(80)
@click.argument("game")
@option("--base", multiple=True, metavar="OPTION=VALUE", help="Compared with; else the rulebook. Repeatable.")
@option("--to", multiple=True, required=True, metavar="OPTION=VALUE,...", help="A rule set. Repeatable.")
@option("--column", multiple=True, metavar="NAME|NAME=VALUE", help="Also a column of the log.")
@shared("lineups", "deals", "target", "seed", "set", "files", "out", "trace", "workers", "json")
def compare(given: Given, game: str, base: Texts, to: Texts, column: Texts) -> None:
    """Compare rule sets on the same deals.

    Prints paired differences with intervals. --set holds for all rule sets; they differ by --base and --to.
    """
    sets = rule_sets(game, settings_of(base), [settings_of((other,)) for other in to], given.settings)
    question = f"What do other rules change in {catalogue.game(game).title}?"
    asked = ask(given, game, question, report="compare", **sets)
    _print(carry_out(given, asked, "compare", column), column, given.as_json)


def rule_sets(game: str, base: Row, others: list[Row], fixed: Row) -> Row:
    """The keys of an experiment whose cells are the base rule set and the others."""
    of = catalogue.game(game)
    names = list(dict.fromkeys(of.option(name).name for one in [base, *others] for name in one))
    if twice := sorted(set(names) & set(fixed)):
        raise UsageError(f"option {twice[0]} is given with --set and with --base or --to; once is enough")
    rows = [[of.resolve(fixed | base | one)[name] for name in names] for one in [{}, *others]]
    if any(rows.count(row) > 1 for row in rows):
        raise UsageError("two rule sets are the same: each --to must differ from --base and from the others")
    sweep = {names[0]: [row[0] for row in rows]} if len(names) == 1 else {", ".join(names): rows}
    return {"sweep": sweep, "baseline": dict(zip(names, rows[0], strict=True))}


def _print(run: Run, columns: Texts, as_json: bool) -> None:
    asked = replace(run, manifest=run.manifest | {"asked_columns": list(columns)})
    table, labels = analysis.Findings(asked).comparisons, Labels(run)
    manifest.ask(run.folder, columns)
    told = labels.named(table)
    sentences = comparison_sentences(told)
    if as_json:
        base = analysis.setting_words(next(cell.varied for cell in run.cells if cell.baseline))
        known = {
            "question": run.experiment.question,
            "run": str(run.folder),
            "base": base,
            "confidence": 0.95,
        }
        known |= {"answer": sentences, "warnings": reconstructions(run)}
        print_json(known | {"differences": table.rows(named=True)})
        return
    click.echo(f"Compared with {labels.baseline}, deal by deal:\n")
    print_table([_row(row) for row in told.rows(named=True)])
    click.echo("\n".join(["", *sentences, *(f"Beware: {one}" for one in reconstructions(run))]))
    click.echo(f"Run: {run.folder}   report: {report_command(run)}")


def _row(row: Row) -> Row:
    scale, unit, points = (100, " %", " points") if row["unit"] == "share" else (1, "", "")
    known = row["factor"] is not None and not math.isnan(row["factor"])
    factor = "-" if not known else "all" if math.isinf(row["factor"]) else f"{row['factor']:.1f} x"
    base, here = (f"{scale * row[name]:.2f}{unit}" for name in ("base_value", "value"))
    low, high = (f"{scale * row[name]:+.2f}" for name in ("low", "high"))
    chance = "< 0.001" if row["p_adjusted"] < 0.001 else f"{row['p_adjusted']:.3f}"
    named = {"rules": row["setting"], "lineup": row["lineup"]}
    named["measure"] = measure_name(row["measure"], row["seat"])
    values = {"base": base, "here": here, "difference": f"{scale * row['difference']:+.2f}{points}"}
    sure = {"95 % interval": f"{low} to {high}", "p adjusted": chance, "deals": row["deals"]}
    return named | values | sure | {"variance reduced": factor}

"""The command that compares rule sets: compare."""

import math
from dataclasses import replace

import click
import polars as pl
from click import option

from simkit import analysis
from simkit.analysis import Findings, measures
from simkit.analysis.compare import PRIMARY
from simkit.cli.build import ask
from simkit.cli.execute import carry_out
from simkit.cli.options import Given, Texts, command, settings_of, shared
from simkit.cli.output import print_json, print_table, say
from simkit.cli.summary import explain_brackets, left_out, print_answer, record, report_command
from simkit.cli.tables import MOST, verdict_of
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.errors import UsageError, look_up
from simkit.reporting.text import comparison_sentences
from simkit.reporting.text.changes import confidence, differs, doubt, fair_moves, measure_name, shares_won
from simkit.reporting.text.confidence import reconstructions
from simkit.reporting.text.failed_games import failures
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row
from simkit.runs import manifest, table_files
from simkit.runs.run import Run

LEVELS = """(An interval that leaves out 0 is beyond luck. Its level is 95 %, or higher, the more differences
may be luck: for who wins they are counted apart from all else.)"""
MOST_SAID = 4  # rule sets, each with a lineup, that a sentence tells of


@command(80)
@click.argument("game")
@option(
    "--base", multiple=True, metavar="OPTION=VALUE", help="Compared with; else the usual rules. Repeatable."
)
@option("--to", multiple=True, required=True, metavar="OPTION=VALUE,...", help="A rule set. Repeatable.")
@option("--column", multiple=True, metavar="NAME|NAME=VALUE", help="Also a column of the log.")
@shared(
    "lineups",
    "deals",
    "target",
    "seed",
    "set",
    "files",
    "out",
    "trace",
    "workers",
    "going",
    "cluster",
    "table",
    "json",
)
def compare(given: Given, game: str, base: Texts, to: Texts, column: Texts) -> None:
    """Compare rule sets on the same deals.

    Prints paired differences with intervals. --set holds for all rule sets; they differ by --base and --to.
    """
    sets = rule_sets(game, settings_of(base), [settings_of((other,)) for other in to], given.settings)
    question = f"What do other rules change in {registry.game(game).title}?"
    asked = ask(given, game, question, report="compare", **sets)
    for name in column:
        measures.check_column(name, manifest.columns_of(asked))
    _print(carry_out(given, asked), column, given.as_json, given.whole)


def rule_sets(game: str, base: Row, others: list[Row], fixed: Row) -> Row:
    """The keys of an experiment whose cells are the base rule set and the others."""
    of = registry.game(game)
    for one in [base, *others]:
        _check(of, one)
    names = list(dict.fromkeys(name for one in [base, *others] for name in one))
    if twice := sorted(set(names) & set(fixed)):
        raise UsageError(f"option {twice[0]} is given with --set and with --base or --to; once is enough")
    rows = [[_in_force(of, fixed | base | one)[name] for name in names] for one in [{}, *others]]
    if any(rows.count(row) > 1 for row in rows):
        raise UsageError("two rule sets are the same: each --to must differ from --base and from the others")
    sweep = {names[0]: [row[0] for row in rows]} if len(names) == 1 else {", ".join(names): rows}
    return {"sweep": sweep, "baseline": dict(zip(names, rows[0], strict=True))}


def _in_force(game: Game, given: Row) -> Row:
    """The values of all options, and what stands in the place of the tables of the game."""
    files = {table_files.HEAD + name: table_files.PRINTED for name in game.components.files}
    files |= {name: value for name, value in given.items() if table_files.is_file(name)}
    return files | game.resolve({name: value for name, value in given.items() if name not in files})


def _check(game: Game, given: Row) -> None:
    """Refuse what is neither an option nor a table, and a file together with the option that it replaces."""
    for name in given:
        if not table_files.is_file(name):
            game.option(name)
            continue
        table = name.removeprefix(table_files.HEAD)
        of = look_up(f"table of {game.name} that a file may replace", table, game.components.files)
        if of.instead_of in given:
            raise UsageError(f"option {of.instead_of} cannot be given with {name}, which takes its place")


def _print(run: Run, columns: Texts, as_json: bool, whole: bool) -> None:
    found = Findings(replace(run, manifest=run.manifest | {"asked_columns": list(columns)}))
    table, labels = found.comparisons, labels_of(found)
    manifest.ask(run.folder, columns)  # which could be compared
    record(found)
    told = labels.named(table)
    sentences = comparison_sentences(told)
    if as_json:
        print_json(_document(found, sentences) | {"differences": table.rows(named=True)})
        return
    print_answer(found)
    say("\n".join(sentences[:MOST_SAID]))
    kept = rows(found, columns, whole)
    say(f"\nCompared with {labels.baseline}, deal by deal:\n")
    print_table(kept)
    left_out(table.height - len(kept))
    say(LEVELS)
    explain_brackets(found)
    say(f"\nRun: {run.place}   report: {report_command(run)}")


def rows(findings: Findings, columns: Texts, whole: bool) -> list[Row]:
    """The differences as the terminal shows them: the `whole` of them, or those of a screen."""
    known = dict(findings.first_player_advantage.select("cell", pl.struct("verdict", "needed")).iter_rows())
    told, made = labels_of(findings).named(findings.comparisons), list[tuple[Row, Row]]()
    won = shares_won(told)
    for row in told.rows(named=True):
        share = won.get(row["cell"], row)
        setting = labels_of(findings).in_columns(row["cell"], marked=False)
        made.append((row, setting | _row(row, share, known[row["cell"]], whole)))
    moved = {row["cell"] for row, _ in made if row["cell"] in won and fair_moves(row, won[row["cell"]])}
    return [shown for _, shown in made] if whole else _few(made, columns, moved)


def _few(every: list[tuple[Row, Row]], columns: Texts, moved: set[int]) -> list[Row]:
    """Of a screen: who wins, what was asked for, what changes beyond luck.

    At two seats no share twice; `moved`: the cells where the share and the advantage are different things.
    """
    asked = {column.partition("=")[0] for column in columns}

    def rank(row: Row) -> int:
        wins, told = row["measure"] in PRIMARY, any(row["measure"].startswith(one) for one in asked)
        wins |= row["measure"] == "share" and row["seat"] == 0 and row["cell"] in moved
        return 0 if wins else 1 if told else 2 if differs(row) else 3

    once = [
        place
        for place, (row, _) in enumerate(every)
        if row["measure"] != "share" or row["seats"] > 2 or row["cell"] in moved
    ]
    first = sorted(once, key=lambda place: rank(every[place][0]))[:MOST]
    return [every[place][1] for place in sorted(first)]


def _document(findings: Findings, sentences: list[str]) -> Row:
    run = findings.run
    warnings = [*failures(findings), *reconstructions(run)]
    base = analysis.setting_words(next(cell.varied for cell in run.cells if cell.baseline))
    known = {"question": run.experiment.question, "run": run.place, "base": base, "confidence": 0.95}
    return known | {"answer": sentences, "warnings": warnings}


def _row(row: Row, won: Row, case: Row, whole: bool) -> Row:
    """A difference; `won`: the share of the first player, `case`: the verdict of its cell.

    `whole`: also what common deals were worth, the p-value.
    """
    scale, unit, points = (100, " %", " points") if row["unit"] == "share" else (1, "", "")
    lead = row["measure"] == "fpa"
    wins = lead and not whole and not fair_moves(row, won)
    form, after = ("+.2f", points) if lead and not wins else (".2f", unit)
    base, here = (f"{scale * (won if wins else row)[name]:{form}}{after}" for name in ("base_value", "value"))
    low, high = (f"{scale * row[name]:+.2f}" for name in ("low", "high"))
    interval = "-" if math.isnan(row["low"]) else f"{low} to {high}"
    measure = "first player wins" if wins else measure_name(row["measure"], row["seat"])
    named = {"lineup": row["lineup"], "measure": measure}
    values = {"base": base, "here": here, "difference": f"{scale * row['difference']:+.2f}{points}"}
    values |= {"interval": interval, "level": confidence(row["confidence"])}
    values |= {"": doubt(row)}
    verdict = {"verdict": verdict_of(case) if row["measure"] in PRIMARY else ""}
    return named | values | (_sure(row) if whole else {}) | verdict


def _sure(row: Row) -> Row:
    known = row["factor"] is not None and not math.isnan(row["factor"])
    factor = "-" if not known else "all" if math.isinf(row["factor"]) else f"{row['factor']:.1f} x"
    chance = "< 0.001" if row["p_adjusted"] < 0.001 else f"{row['p_adjusted']:.3f}"
    return {"p adjusted": chance, "deals": row["deals"], "variance reduced": factor}

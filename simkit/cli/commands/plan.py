"""Questions: Estimate how many deals a question needs."""

from dataclasses import replace

import click

from simkit.ask.progress import duration
from simkit.cli.answer import print_parts
from simkit.cli.asking import Invocation, asks
from simkit.cli.options import shared_options
from simkit.cli.output import print_json, print_table
from simkit.formatting import counted
from simkit.page.terminal import MAX_ROWS, choose_cells, rows_left_out
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import TableRow, join_names, roughly
from simkit.page.words.verdicts import seat_or_side
from simkit.questions import plan as planner
from simkit.questions.plan import Aim, Need, plan_of
from simkit.questions.plan import plan as question
from simkit.runs.folder import Run, open_run
from simkit.tables.findings import Findings, cells
from simkit.tables.seats import first_player_advantage


@asks(question)
@shared_options("table", "json")
def plan(ask: Invocation, whole: bool, as_json: bool) -> None:
    """Print the deals, and with a run its cases so far."""
    given = ask.given
    run = open_run(given["run"]) if given["run"] else None
    aim, seats, target = plan_of(**given | {"run": run})
    if run and not whole and not as_json:
        _print_cases(replace(run, experiment=run.experiment.model_copy(update={"margin": aim.margin})), aim)
        return
    needs = planner.needs_of_run(run, aim) if run else planner.needs_of_game(seats, aim, target)
    if as_json:
        front = {"effect": aim.effect, "power": aim.power, "confidence": aim.level, "margin": aim.margin}
        print_json(front | {"needs": [need._asdict() for need in needs]})
        return
    _print_needs(needs, aim.power, _fronts(run) if run else {})


def _print_needs(needs: list[Need], power: float, fronts: dict[str, TableRow]) -> None:
    click.echo(f"Deals needed (95 % confidence, {100 * power:g} % power):\n")
    rows = []
    for need in needs:
        row = {"to know that": need.question, "deals": need.deals or "none is enough"}
        row |= {"95 % of runs": need.most or ""}
        if fronts:  # without a run there are no cells, and no pace
            time = "" if need.seconds is None else duration(need.seconds)
            row = fronts[need.cell] | row | {"time": time}
        rows.append(row | {"": need.note})
    print_table(rows)


def _fronts(run: Run) -> dict[str, TableRow]:
    """Return the columns of setting and lineup of each cell, by the text that names the cell of a `Need`."""
    labels = labels_of(Findings(run))
    fronts = (labels.in_columns(cell.index) | {"lineup": labels.lineup(cell.labels)} for cell in run.cells)
    return dict(zip(map(planner.cell_words, run.cells), fronts, strict=True))


def _print_cases(run: Run, aim: Aim) -> None:
    """Print the deals of each verdict, then a line per case, as many as a screen holds."""
    findings, groups = Findings(run), planner.verdict_needs(run, aim)
    is_rotated = len({rotations for _, rotations in groups}) > 1
    for (seats, rotations), needs in groups.items():
        games = f", {counted(rotations, 'game')} a deal" if is_rotated else ""
        click.echo(f"{seats} seats{games}: {join_names(map(_deals_in_words, needs))}.")
    if not groups:
        click.echo("The deals of this run do not vary: they say nothing about how many are needed.")
    first = first_player_advantage(findings)
    shown = choose_cells(findings, MAX_ROWS)
    rows = [_case(findings, row) for row in first.iter_rows(named=True) if row["cell"] in shown]
    click.echo()
    print_table(rows)
    print_parts(rows_left_out(first.height - len(rows)))


def _deals_in_words(need: Need) -> str:
    """Return the deals of one verdict in words."""
    if need.deals is None:
        return f"{need.verdict} never"
    when = need.question.partition(", ")[2]
    most = f" ({roughly(need.most)} in 95 % of runs)" if need.most else ""
    return f"{need.verdict} after about {roughly(need.deals)} deals{most} {when}"


def _case(findings: Findings, row: TableRow) -> TableRow:
    """Return the result of a case so far, and the deals and time that would settle it."""
    labels, run, needed = labels_of(findings), findings.run, row["needed"]
    (cell,) = [candidate for candidate in run.cells if candidate.index == row["cell"]]
    two = run.one_share or row["seats"] == 2
    share = f"{100 * (row['share'] if two else row['farthest_share']):.1f} %"
    columns = labels.in_columns(cell.index)
    columns |= {"lineup": labels.lineup(cell.labels), "seats": row["seats"], "share": share}
    if run.one_side or (max(cells(findings)["seats"]) > 2 and not run.team):
        columns["of the"] = seat_or_side(run, 0 if two else row["farthest"])
    time = duration(needed * cell.rotations * planner.pace(run)) if needed else ""
    needs = {"settled by": "" if needed is None else roughly(needed), "in": time}
    return columns | {"deals": row["deals"], "verdict": row["verdict"]} | needs

"""The plan command: number of deals needed to answer a question."""

from dataclasses import replace

import click
from click import option

from simkit.analysis import Findings
from simkit.api.games import plan_of
from simkit.api.progress import duration
from simkit.cli.options import Given, command, ranged, shared
from simkit.cli.output import print_json, print_table
from simkit.cli.summary import left_out
from simkit.cli.tables import MAX_ROWS, chosen
from simkit.formatting import counted
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import roughly
from simkit.reporting.text.phrases import TableRow, join_names, seat_name
from simkit.runs.experiment import Margin, Share
from simkit.runs.folder import Run, open_run
from simkit.studies import sample_size as planner
from simkit.studies.sample_size import Aim, Need, Power, Table

MARGIN = "Shares this close to fair count as fair. [default: that of the RUN, else 0.02]"


@command("Questions")
@click.argument("run_folder", metavar="[RUN]", required=False)
@option(
    "--effect", type=ranged(Share), default=0.02, help="Difference to detect, as a share: 0.02 is 2 points."
)
@option("--seats", type=ranged(Table), help="Seats of the game, without a RUN. [default: 2]")
@option("--power", type=ranged(Power), default=0.8, help="Chance of detecting the difference if it exists.")
@option("--margin", type=ranged(Margin), help=MARGIN)
@shared("target", "table", "json")
def plan(given: Given, run_folder: str | None, effect: float, seats: int | None, power: float) -> None:
    """Estimate how many deals a question needs.

    Without a RUN you get the deals for single games of equal strategies, or of a team that wins as often as
    --target says. With a RUN, which may be small, you get its verdicts so far, and for each case the deals
    and the time that would settle it.

    \b
    Example:  simkit plan --effect 0.01 --seats 4
    """
    run = open_run(run_folder) if run_folder else None
    aim, seats, target = plan_of(run, effect, seats, power, given.margin, given.target)
    if run and not given.whole and not given.as_json:
        _print_cases(replace(run, experiment=run.experiment.model_copy(update={"margin": aim.margin})), aim)
        return
    needs = planner.plan_from(run, aim) if run else planner.plan(seats, aim, target)
    if given.as_json:
        front = {"effect": effect, "power": power, "confidence": aim.level, "margin": aim.margin}
        print_json(front | {"needs": [need._asdict() for need in needs]})
        return
    _print_needs(needs, power, _fronts(run) if run else {})


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
        click.echo(f"{seats} seats{games}: {join_names(map(_need, needs))}.")
    if not groups:
        click.echo("The deals of this run do not vary: they say nothing about how many are needed.")
    first = findings.first_player_advantage
    shown = chosen(findings, MAX_ROWS)
    rows = [_case(findings, row) for row in first.iter_rows(named=True) if row["cell"] in shown]
    click.echo()
    print_table(rows)
    left_out(first.height - len(rows))


def _need(need: Need) -> str:
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
    two = run.team or row["seats"] == 2
    share = f"{100 * (row['share'] if two else row['farthest_share']):.1f} %"
    columns = labels.in_columns(cell.index)
    columns |= {"lineup": labels.lineup(cell.labels), "seats": row["seats"], "share": share}
    if max(findings.cells["seats"]) > 2 and not run.team:
        columns["of the"] = seat_name(0 if two else row["farthest"])
    time = duration(needed * cell.rotations * planner.pace(run)) if needed else ""
    needs = {"settled by": "" if needed is None else roughly(needed), "in": time}
    return columns | {"deals": row["deals"], "verdict": row["verdict"]} | needs

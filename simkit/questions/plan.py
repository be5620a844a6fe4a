"""Questions: Estimate how many deals a question needs."""

from __future__ import annotations

from typing import Annotated

import polars as pl

from simkit.api.arguments import Shell
from simkit.api.question import checked
from simkit.api.results import AnyRun, findings
from simkit.errors import UsageError
from simkit.runs.experiment import Margin, Share
from simkit.runs.folder import Run
from simkit.studies import sample_size
from simkit.studies.sample_size import Aim, Power, Table

USUAL_MARGIN = 0.02


@checked
def plan(
    run: Annotated[AnyRun, Shell(metavar="[RUN]", positional=True)] | None = None,
    *,
    effect: Share = 0.02,
    seats: Table | None = None,
    power: Power = 0.8,
    margin: Margin | None = None,
    target: Share | None = None,
) -> pl.DataFrame:
    """Estimate how many deals a question needs.

    Without `run` you get the deals for single games of equal strategies, or of a team that wins as often as
    `target` says. With it, which may be small, you get its verdicts so far, and for each case the deals
    and the time that would settle it.

    Args:
        run: A run (it may be small) whose verdicts are to be settled; without one, games of equal
            strategies.
        effect: Difference of shares to detect: 0.02 is two points.
        seats: Seats of the game, without `run`; 2 by default.
        power: Chance of detecting the difference if it exists.
        margin: Shares this close to fair count as fair; by default that of `run`, else 0.02.
        target: Win rate of a team, without `run`.

    Returns:
        A row per verdict or comparison, with the deals that it needs.

    Raises:
        UsageError: A number out of range.

    Example:
        >>> plan(effect=0.01)["deals"][0]
        19620

    Command line::

        simkit plan --effect 0.01 --seats 4
    """
    played = None if run is None else findings(run).run
    aim, seats, target = plan_of(played, effect, seats, power, margin, target)
    needs = sample_size.plan_from(played, aim) if played else sample_size.plan(seats, aim, target)
    return pl.DataFrame([need._asdict() for need in needs], infer_schema_length=None)


def plan_of(
    run: Run | None,
    effect: float,
    seats: int | None,
    power: float,
    margin: float | None,
    target: float | None,
) -> tuple[Aim, int, float | None]:
    """Return aim, seats and target of a plan; UsageError for seats or a target beside a run."""
    if run and (seats is not None or target is not None):
        name = "target" if seats is None else "seats"
        raise UsageError(f"{name}: is for a plan without a run; a run has its own")
    usual = run.experiment.margin if run else USUAL_MARGIN
    return Aim(effect, power=power, margin=usual if margin is None else margin), seats or 2, target

"""Results of a ladder: rating and cost of each rung, and what its games say."""

from typing import Annotated, Any, Literal

import polars as pl
from pydantic import BaseModel, Field

from simkit.runs.answers import Search
from simkit.runs.folder import SEARCH, open_run
from simkit.tables.findings import Findings, finding, setting_words
from simkit.tables.reading import marked

LADDER_FOLDER = "ladder"  # of a run with the key skill: its ladder
MILLISECONDS = "milliseconds"  # in the manifest, under machine: strategy -> processor time per decision
RungValue = bool | int | float | str


class Estimate(BaseModel):
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


class Answers(BaseModel):
    """What the mirror of a rung says of a setting."""

    setting: dict[str, RungValue]
    deals: Annotated[int, Field(ge=1)]
    shares: list[Estimate]  # by seat; of a team, one
    verdict: str | None  # None: a team without a target
    turns: Estimate
    lead_changes: Estimate | None
    components: list[str]  # that go most with winning, the strongest first


class FairAt(BaseModel):
    """The value of an option at which the first player's share is fair; None where no value tried is."""

    option: str
    value: float | None
    low: float | None
    high: float | None


class Rung(BaseModel):
    """A player of the ladder: its strength and its answers; its cost is measured, and in the manifest."""

    strategy: str
    searches: bool  # whether it plays on with a policy
    run: str = ""  # name of its side run; empty for the run of the folder itself
    rival: str | None = None  # that it met; None for the lowest rung and for teams
    share: Estimate | None = None  # against the rival in all other seats
    elo: Estimate | None = None  # above the lowest rung
    agreement: float = 1.0  # part of the decisions of the highest rung that it would take, too
    answers: list[Answers] = []
    fair: FairAt | None = None  # where one whole-number option is varied


class Ladder(Search):
    """The results of a ladder."""

    kind: Literal["ladder"] = "ladder"
    vary: list[str]  # options
    rungs: list[Rung] = Field(min_length=2)  # the weakest first

    @property
    def stages(self) -> list[str]:
        """Names of the side runs."""
        return [rung.run for rung in self.rungs if rung.run]

    @property
    def options(self) -> list[str]:
        """Options that the mirrors vary."""
        return self.vary


def ladder_findings(findings: Findings) -> Findings | None:
    """Return the findings of the ladder of a run, which is itself or lies in its folder; None without one."""
    if findings.run.kind == "ladder":
        return findings
    if findings.whole:
        return findings.whole.cached(ladder_findings)
    folder = findings.run.folder / LADDER_FOLDER
    if findings.run.experiment.skill is None or not (folder / SEARCH).is_file():
        return None
    return Findings(open_run(folder))


@finding
def rungs(findings: Findings) -> pl.DataFrame:
    """Per rung of a ladder, the weakest first: strength, cost, and the value at which its shares are fair.

    share: against the rival, the rung below, in all other seats; even: the share if both were as strong; elo:
    above the lowest rung; share and elo with _low and _high; milliseconds: of processor time per decision;
    agreement: part of the decisions of the highest rung that it takes, too; fair, fair_low, fair_high: of
    `option`, null where there is none.
    """
    ladder = findings.cached(ladder_findings)
    if ladder is None:
        return pl.DataFrame()
    rows, times = [], ladder.run.manifest.machine.get(MILLISECONDS, {})
    for place, rung in enumerate(ladder.run.answer_of(Ladder).rungs):
        row: dict[str, Any] = {"rung": place, "strategy": rung.strategy, "searches": rung.searches}
        row |= {"rival": rung.rival, "even": 1 / ladder.run.cells[0].seats}
        row |= _estimate_ends("share", rung.share) | _estimate_ends("elo", rung.elo)
        row |= {"milliseconds": times.get(rung.strategy), "agreement": rung.agreement}
        fair = rung.fair.model_dump() if rung.fair else dict.fromkeys(("option", "value", "low", "high"))
        row |= {"option": fair["option"], "fair": fair["value"]}
        rows.append(row | {f"fair_{end}": fair[end] for end in ("low", "high")})
    return marked(pl.DataFrame(rows, infer_schema_length=None), findings.always)


@finding
def rung_answers(findings: Findings) -> pl.DataFrame:
    """Per rung, setting and seat (of a team, one row): share with interval, verdict, length, lead changes.

    low, high hold at every interim analysis; turns and lead_changes are means with _low and _high;
    components: columns of the seats table that surely go with winning, the most certain first.
    """
    ladder = findings.cached(ladder_findings)
    if ladder is None:
        return pl.DataFrame()
    rows = []
    for place, rung in enumerate(ladder.run.answer_of(Ladder).rungs):
        for answers in rung.answers:
            row: dict[str, Any] = {"rung": place, "strategy": rung.strategy, "searches": rung.searches}
            row |= answers.setting
            row |= {"setting": setting_words(answers.setting), "deals": answers.deals}
            row |= {"verdict": answers.verdict, "components": answers.components}
            row |= _estimate_ends("turns", answers.turns) | _estimate_ends(
                "lead_changes", answers.lead_changes
            )
            for seat, share in enumerate(answers.shares):
                ends = {"share": share.value, "low": share.low, "high": share.high}
                rows.append(row | {"seat": seat, "fair": ladder.run.cells[0].fair} | ends)
    kinds = {"verdict": pl.String}  # null for a team without a target
    table = pl.DataFrame(rows, schema_overrides=kinds, infer_schema_length=None)
    return marked(table, findings.always)


def _estimate_ends(name: str, estimate: Estimate | None) -> dict[str, float | None]:
    numbers = (estimate.value, estimate.low, estimate.high) if estimate else (None, None, None)
    return dict(zip((name, f"{name}_low", f"{name}_high"), numbers, strict=True))

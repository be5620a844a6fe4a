"""Results of a ladder: rating and cost of each rung, and what its games say."""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Annotated, Any, Literal, TypeVar

import polars as pl
from pydantic import BaseModel, Field

from simkit.runs.answers import StudyResults
from simkit.runs.folder import RESULTS_FILE, Run, open_run, open_unfinished
from simkit.stats.verdicts import BORDERLINE, GOOD
from simkit.tables.findings import Findings, finding, setting_words
from simkit.tables.reading import mark_always

LADDER_FOLDER = "ladder"  # of a run with the key skill: its ladder
MILLISECONDS = "milliseconds"  # in the manifest, under machine: strategy -> processor time per decision
RungValue = bool | int | float | str
NEAR = (*GOOD, BORDERLINE)  # verdicts that imply that a setting is near fair


class Estimate(BaseModel):
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


class Share(Estimate):
    """A share; its second interval is the one that the verdict rests on."""

    ever_low: float | None = None  # as in `seat_shares`; None in ladders played before it was kept
    ever_high: float | None = None


class Answers(BaseModel):
    """What the mirror of a rung says of a setting."""

    setting: dict[str, RungValue]
    deals: Annotated[int, Field(ge=1)]
    shares: list[Share]  # by seat; of a team, one
    verdict: str | None  # None: a team without a target
    near: bool | None = None  # as in `first_player_advantage`; None in ladders played before it was kept
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
    family: str = ""  # of players: scripted, search or learned; empty for random moves
    panel: Estimate | None = None  # what it wins against the panel, in a team by itself
    run: str = ""  # name of its side run; empty for the run of the folder itself
    rival: str | None = None  # that it met; None for the lowest rung and for teams
    share: Estimate | None = None  # against the rival in all other seats
    elo: Estimate | None = None  # above the lowest rung
    agreement: float = 1.0  # part of the decisions of the highest rung that it would take, too
    answers: list[Answers] = []
    fair: FairAt | None = None  # where one whole-number option is varied


class Ladder(StudyResults):
    """The results of a ladder."""

    kind: Literal["ladder"] = "ladder"
    vary: list[str]  # options
    panel: list[str] = []  # players that every rung met; their share orders the rungs
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
    if findings.run.experiment.skill is None or not (folder / RESULTS_FILE).is_file():
        return None
    return Findings(open_run(folder))


def rung_runs(findings: Findings) -> list[Run]:
    """Return the runs in which the rungs of a ladder play, as far as they are present."""
    ladder = findings.cached(ladder_findings)
    return [ladder.run, *map(open_unfinished, ladder.run.search_runs)] if ladder else []


@finding
def rungs(findings: Findings) -> pl.DataFrame:
    """Per rung of a ladder, the weakest first: strength, cost, and the value at which its shares are fair.

    family: scripted, search or learned, empty for random moves; panel: what it wins against players that all
    rungs met, in all other seats (of a team, by itself), which orders the rungs; share: against the rival,
    the rung below, in all other seats; even: the share if both were as strong; elo: above the lowest rung;
    panel, share and elo with _low and _high; milliseconds: of processor time per decision; agreement: part of
    the decisions of the highest rung that it takes, too; fair, fair_low, fair_high: of `option`, null where
    there is none.
    """
    ladder = findings.cached(ladder_findings)
    if ladder is None:
        return pl.DataFrame()
    rows, times = [], ladder.run.manifest.machine.get(MILLISECONDS, {})
    for place, rung in enumerate(ladder.run.answer_of(Ladder).rungs):
        row: dict[str, Any] = {"rung": place, "strategy": rung.strategy, "searches": rung.searches}
        row |= {"family": rung.family} | _estimate_ends("panel", rung.panel)
        row |= {"rival": rung.rival, "even": 1 / ladder.run.cells[0].seats}
        row |= _estimate_ends("share", rung.share) | _estimate_ends("elo", rung.elo)
        row |= {"milliseconds": times.get(rung.strategy), "agreement": rung.agreement}
        fair = rung.fair.model_dump() if rung.fair else dict.fromkeys(("option", "value", "low", "high"))
        row |= {"option": fair["option"], "fair": fair["value"]}
        rows.append(row | {f"fair_{end}": fair[end] for end in ("low", "high")})
    return mark_always(pl.DataFrame(rows, infer_schema_length=None), findings.always)


@finding
def rung_answers(findings: Findings) -> pl.DataFrame:
    """Per rung, setting and seat (of a team, one row): share with interval, verdict, length, lead changes.

    ever_low, ever_high: the interval that the verdict rests on; near: whether every seat is surely less than
    1.5 margins off fair; turns and lead_changes are means with _low and _high; components: columns of the
    seats table that surely go with winning, the most certain first.
    """
    ladder = findings.cached(ladder_findings)
    if ladder is None:
        return pl.DataFrame()
    rows = []
    for place, rung in enumerate(ladder.run.answer_of(Ladder).rungs):
        for answers in rung.answers:
            row: dict[str, Any] = {"rung": place, "strategy": rung.strategy, "searches": rung.searches}
            row |= {"family": rung.family} | answers.setting
            row |= {"setting": setting_words(answers.setting), "deals": answers.deals}
            near = answers.verdict in NEAR if answers.near is None else answers.near
            row |= {"verdict": answers.verdict, "near": near, "components": answers.components}
            row |= _estimate_ends("turns", answers.turns) | _estimate_ends(
                "lead_changes", answers.lead_changes
            )
            for seat, share in enumerate(answers.shares):
                ends = {"share": share.value, "low": share.low, "high": share.high}
                ends |= {"ever_low": share.low if share.ever_low is None else share.ever_low}
                ends |= {"ever_high": share.high if share.ever_high is None else share.ever_high}
                rows.append(row | {"seat": seat, "fair": ladder.run.cells[0].fair} | ends)
    kinds = {"verdict": pl.String}  # null for a team without a target
    table = pl.DataFrame(rows, schema_overrides=kinds, infer_schema_length=None)
    return mark_always(table, findings.always)


# Which rungs speak for a ladder. Players of one family share habits: what one family shows may be these.

AnyRow = TypeVar("AnyRow", bound=Mapping[str, Any])  # of a rung, or of its answers


def compared_rows(rows: Sequence[AnyRow]) -> list[AnyRow]:
    """Return the rows of the strongest rung of each family; of one family, of its weakest and strongest."""
    best = _best_of_families(rows)
    if len(best) > 1:
        return [row for row in rows if row["rung"] in best]
    own = sorted({row["rung"] for row in rows if row["family"] or not best})
    every = own if len(own) > 1 else sorted({row["rung"] for row in rows})
    return [row for row in rows if row["rung"] in (every[0], every[-1])]


def deciding_rows(rows: Sequence[AnyRow]) -> list[AnyRow]:
    """Return the rows of the strongest rungs of the two strongest families, which decide.

    Of a single family, those of the two highest rungs.
    """
    best = _best_of_families(rows)
    deciding = best if len(best) > 1 else sorted({row["rung"] for row in rows})
    return [row for row in rows if row["rung"] in deciding[-2:]]


def _best_of_families(rows: Sequence[AnyRow]) -> list[int]:
    """Return the number of the strongest rung of each family, the weakest first."""
    best = {row["family"]: row["rung"] for row in sorted(rows, key=itemgetter("rung")) if row["family"]}
    return sorted(best.values())


def _estimate_ends(name: str, estimate: Estimate | None) -> dict[str, float | None]:
    numbers = (estimate.value, estimate.low, estimate.high) if estimate else (None, None, None)
    return dict(zip((name, f"{name}_low", f"{name}_high"), numbers, strict=True))

"""Results of a search for fair values: values, checks on fresh deals, measured points, fitted curves."""

from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple, Self

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, model_validator

from simkit.formatting import counted
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import TableRow, interval_words, join_names, number
from simkit.page.words.verdicts import joint_verdict_words, players
from simkit.runs.answers import Count, Number, Share, Stage, StudyResults, Whole
from simkit.stats.verdicts import GOOD, OFF
from simkit.tables.findings import Findings, attribute, finding
from simkit.tables.reading import reals, text_columns, whole
from simkit.tables.seats import advantage_less_bias, seat_shares

POOLED = "all lineups together"  # stands in the lineup column
CHECK = "the best whole number is played again on fresh deals; verdicts, brief and what follows are of these"
BETWEEN = "between the values played straight lines stand for the shares"


class FairValue(BaseModel):
    """The fair value of an option for a lineup, with its interval and the best whole number."""

    lineup: str
    option: str
    value: Number | None  # None: the range holds none
    low: Number | None  # None: the interval is open beyond the range
    high: Number | None
    best: Whole


class Point(BaseModel):
    """The measured share of a seat; the extra keys are the values of the varied options."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Whole]

    look: Stage
    lineup: str
    seat: Count
    share: Share
    low: Share
    high: Share
    deals: Count


class CurvePoint(BaseModel):
    """A point of a fitted curve, with its 95 % band where there is one."""

    lineup: str
    option: str
    seat: Count
    x: Number
    share: Share
    low: Share | None = None
    high: Share | None = None


class FairResults(StudyResults):
    """The results of a search for a fair value."""

    kind: Literal["fair"] = "fair"
    vary: dict[str, tuple[Whole, Whole]]  # option -> range
    usual: dict[str, Whole]
    fair: Share
    values: list[FairValue] = Field(min_length=1)
    points: list[Point]
    curve: list[CurvePoint]
    differing_lineups: list[tuple[str, str]]
    unfit: list[str]  # lineups that straight lines fit badly

    @property
    def stages(self) -> list[str]:
        """Names of the side runs."""
        return list(dict.fromkeys(point.look for point in self.points))

    @property
    def options(self) -> Iterable[str]:
        """Options that the check varies."""
        return self.vary

    def facts(self, label_of: Callable[[str], str]) -> list[tuple[str, str]]:
        """Return ranges, settings and method of the search, and what its check is."""
        ranges = join_names(
            f"{label_of(name)} from {low} to {high}" for name, (low, high) in self.vary.items()
        )
        settings = {tuple(dict(point)[name] for name in self.vary) for point in self.points}
        stages = counted(len(self.stages), "look")
        played = f"{counted(len(settings), 'setting')} in {stages}, each on deals of its own"
        return [("The search", f"{ranges}; {played}"), ("The check", CHECK)]

    @model_validator(mode="after")
    def check_options(self) -> Self:
        """Refuse values without a curve, and values or measurements of other options."""
        valued = {(row.lineup, row.option) for row in self.values}
        if {(row.lineup, row.option) for row in self.curve} != valued:
            raise ValueError("a lineup has no curve")
        settings = [self.usual, *(point.__pydantic_extra__ for point in self.points)]
        if any({*names} != {*self.vary} for names in (*settings, [option for _, option in valued])):
            raise ValueError("the options in it are not those in 'vary'")
        return self


@finding
def fair_values(findings: Findings) -> pl.DataFrame:
    """Per lineup (all combined last) and option of a search: the fair value and the best whole number.

    value: null where the searched range, `least` to `most`, surely contains none; low, high: its 95 %
    interval, for a single option at values that were played, null at an end beyond the range; usual: the
    value that the game has otherwise.
    """
    if findings.run.kind != "fair":
        return pl.DataFrame()
    search = findings.run.answer_of(FairResults)
    kinds = text_columns("lineup", "option") | reals("value", "low", "high") | whole("best")
    option, ranges = pl.col("option"), search.vary
    ends = {"least": {name: low for name, (low, _) in ranges.items()}}
    ends |= {"most": {name: high for name, (_, high) in ranges.items()}, "usual": search.usual}
    of_option = {head: option.replace_strict(values, return_dtype=pl.Int64) for head, values in ends.items()}
    return pl.DataFrame(list(map(dict, search.values)), schema=kinds).with_columns(**of_option)


@finding
def fair_checks(findings: Findings) -> pl.DataFrame:
    """Per cell at the best whole numbers of a lineup: `first_player_advantage` on fresh deals.

    Shares are corrected for the bias of stopping. wanted: the lineup for which these numbers are best; all
    lineups combined have a row for every lineup.
    """
    if not fair_values(findings).width:
        return pl.DataFrame()
    first, parts = advantage_less_bias(findings), []
    for (wanted,), values in fair_values(findings).group_by("lineup", maintain_order=True):
        best = dict(values.select("option", "best").iter_rows())
        at_best = first.filter(pl.col(name) == value for name, value in best.items())
        own = at_best if wanted == POOLED else at_best.filter(lineup=wanted)
        parts.append(own.select(pl.lit(wanted).alias("wanted"), pl.all()))
    return pl.concat(parts)


@finding
def fair_points(findings: Findings) -> pl.DataFrame:
    """Per setting and interim analysis of a search: share of each seat (of a team), with 95 % interval."""
    rows = findings.run.answer_of(FairResults).points if findings.run.kind == "fair" else []
    return pl.DataFrame(list(map(dict, rows)), infer_schema_length=None)


@finding
def fair_curve(findings: Findings) -> pl.DataFrame:
    """Per option of a search and seat: fitted share at places `x`, and its 95 % band if available."""
    kinds = text_columns("lineup", "option") | whole("seat") | reals("x", "share", "low", "high")
    rows = findings.run.answer_of(FairResults).curve if findings.run.kind == "fair" else []
    return pl.DataFrame(list(map(dict, rows)), schema=kinds) if rows else pl.DataFrame()


# Sentences about a search for a fair value: the value, the check on fresh deals, the doubts.


class Best(NamedTuple):
    """Best whole numbers of a lineup, or of all together, with their results on fresh deals."""

    values: list[TableRow]  # one row per option
    setting: str  # "20" for one option, else with the names of the options
    there: str  # "at 20" for one option, else "there"
    rows: list[TableRow]  # one row of the check per lineup

    @property
    def kinds(self) -> set[str]:
        """Verdicts of the lineups."""
        return {row["verdict"] for row in self.rows}

    @property
    def bad(self) -> bool:
        """True if it is off with every lineup."""
        return bool(self.kinds) and self.kinds <= set(OFF)

    @property
    def is_fair(self) -> bool | None:
        """True if it is fair with every lineup, False if it is off with some; None while that is open."""
        return False if self.kinds & set(OFF) else True if self.kinds and self.kinds <= set(GOOD) else None

    def mark(self, best: int) -> str:
        """Return a best whole number, marked where it is not (or not surely) fair."""
        if self.is_fair is False:
            return f"none, nearest {number(best, 0)}"
        return number(best, 0) if self.is_fair or not self.kinds else f"perhaps {number(best, 0)}"


def best_of_all(findings: Findings) -> Best:
    """Return the best values of the only lineup, or of all lineups together."""
    return best_of(findings, fair_values(findings)["lineup"][-1])


def best_of(findings: Findings, lineup: str) -> Best:
    """Return the best values of a lineup."""
    values = fair_values(findings).filter(lineup=lineup).rows(named=True)
    rows = fair_checks(findings).filter(wanted=lineup).rows(named=True)
    if len(values) == 1:
        best = number(values[0]["best"], 0)
        return Best(values, best, f"at {best}", rows)
    setting = labels_of(findings).setting({row["option"]: row["best"] for row in values})
    return Best(values, setting, "there", rows)


def best_table(findings: Findings) -> pl.DataFrame:
    """Return `fair_values` with `interval` and `whole` (the best) in words and the results on fresh deals."""
    rows = []
    for (wanted,), values in fair_values(findings).group_by("lineup", maintain_order=True):
        best = best_of(findings, str(wanted))
        checked = {"cell": None, "share": None, "deals": None, "verdict": verdicts_phrase(findings, best)}
        if len(best.rows) == 1:
            checked = {name: best.rows[0][name] for name in checked}
        for row in values.rows(named=True):
            interval = "" if row["value"] is None else interval_words(row["low"], row["high"])
            rows.append(row | checked | {"whole": best.mark(row["best"]), "interval": interval})
    return pl.DataFrame(rows, infer_schema_length=None)


def of_each_seat(findings: Findings) -> pl.DataFrame:
    """Return `seat_shares` at the best values of all lineups together, with `off`: the distance from fair."""
    cells = [row["cell"] for row in best_of_all(findings).rows]
    off = (pl.col("share") - pl.col("fair")).alias("off")
    return seat_shares(findings).filter(pl.col("cell").is_in(cells)).with_columns(off)


def verdicts_phrase(findings: Findings, best: Best) -> str:
    """Return the verdict with all lineups, and with how many of them it is so."""
    kinds = [row["verdict"] for row in best.rows]
    return joint_verdict_words(kinds, players(findings)) if kinds else "not checked"


def own_bests(findings: Findings) -> dict[str, Best]:
    """Return each lineup's own best values where the best of all is off for some and some have a fair one."""
    names = fair_values(findings)["lineup"].unique(maintain_order=True).to_list()
    each = {name: best_of(findings, name) for name in names if name != POOLED}
    has_fair = any(best.is_fair for best in each.values())
    return each if len(each) > 1 and has_fair and best_of_all(findings).kinds & set(OFF) else {}


@attribute
def value(findings: Findings) -> Any:
    """The fair value that `fair` found, by option if several vary; None where there is none."""
    if not fair_values(findings).height:
        return None
    values = best_of_all(findings).values
    by_option = {row["option"]: row["value"] for row in values}
    return by_option if len(values) > 1 else values[0]["value"]

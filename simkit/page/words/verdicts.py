"""Verdicts in words: whose share a run measures, claims by number of players, and the stamp of a page."""

import math
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

import polars as pl

from simkit.page.document.parts import Stamp
from simkit.page.words.labels import labels_of, lower_first
from simkit.page.words.numbers import (
    TableRow,
    capital,
    distance,
    fair_of_100,
    in_words,
    join_names,
    prose,
    roughly,
    seat_name,
)
from simkit.runs.folder import Run
from simkit.stats.verdicts import (
    BORDERLINE,
    FAULTY,
    GOOD,
    INNER,
    NOT_EQUAL,
    NOT_SETTLED,
    OF_SEATS,
    OF_TEAM,
    OFF,
    OUTER,
)
from simkit.tables import findings as findings_tables
from simkit.tables.findings import Findings, cells, setting_words, written_value
from simkit.tables.seats import first_player_advantage


class Side(NamedTuple):
    """The side whose share a run measures, and its target."""

    name: str
    aim: str
    verdicts: tuple[str, ...]

    @property
    def has_target(self) -> bool:
        """Whether a target replaces the fair share."""
        return self.aim == TARGET


EVEN = 0.5  # fair share between two sides, unless the designer has another target
FIRST_SEAT = Side("first player", "fair", OF_SEATS)
TARGET = "the target"
TEAM = Side("team", TARGET, OF_TEAM)
SCALE = prose("""FAIR means that every seat is less than {margin} off its fair share, BORDERLINE that the
    farthest is {half:g} to {more:g} off (your call), UNFAIR that the farthest is more than {whole:g} off""")
SCALE_OF_SIDES = prose("""FAIR means that the {side} is less than {margin} off {aim}, BORDERLINE that it is
    {half:g} to {more:g} off (your call), UNFAIR that it is more than {whole:g} off""")
SCALE_OF_TEAM = prose("""ON TARGET means that the team is less than {margin} off its target, BORDERLINE that
    it is {half:g} to {more:g} off (your call), TOO EASY or TOO HARD that it is more than {whole:g} off""")


def side_of(run: Run) -> Side:
    """Return the side whose share a run measures."""
    if run.role:
        return Side(run.role, "fair" if run.experiment.target is None else TARGET, OF_SEATS)
    if run.sides:
        return Side(run.sides[0], "fair" if run.cells[0].fair == EVEN else TARGET, OF_SEATS)
    return TEAM if run.team else FIRST_SEAT


def seat_or_side(run: Run, seat: int) -> str:
    """Return the name of a seat whose share is judged, or of the side, role or team judged instead."""
    return side_of(run).name if run.one_share else seat_name(seat)


def verdict_scale(run: Run) -> str:
    """Return the meaning of all verdicts in one sentence."""
    half, whole, more = (100 * part * run.experiment.margin for part in (INNER, 1, OUTER))
    text, side = SCALE_OF_TEAM if run.team else SCALE, side_of(run)
    text = SCALE_OF_SIDES if run.one_side else text
    same = len({cell.fair for cell in run.cells}) == 1
    aim = f"winning {fair_of_100(run.cells[0].fair)} of 100 games" if same else "its fair share"
    off = distance(run.experiment.margin)
    return text.format(margin=off, half=half, whole=whole, more=more, side=side.name, aim=aim)


def beyond_two(findings: Findings) -> bool:
    """Return whether more than two seats play against each other, so that one share is not enough."""
    return not findings.run.one_share and max(cells(findings)["seats"]) > 2


def players(findings: Findings) -> str:
    """Return the noun for several lineups."""
    if findings.run.team:
        return "teams"
    strategies = {cell.labels[0] for cell in findings.run.cells}
    alike = labels_of(findings).all_alike and len(strategies) == cells(findings)["lineup"].n_unique()
    return "computer players" if alike else "lineups"


def of_each_size(findings: Findings, text_of: Callable[[Findings], str]) -> str:
    """Return a text for each number of players."""
    texts = {seats: text_of(part) for seats, part in findings.by_size()}
    return next(iter(texts.values())) if len(texts) == 1 else texts_of_sizes(texts)


def texts_of_sizes(texts: dict[int, str]) -> str:
    """Return a text for each number of players; what several say, or begin with up to a colon, is said once.

    >>> texts_of_sizes({2: "Keep it.", 3: "Keep it.", 4: ""})
    'With 2 and 3 players: keep it.'
    >>> texts_of_sizes({2: "The game is UNFAIR: 60.", 3: "The game is UNFAIR: 70."})
    'The game is UNFAIR: with 2 players 60; with 3 players 70.'
    """
    sizes, heads = dict[str, list[str]](), {text.rpartition(": ")[0] for text in texts.values() if text}
    for seats, text in texts.items():
        if text:
            sizes.setdefault(text, []).append(str(seats))
    sized = {text: f"with {join_names(seats)} players" for text, seats in sizes.items()}
    if len(sizes) > 1 and len(heads) == 1 and heads != {""}:
        (head,) = heads
        tails = (f"{who} {text.rpartition(': ')[2].rstrip('.')}" for text, who in sized.items())
        return f"{head}: {'; '.join(tails)}."
    return " ".join(f"{capital(who)}: {lower_first(text)}" for text, who in sized.items())


def claim(text: str, numbers: str) -> str:
    """Return what is claimed as a sentence, with the numbers behind it."""
    return f"{capital(text)}: {numbers}."


def verdicts_by_size(claims: dict[int, tuple[str, str]]) -> str:
    """Return one sentence on all numbers of players from the subject and the verdict of each.

    >>> verdicts_by_size({2: ("the game", "FAIR"), 3: ("the game", "UNFAIR"), 4: ("the game", "UNFAIR")})
    'The game is FAIR with 2 players and UNFAIR with 3 and 4.'
    >>> verdicts_by_size({2: ("goal 8", "FAIR"), 3: ("goal 9", "FAIR")})
    'Goal 8 is FAIR with 2 players; goal 9 is FAIR with 3.'
    """
    subjects = dict[str, dict[str, list[str]]]()
    for seats, (subject, verdict) in claims.items():
        subjects.setdefault(subject, {}).setdefault(verdict, []).append(str(seats))
    texts, unit = list[str](), " players"
    for subject, verdicts in subjects.items():
        kinds = list[str]()
        for verdict, sizes in verdicts.items():
            judged = "not judged, since too many games failed," if verdict == FAULTY else verdict
            kinds.append(f"{judged} with {join_names(sizes)}{unit}")
            unit = ""
        texts.append(f"{subject} is {join_names(kinds)}")
    return f"{capital('; '.join(texts))}."


def label_rows(findings: Findings, table: pl.DataFrame) -> list[TableRow]:
    """Return the rows of a table, labelled."""
    return labels_of(findings).label(table).rows(named=True)


# Verdicts on settings with several lineups, and the deals needed to settle the open ones.


def with_not_equal(rows: pl.DataFrame, team: bool = False) -> pl.DataFrame:
    """Return cells with the verdict NOT EQUAL where only that is certain about the seats.

    >>> rows = {"verdict": ["NOT SETTLED", "NOT SETTLED", "FAIR"], "unequal": [True, False, True]}
    >>> with_not_equal(pl.DataFrame(rows))["verdict"].to_list()
    ['NOT EQUAL', 'NOT SETTLED', 'FAIR']
    """
    if team:
        return rows
    only_unequal = (pl.col("verdict") == NOT_SETTLED) & pl.col("unequal")
    return rows.with_columns(verdict=pl.when(only_unequal).then(pl.lit(NOT_EQUAL)).otherwise("verdict"))


def joint_verdicts(findings: Findings) -> dict[str, str]:
    """Return the verdict on each setting with all lineups."""
    parts = first_player_advantage(findings).group_by("setting", maintain_order=True).agg("verdict")
    return {setting: joint_verdict(verdicts) for setting, verdicts in parts.iter_rows()}


def joint_verdict(verdicts: Collection[str]) -> str:
    """Return the verdict on a setting with several lineups: off with one is off, open with one is open.

    >>> joint_verdict(["FAIR", "FAIR"]), joint_verdict(["FAIR", "UNFAIR"])
    ('FAIR', 'UNFAIR')
    >>> joint_verdict(["FAIR", "BORDERLINE"]), joint_verdict(["FAIR", "NOT SETTLED"])
    ('BORDERLINE', 'NOT SETTLED')
    >>> joint_verdict(["TOO EASY", "TOO HARD"])
    'TOO EASY or TOO HARD'
    """
    if off := [kind for kind in OFF if kind in verdicts]:
        return " or ".join(off)
    return next(kind for kind in (FAULTY, NOT_SETTLED, NOT_EQUAL, BORDERLINE, *GOOD) if kind in verdicts)


def holds(cases: Sequence[TableRow]) -> bool:
    """Return whether a setting is FAIR with one lineup at least, UNFAIR with none, and surely near with all.

    Every case that is FAIR or BORDERLINE is near: surely less than 1.5 margins off. So is a case between both
    that is open. The chance of this for a setting falls with the distance from fair of any lineup.

    >>> fair, between = {"verdict": "FAIR", "near": True}, {"verdict": "NOT SETTLED", "near": True}
    >>> holds([fair, between]), holds([between]), holds([fair, {"verdict": "UNFAIR", "near": True}])
    (True, False, False)
    """
    verdicts = {row["verdict"] for row in cases}
    return all(row["near"] for row in cases) and bool(verdicts & set(GOOD)) and not verdicts & set(OFF)


def games_that_settle(rows: pl.DataFrame) -> int | None:
    """Return about how many games would settle the last open case; None where that is unknown."""
    games = pl.col("needed") * pl.col("games") / pl.col("deals")
    amounts = rows.filter(verdict=NOT_SETTLED).select(games).to_series()
    return None if amounts.is_empty() or amounts.null_count() else round(max(amounts))


def games_to_settle(rows: pl.DataFrame) -> str:
    """Return about how many games would settle every open case; empty where unknown."""
    games = games_that_settle(rows)
    return f": about {roughly(games)} games each would settle it" if games else ""


def of_each_case(findings: Findings) -> str:
    """Return what is counted by itself, as a suffix: ` for each setting and lineup`; empty for one cell."""
    cells = findings_tables.cells(findings)
    sizes = cells["seats"].n_unique()
    several = {"setting": cells["setting"].n_unique() > 1, "number of players": sizes > 1}
    several["lineup"] = cells["lineup"].n_unique() > sizes
    names = [name for name, varies in several.items() if varies]
    return f" for each {join_names(names)}" if names else ""


def joint_verdict_words(verdicts: list[str], lineups: str) -> str:
    """Return the verdict on a setting with several lineups, and with how many of them it is so.

    >>> joint_verdict_words(["UNFAIR", "UNFAIR"], "teams")
    'UNFAIR'
    >>> joint_verdict_words(["UNFAIR", "FAIR", "BORDERLINE"], "teams")
    'UNFAIR with one of three teams'
    >>> joint_verdict_words(["TOO EASY", "TOO HARD", "NOT SETTLED"], "teams")
    'TOO EASY with one and TOO HARD with one of three teams'
    """
    kinds = joint_verdict(verdicts).split(" or ")
    if len(set(verdicts)) == 1:
        return kinds[0]
    counts = (f"{kind} with {in_words(verdicts.count(kind))}" for kind in kinds)
    return f"{' and '.join(counts)} of {in_words(len(verdicts))} {lineups}"


# The stamp of a page: the decision in a few words

CHANGE, KEEP = Stamp("Change it", "change"), Stamp("Keep it", "keep")
DEPENDS = Stamp("Depends on who plays", "open")
NOT_KNOWN = "Not known yet"  # begins the stamp of an open question
MIN_MORE = 100  # fewest further games that a stamp asks for
MAX_RATIO = 100  # widest half interval, in leads, from which the games that settle a match are estimated


def not_known(more: float | None = None, each: bool = False) -> Stamp:
    """Return the stamp of an open question; `more` games would settle it, or so many of each case."""
    count = f"{'up to ' if each else ''}{roughly(math.ceil(more or 0))}"
    games = f" (play {count} more games{' each' if each else ''})" if more else ""
    return Stamp(f"{NOT_KNOWN}{games}", "open")


def open_setting(run: Run, stamp: Stamp | None, settings: Collection[str]) -> str:
    """Return the setting that a stamp leaves open, as in the address of a page with dials; else nothing.

    Nothing, too, for several settings or numbers of players, and for a table in a file, which is no dial.
    """
    options = {setting_words(cell.varied): cell.varied for cell in run.cells}
    varied, seats = [options[name] for name in {*settings} & {*options}], {cell.seats for cell in run.cells}
    if stamp is None or not stamp.text.startswith(NOT_KNOWN) or len(varied) != 1 or len(seats) != 1:
        return ""
    if varied[0].keys() - run.words.options.keys():
        return ""
    return urlencode({"seats": seats.pop(), **{name: written_value(varied[0][name]) for name in varied[0]}})


def fairness_stamp(cases: Sequence[TableRow], more: float | None = None) -> Stamp:
    """Return whether to change or to keep a rule by what is certain of it (`verdict`, `near`) by players.

    One verdict of UNFAIR is enough for a change. A rule that `holds` is kept.
    """
    kinds = {row["verdict"] for row in cases}
    if kinds & set(OFF):
        return CHANGE
    if holds(cases):
        return KEEP
    return not_known(more if kinds & {NOT_SETTLED, FAULTY} else None, each=len(cases) > 1)


def more_games(rows: pl.DataFrame) -> float:
    """Return the further games that would settle the last open case; 0 where that is unknown."""
    total = games_that_settle(rows) if rows.height else None
    return max(MIN_MORE, total - rows.filter(verdict=NOT_SETTLED)["games"][0]) if total else 0


def games_by_interval(row: TableRow, margin: float) -> float:
    """Return about how many games would settle by its interval how far a share is from fair."""
    off, half = abs(row["share"] - row["fair"]), (row["high"] - row["low"]) / 2
    room = max(abs(off - margin), min(off - INNER * margin, OUTER * margin - off))
    return float(row["deals"] * (half / room) ** 2)


def stamp_of_rungs(answers: Sequence[TableRow], margin: float) -> Stamp:
    """Return the decision by the answers of the rungs that decide, one or more seats each.

    Where one surely finds fair what the other surely finds unfair, there is none.
    """
    if {row["verdict"] for row in answers} & set(GOOD) and any(row["verdict"] in OFF for row in answers):
        return DEPENDS
    rows = [row | {"low": row["ever_low"], "high": row["ever_high"]} for row in answers]
    more = [games_by_interval(row, margin) - row["deals"] for row in rows if row["verdict"] == NOT_SETTLED]
    return fairness_stamp(answers, max([MIN_MORE, *more]))


def games_needed(row: TableRow) -> int | None:
    """Return about how many games would settle a match if the score stays as it is; None for an even score.

    >>> row = {"score": 0.51, "low": 0.49, "high": 0.53, "games": 2500}
    >>> games_needed(row), games_needed(row | {"score": 0.5})
    (10000, None)
    """
    off = abs(row["score"] - 0.5)
    ratio = (row["high"] - row["low"]) / 2 / off if off else math.inf
    return round(row["games"] * ratio**2) if ratio < MAX_RATIO else None


def value_stamp(value: str, cases: Sequence[TableRow], more: float | None = None) -> Stamp:
    """Return whether to use a value, by what is certain of it on fresh deals."""
    stamp = fairness_stamp(cases, more)
    if stamp == CHANGE:
        return Stamp("No fair value in range", "change")
    return Stamp(f"Use {value}", "keep") if stamp == KEEP else stamp

"""The answer to the question of a run, in a designer's words: a headline, what to do, how sure it is."""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings, axes
from simkit.reporting.text.between import between_neighbours
from simkit.reporting.text.confidence import sureness
from simkit.reporting.text.confidence import warnings as warnings_of
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import FIRST_SEAT, TEAM, named, players, side_of
from simkit.reporting.text.phrases import (
    Row,
    fair_of_100,
    games_of_100,
    in_words,
    none_of,
    prose,
    seat_name,
    whole,
)
from simkit.reporting.text.verdict_counts import EDGE, settled_by, standings, unsettled
from simkit.reporting.text.verdict_counts import OPEN as OPEN_STILL
from simkit.stats.verdicts import BORDERLINE, EASY, FAIR, FAULTY, HARD, NOT_SETTLED, ON_TARGET, UNFAIR

MOST_NEAR = 4  # settings nearest to fair that are told side by side
MOST_ADVISED = 3
PICKED = "Picked from these games, so check it on fresh deals before it is printed."
SAID = {FAIR: "is fair", UNFAIR: "is not fair", ON_TARGET: "is on target", EASY: "is too easy"}
SAID |= {HARD: "is too hard", NOT_SETTLED: "is not settled yet", BORDERLINE: "is a borderline case"}
SAID |= {FAULTY: "cannot be judged, since too many games failed"}


class Answer(NamedTuple):
    """The question, what answers it, what to do, how sure that is, and the rows that it rests upon."""

    question: str
    headline: str
    advice: str
    sure: list[str]
    warnings: list[str]
    first_seat: Sequence[Row] = ()  # `answered`: per cell looked at
    nearest: Sequence[Row] = ()  # per lineup: the tried setting nearest to fair
    settings: Sequence[Row] = ()  # where several were tried: `settings`, with the row of each lineup

    @property
    def sentence(self) -> str:
        return f"{self.headline} {self.advice}".strip()


def answer(findings: Findings) -> Answer:
    looked, rows = named(findings, findings.answered), findings.answered.rows(named=True)
    swept = findings.first_player_advantage["setting"].n_unique() > 1
    settings, nearest = (_near(findings), findings.nearest.rows(named=True)) if swept else ([], [])
    advice = _advice(findings) if swept else _among(findings, looked)
    sure, warnings = sureness(findings, looked), warnings_of(findings, looked)
    question = findings.run.experiment.question
    return Answer(question, _headline(findings, looked), advice, sure, warnings, rows, nearest, settings)


def _headline(findings: Findings, looked: list[Row]) -> str:
    """What the rows looked at say together."""
    subject = _subject(findings, looked[0])
    kinds = [row["verdict"] for row in looked]
    if set(kinds) == {UNFAIR} and max(row["seats"] for row in looked) == 2 and _sides(looked) == {-1, 1}:
        said = "is not fair, and who is ahead depends on who plays"
    else:
        said = _verdict(kinds, players(findings))
    return f"{subject[:1].upper()}{subject[1:]} {said}: {_wins(findings, looked)}."


def _sides(looked: list[Row]) -> set[int]:
    return {1 if row["share"] > row["fair"] else -1 for row in looked}


def _subject(findings: Findings, row: Row) -> str:
    called = findings.run.experiment.called.get("baseline")
    if row["baseline"] and called:
        return called
    where = row["setting"]
    if not where:
        return "this team" if findings.run.team else "the game"
    if row["chosen"]:
        return f"{where}, the farthest from {side_of(findings.run).aim} of all settings tried,"
    labels = labels_of(findings)
    if where == labels.base:
        return "the game as printed" if where == "rulebook" else f"the {where}"
    return labels.with_base(where, True) if row["baseline"] else where


def _verdict(kinds: list[str], who: str) -> str:
    """The verdicts on several lineups in words.

    >>> _verdict(["UNFAIR", "UNFAIR"], "computer players"), _verdict(["FAIR"], "computer players")
    ('is not fair', 'is fair')
    >>> _verdict(["UNFAIR", "FAIR", "BORDERLINE"], "computer players")
    'is not fair with one of three computer players'
    >>> _verdict(["FAIR", "FAIR", "BORDERLINE"], "teams")
    'is fair with two of three teams and borderline with the other'
    >>> _verdict(["TOO MANY FAILED", "NOT SETTLED"], "teams")
    'cannot be judged, since too many games failed with one of two teams'
    >>> _verdict(["TOO EASY", "TOO HARD", "TOO EASY"], "teams")
    'is too hard with one and too easy with two of three teams'
    """
    if len(set(kinds)) == 1:
        return SAID[kinds[0]]
    if {EASY, HARD} <= set(kinds):
        hard, easy = (in_words(kinds.count(kind)) for kind in (HARD, EASY))
        return f"is too hard with {hard} and too easy with {easy} of {in_words(len(kinds))} {who}"
    ranked = (UNFAIR, HARD, EASY, FAIR, ON_TARGET, FAULTY, NOT_SETTLED, BORDERLINE)
    worst = next(kind for kind in ranked if kind in kinds)
    many = kinds.count(worst)
    text = f"{SAID[worst]} with {in_words(many)} of {in_words(len(kinds))} {who}"
    if worst in (FAIR, ON_TARGET):
        rest = [kind for kind in kinds if kind != worst]
        said = "borderline" if set(rest) == {BORDERLINE} else "not settled"
        text += f" and {said} with the other{'s' * (len(rest) > 1)}"
    return text


def _wins(findings: Findings, rows: list[Row]) -> str:
    """Who wins how many games of 100 at the cells of some rows; of each number of seats by itself."""
    if findings.run.team:
        return f"the team wins {_of_100(rows)} ({fair_of_100(rows[0]['fair'])} is the target)"
    sizes = sorted({row["seats"] for row in rows})
    if sizes == [2]:
        return f"the first player wins {_of_100(rows)}"
    every = [_farthest(findings, [row for row in rows if row["seats"] == seats], seats) for seats in sizes]
    if len(sizes) == 1:
        return every[0]
    return "; ".join(f"with {in_words(n)} players {said}" for n, said in zip(sizes, every, strict=True))


def _of_100(rows: list[Row]) -> str:
    return games_of_100(*(row["share"] for row in rows))


def _farthest(findings: Findings, rows: list[Row], seats: int) -> str:
    """Of two seats the first; else that farthest from fair over all lineups of a size, and what is fair."""
    cells = [row["cell"] for row in rows]
    shares = findings.seat_shares.filter(pl.col("cell").is_in(cells))
    off = (pl.col("share") - pl.col("fair")).abs().max().alias("off")
    seat = 0 if seats == 2 else shares.group_by("seat").agg(off).sort("off", "seat")["seat"][-1]
    some = shares.filter(seat=seat)
    won, fair = some["share"].to_list(), some["fair"].to_list()
    said = games_of_100(*won)
    return f"the {seat_name(seat)} wins {said} ({fair_of_100(sum(fair) / len(fair))} would be fair)"


def _with_all(findings: Findings, lineups: int) -> str:
    """With all lineups, where there are several."""
    every = "both" if lineups == 2 else f"all {in_words(lineups)}"
    return f" with {every} {players(findings)}" if lineups > 1 else ""


def _among(findings: Findings, looked: list[Row]) -> str:
    """Of several lineups at one setting those at the ends."""
    if len(looked) < 2 or len({row["seats"] for row in looked}) > 1:
        return ""
    least, *_, most = sorted(looked, key=lambda row: row["share"])
    side = side_of(findings.run).name
    if whole(least["share"]) == whole(most["share"]):
        return ""
    return prose(f"""The {side} wins least with {least["lineup"]} ({whole(least["share"])} of 100), most with
        {most["lineup"]} ({whole(most["share"])}).""")


def _advice(findings: Findings) -> str:
    """Which of the settings tried to take instead."""
    side, good = side_of(findings.run), advised(findings)
    if findings.answered.height == 1 and findings.nearest.height == 1:
        best = findings.nearest.row(0, named=True)
        good = good or ([best["setting"]] if best["verdict"] == side.verdicts[0] else [])
    first, labels = findings.first_player_advantage, labels_of(findings)
    base = first.filter("baseline")["setting"].unique().to_list()
    if base and set(first.filter("baseline")["verdict"]) == {side.verdicts[0]}:
        return "It needs no change."
    good = good[: good.index(base[0])] if base and base[0] in good else good  # those that are nearer
    if good:
        return _instead(findings, good)
    if findings.settings.is_empty():
        return ""
    between = between_neighbours(findings)
    best = findings.settings["setting"][0]
    there = _at(findings, best)
    if base == [best]:
        return between or _nothing_nearer(first["setting"].n_unique() - 1, side.aim)
    who, right = _with_all(findings, len(there)), "on target" if findings.run.team else "fair"
    if OPEN_STILL in (kinds := set(standings(findings).values())):
        return prose(f"""{unsettled(findings)} whether a setting is {right}{who}{settled_by(findings)}.
            Nearest so far is {labels.at(best)}, where {_wins(findings, there)}.""")
    known = "known to be " * (EDGE in kinds)
    tied = equally_near(findings.settings.rows(named=True))
    nearest = f"{'are' if len(tied) > 1 else 'is'} {labels.settings(tied, 'and')}"
    there = [row for setting in tied for row in _at(findings, setting)]
    none = f"No setting tried is {known}{right}{who}; nearest {nearest}, where {_wins(findings, there)}."
    return f"{none} {between}".strip()


def equally_near(settings: list[Row]) -> list[str]:
    """The settings as near to fair as the first one, in whole games of 100, at most MOST_ADVISED.

    >>> offs = {"a": 0.051, "b": 0.053, "c": 0.06}
    >>> equally_near([{"setting": name, "off": off} for name, off in offs.items()])
    ['a', 'b']
    """
    near = [row["setting"] for row in settings if whole(row["off"]) == whole(settings[0]["off"])]
    return near[:MOST_ADVISED]


def _nothing_nearer(others: int, aim: str) -> str:
    """That none of the other settings is better.

    >>> _nothing_nearer(1, "fair")
    'The other setting tried does not look nearer to fair.'
    >>> _nothing_nearer(6, "fair")
    'None of the six other settings tried looks nearer to fair.'
    """
    if others == 1:
        return f"The other setting tried does not look nearer to {aim}."
    return f"{none_of(others).capitalize()} other settings tried looks nearer to {aim}."


def _instead(findings: Findings, good: list[str]) -> str:
    labels = labels_of(findings)
    there = [row for setting in good for row in _at(findings, setting)]
    who = _with_all(findings, len(_at(findings, good[0])))
    names = labels.settings(in_order(findings, good))
    two = {row["seats"] for row in there} == {2}
    side = side_of(findings.run).name
    plain = two or findings.run.team
    won = f"the {side} wins {_of_100(there).partition(' game')[0]}" if plain else _wins(findings, there)
    return f"Instead try: {names}. Then {won}{who and ','}{who}. {PICKED}"


def _at(findings: Findings, setting: str) -> list[Row]:
    return named(findings, findings.first_player_advantage.filter(setting=setting))


def in_order(findings: Findings, settings: list[str]) -> list[str]:
    """Settings in the order of the experiment."""
    return sorted(settings, key=findings.cells["setting"].unique(maintain_order=True).to_list().index)


def advised(findings: Findings) -> list[str]:
    """The settings worth a try, nearest to fair first: within the margin, UNFAIR with no lineup.

    None is farther from fair than the baseline; where that is fair, nothing else is advised.
    """
    if findings.first_player_advantage["setting"].n_unique() < 2 or findings.settings.is_empty():
        return []
    bad = findings.first_player_advantage.filter(pl.col("verdict").is_in([UNFAIR, EASY, HARD]))["setting"]
    near = pl.col("off") <= findings.run.experiment.margin
    few = findings.settings.filter(near & ~pl.col("setting").is_in(bad.to_list()))["setting"].to_list()
    before = findings.first_player_advantage.filter("baseline")
    if (base := before["setting"].unique().to_list()) and base[0] in few:
        fine = set(before["verdict"]) == {side_of(findings.run).verdicts[0]}
        few = base if fine else few[: few.index(base[0]) + 1]
    return few[:MOST_ADVISED]


def _near(findings: Findings) -> list[Row]:
    """The settings nearest to fair for all lineups, and the baseline, each with the row of every lineup."""
    settings, first = findings.settings, findings.first_player_advantage
    order = first["setting"].unique(maintain_order=True).to_list()
    near = list(dict.fromkeys([*_beside(findings, order), *settings["setting"].to_list()]))[:MOST_NEAR]
    kept = settings.filter(pl.col("setting").is_in(near) | pl.col("baseline")).rows(named=True)
    keys = (
        "cell",
        "lineup",
        "seats",
        "share",
        "low",
        "high",
        "fair",
        "games",
        "verdict",
        "farthest",
        "farthest_share",
    )
    kept = sorted(kept, key=lambda row: order.index(row["setting"]))
    of = first.select("setting", *keys).partition_by("setting", as_dict=True, include_key=False)
    return [row | {"lineups": of[row["setting"],].rows(named=True)} for row in kept]


def _beside(findings: Findings, order: list[str]) -> list[str]:
    """Along one option the settings advised and those right beside them, which show where it tips over."""
    good = [order.index(setting) for setting in advised(findings)]
    if not good or len(axes(findings.run)) != 1 or not axes(findings.run)[0].whole_numbers:
        return []
    around = order[max(0, min(good) - (len(good) < MOST_ADVISED)) : max(good) + 2]
    return [*(order[place] for place in good), *around]


def tally(verdicts: list[str], who: str) -> str:
    """Verdicts of several lineups in words; `who`: what these are called.

    >>> tally(["UNFAIR", "UNFAIR"], "teams"), tally(["FAIR", "BORDERLINE", "BORDERLINE"], "lineups")
    ('UNFAIR with every team', 'FAIR with 1, BORDERLINE with 2 lineups')
    """
    scale = FIRST_SEAT.verdicts if {FAIR, UNFAIR} & set(verdicts) else TEAM.verdicts
    kinds = [kind for kind in scale if kind in verdicts]
    if len(kinds) == 1:
        return f"{kinds[0]} with every {who.removesuffix('s')}"
    last = verdicts.count(kinds[-1])
    who = who.removesuffix("s") if last == 1 else who
    return f"{', '.join(f'{kind} with {verdicts.count(kind)}' for kind in kinds)} {who}"

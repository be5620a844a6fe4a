"""The answer to a run's question in a designer's words: a headline, advice and its certainty."""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings, axes
from simkit.reporting.text.between import between_neighbours
from simkit.reporting.text.confidence import sureness
from simkit.reporting.text.confidence import warnings as warnings_of
from simkit.reporting.text.confirmed import check_answer, recommended
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.ladder import agreed, skill_sentence
from simkit.reporting.text.perspective import Claim, join_sizes, named, of_each_size, players, side_of
from simkit.reporting.text.phrases import (
    Row,
    fair_of_100,
    games_of_100,
    in_words,
    prose,
    roughly,
    seat_name,
    whole,
)
from simkit.reporting.text.verdict_counts import (
    advisable,
    games_that_settle,
    joint_verdicts,
    joint_with,
    settled_by,
    unsettled,
)
from simkit.stats.verdicts import BORDERLINE, FAULTY, NOT_SETTLED, OFF, UNFAIR

MAX_NEAR_SETTINGS = 4  # settings nearest to fair that are listed side by side
MAX_ADVISED = 3
PICKED = "Picked from these games, so check it on fresh deals before it is printed."


class Answer(NamedTuple):
    """The question, its answer, the advice, how sure they are, and the rows behind them."""

    question: str
    headline: str
    advice: str
    sure: list[str]
    warnings: list[str]
    first_seat: Sequence[Row] = ()  # `answered`: a row per cell of the answer
    nearest: Sequence[Row] = ()  # per lineup: the setting nearest to fair
    settings: Sequence[Row] = ()  # in sweeps: `settings`, with the row of each lineup

    @property
    def sentence(self) -> str:
        """Headline and advice as one text."""
        return f"{self.headline} {self.advice}".strip()


def answer(findings: Findings) -> Answer:
    """Return the answer to the question of a run, for each number of players."""
    looked, rows = named(findings, findings.answered), findings.answered.rows(named=True)
    sure, warnings = sureness(findings, looked), warnings_of(findings, looked)
    question = findings.run.experiment.question
    if not findings.run.judged:
        return Answer(question, wins_of_team(findings), "", sure, warnings, rows)
    swept = findings.first_player_advantage["setting"].n_unique() > 1
    settings, nearest = (_nearest_rows(findings), findings.nearest.rows(named=True)) if swept else ([], [])
    advice = [of_each_size(findings, _advice if swept else _among), skill_sentence(findings)]
    text = " ".join(filter(None, advice))
    return Answer(question, headline(findings), text, sure, warnings, rows, nearest, settings)


def headline(findings: Findings) -> str:
    """Return the verdicts and shares of the cells of the answer, for each number of players."""
    sizes = findings.by_size()
    return " ".join(join_sizes({seats: _claim(part, alone=len(sizes) == 1) for seats, part in sizes}))


def wins_of_team(findings: Findings) -> str:
    """Return how often a team wins that has no target, at the settings at which it wins most and least."""
    first, labels = findings.first_player_advantage, labels_of(findings)
    parts = first.partition_by("setting", maintain_order=True)
    ranked = sorted(parts, key=lambda part: -float(str(part["share"].mean())))
    won = [games_of_100(*part["share"]) for part in ranked]
    if len(ranked) == 1:
        return f"The team wins {won[0]}."
    names = [labels.with_base(labels.at(part["setting"][0]), part["baseline"][0]) for part in ranked]
    return f"The team wins most, {won[0]}, with {names[0]}, and least, {won[-1]}, with {names[-1]}."


def _claim(findings: Findings, alone: bool) -> Claim:
    """Summarize the verdicts and shares of the cells of the answer, at tables of one size.

    alone: whether all tables have this size; then the games that would settle it are named, too.
    """
    looked = named(findings, findings.answered)
    subject, kinds = _subject(findings, looked[0]), [row["verdict"] for row in looked]
    verdict = joint_with(kinds, players(findings))
    if verdict == FAULTY:
        return Claim(f"too many games failed to judge {subject}", wins(findings, looked), settled=False)
    if verdict == UNFAIR and max(row["seats"] for row in looked) == 2 and _sides(looked) == {-1, 1}:
        verdict = f"{UNFAIR}, and who is ahead depends on who plays"
    numbers, settled = wins(findings, looked), not set(kinds) <= {NOT_SETTLED, FAULTY}
    if alone and not settled and (games := games_that_settle(findings.answered)):
        numbers = f"{numbers}, and about {roughly(games)} games would settle it"
    return Claim(f"{subject} is {verdict}", numbers, settled)


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


def wins(findings: Findings, rows: list[Row]) -> str:
    """Return the games won of 100 over the cells of some rows, at tables of one size."""
    if findings.run.team:
        return f"the team wins {_of_100(rows)} ({fair_of_100(rows[0]['fair'])} is the target)"
    seats = rows[0]["seats"]
    if seats == 2 and {row["fair"] for row in rows} == {0.5}:
        return f"the first player wins {_of_100(rows)}"
    return _farthest(findings, rows, seats)


def _of_100(rows: list[Row]) -> str:
    return games_of_100(*(row["share"] for row in rows))


def _farthest(findings: Findings, rows: list[Row], seats: int) -> str:
    """Return the wins of the first of two seats, else of the seat farthest from fair, and the fair share."""
    cells = [row["cell"] for row in rows]
    shares = findings.seat_shares.filter(pl.col("cell").is_in(cells))
    distance = (pl.col("share") - pl.col("fair")).abs().max().alias("off")
    seat = 0 if seats == 2 else shares.group_by("seat").agg(distance).sort("off", "seat")["seat"][-1]
    seat_rows = shares.filter(seat=seat)
    won, fair = seat_rows["share"].to_list(), seat_rows["fair"].to_list()
    games = games_of_100(*won)
    return f"the {seat_name(seat)} wins {games} ({fair_of_100(sum(fair) / len(fair))} would be fair)"


def _with_all(findings: Findings, lineups: int) -> str:
    """Return "with all … lineups" where there are several, else an empty text."""
    quantifier = "both" if lineups == 2 else f"all {in_words(lineups)}"
    return f" with {quantifier} {players(findings)}" if lineups > 1 else ""


def _among(findings: Findings) -> str:
    """Return the lineups with the lowest and the highest share at one setting."""
    looked = named(findings, findings.answered)
    if len(looked) < 2:
        return ""
    least, *_, most = sorted(looked, key=lambda row: row["share"])
    side = side_of(findings.run).name
    if whole(least["share"]) == whole(most["share"]):
        return ""
    return prose(f"""The {side} wins least with {least["lineup"]} ({whole(least["share"])} of 100), most with
        {most["lineup"]} ({whole(most["share"])}).""")


def _advice(findings: Findings) -> str:
    """Return the advice: settings to use instead, or the nearest to fair."""
    side, good = side_of(findings.run), advised(findings)
    first, labels = findings.first_player_advantage, labels_of(findings)
    base = first.filter("baseline")["setting"].unique().to_list()
    if base and set(first.filter("baseline")["verdict"]) == {side.verdicts[0]}:
        return "It needs no change."
    if findings.confirmed.width:
        return check_answer(findings)
    good = good[: good.index(base[0])] if base and base[0] in good else good  # nearer than the baseline
    if good:
        return f"{_instead(findings, good)} {_not_known_yet(findings)}".strip()
    if findings.settings.is_empty():
        return ""
    between = between_neighbours(findings)
    best = findings.settings["setting"][0]
    rows = _at(findings, best)
    if base == [best]:
        return between or f"No other setting tried is nearer to {side.aim}."
    lineups, right = _with_all(findings, len(rows)), "on target" if findings.run.team else "fair"
    if {NOT_SETTLED, FAULTY} & (kinds := set(joint_verdicts(findings).values())):
        return prose(f"""{unsettled(findings)} whether a setting is {right}{lineups}{settled_by(findings)}.
            Nearest so far is {labels.at(best)}, where {wins(findings, rows)}.""")
    certainty = "known to be " if BORDERLINE in kinds else ""
    tied = equally_near(findings.settings.rows(named=True))
    nearest = f"{'are' if len(tied) > 1 else 'is'} {labels.settings(tied, 'and')}"
    rows = [row for setting in tied for row in _at(findings, setting)]
    none = (
        f"No setting tried is {certainty}{right}{lineups}; nearest {nearest}, where {wins(findings, rows)}."
    )
    return f"{none} {between}".strip()


def equally_near(settings: list[Row]) -> list[str]:
    """Return the settings as near to fair as the first in whole games of 100, at most MAX_ADVISED.

    >>> offs = {"a": 0.051, "b": 0.053, "c": 0.06}
    >>> equally_near([{"setting": name, "off": off} for name, off in offs.items()])
    ['a', 'b']
    """
    near = [row["setting"] for row in settings if whole(row["off"]) == whole(settings[0]["off"])]
    return near[:MAX_ADVISED]


def _instead(findings: Findings, good: list[str]) -> str:
    labels = labels_of(findings)
    rows = [row for setting in good for row in _at(findings, setting)]
    lineups = _with_all(findings, len(_at(findings, good[0])))
    names = labels.settings(in_order(findings, good))
    two = {row["seats"] for row in rows} == {2}
    side = side_of(findings.run).name
    plain = two or findings.run.team
    won = f"the {side} wins {_of_100(rows).partition(' game')[0]}" if plain else wins(findings, rows)
    return f"Instead try: {names}. Then {won}{lineups and ','}{lineups}. {PICKED}"


def _not_known_yet(findings: Findings) -> str:
    """Return the settings near fair that are not settled, and the deals that would settle them."""
    kinds = joint_verdicts(findings)
    open_still = [setting for setting in near_fair(findings) if kinds[setting] in (NOT_SETTLED, FAULTY)]
    if not open_still:
        return ""
    names = labels_of(findings).settings(in_order(findings, open_still), "and")
    return f"Not known yet: {names}{settled_by(findings, open_still)}."


def _at(findings: Findings, setting: str) -> list[Row]:
    return named(findings, findings.first_player_advantage.filter(setting=setting))


def in_order(findings: Findings, settings: list[str]) -> list[str]:
    """Return settings in the order of the experiment."""
    return sorted(settings, key=findings.cells["setting"].unique(maintain_order=True).to_list().index)


def advised(findings: Findings) -> list[str]:
    """Return the settings that held on fresh deals; without a check those worth one, the nearest first.

    Without a check their verdicts are settled, and players of a ladder agree.
    """
    if findings.confirmed.width:
        return recommended(findings)
    settled = advisable(findings)
    return [setting for setting in agreed(findings, _near(findings)) if setting in settled][:MAX_ADVISED]


def advised_word(findings: Findings) -> str:
    """Return what readers are told of the advised settings: only a check on fresh deals recommends."""
    return "recommended" if findings.confirmed.width else f"nearest to {side_of(findings.run).aim}"


def near_fair(findings: Findings) -> list[str]:
    """Return the few settings nearest to fair that are not surely unfair, settled or not."""
    return _near(findings)[:MAX_ADVISED]


def _near(findings: Findings) -> list[str]:
    """Return the settings near fair, nearest first: within the margin, UNFAIR with no lineup.

    No setting is farther from fair than the baseline; where the baseline is fair, it is the only one.
    """
    if findings.first_player_advantage["setting"].n_unique() < 2 or findings.settings.is_empty():
        return []
    failing = findings.first_player_advantage.filter(pl.col("verdict").is_in(OFF))["setting"]
    near = pl.col("off") <= findings.run.experiment.margin
    close = findings.settings.filter(near & ~pl.col("setting").is_in(failing.to_list()))["setting"].to_list()
    before = findings.first_player_advantage.filter("baseline")
    if (base := before["setting"].unique().to_list()) and base[0] in close:
        fine = set(before["verdict"]) == {side_of(findings.run).verdicts[0]}
        close = base if fine else close[: close.index(base[0]) + 1]
    return close


def _nearest_rows(findings: Findings) -> list[Row]:
    """Return the settings nearest to fair with all lineups and the baseline, each with all lineups' rows."""
    settings, first = findings.settings, findings.first_player_advantage
    order = first["setting"].unique(maintain_order=True).to_list()
    ranked = dict.fromkeys([*_around_advised(findings, order), *settings["setting"].to_list()])
    near = list(ranked)[:MAX_NEAR_SETTINGS]
    rows = settings.filter(pl.col("setting").is_in(near) | pl.col("baseline")).rows(named=True)
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
    rows = sorted(rows, key=lambda row: order.index(row["setting"]))
    by_setting = first.select("setting", *keys).partition_by("setting", as_dict=True, include_key=False)
    return [row | {"lineups": by_setting[row["setting"],].rows(named=True)} for row in rows]


def _around_advised(findings: Findings, order: list[str]) -> list[str]:
    """Return the advised values of a single option and their neighbours, which show where it tips over."""
    good = [order.index(setting) for setting in advised(findings)]
    if not good or len(axes(findings.run)) != 1 or not axes(findings.run)[0].whole_numbers:
        return []
    around = order[max(0, min(good) - (len(good) < MAX_ADVISED)) : max(good) + 2]
    return [*(order[place] for place in good), *around]

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
from simkit.reporting.text.perspective import named, players, side_of
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
from simkit.reporting.text.verdict_counts import EDGE, advisable, settled_by, standings, unsettled
from simkit.reporting.text.verdict_counts import OPEN as OPEN_STILL
from simkit.stats.verdicts import BORDERLINE, EASY, FAIR, FAULTY, HARD, NOT_SETTLED, ON_TARGET, UNFAIR

MAX_NEAR_SETTINGS = 4  # settings nearest to fair that are listed side by side
MAX_ADVISED = 3
PICKED = "Picked from these games, so check it on fresh deals before it is printed."
VERDICT_WORDS = {FAIR: "is fair", UNFAIR: "is not fair", ON_TARGET: "is on target", EASY: "is too easy"}
VERDICT_WORDS |= {HARD: "is too hard", NOT_SETTLED: "is not settled yet", BORDERLINE: "is a borderline case"}
VERDICT_WORDS |= {FAULTY: "cannot be judged, since too many games failed"}


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
    """Return the answer to the question of a run."""
    looked, rows = named(findings, findings.answered), findings.answered.rows(named=True)
    swept = findings.first_player_advantage["setting"].n_unique() > 1
    settings, nearest = (_nearest_rows(findings), findings.nearest.rows(named=True)) if swept else ([], [])
    advice = _advice(findings) if swept else _among(findings, looked)
    advice = f"{advice} {skill_sentence(findings)}".strip()
    sure, warnings = sureness(findings, looked), warnings_of(findings, looked)
    question = findings.run.experiment.question
    return Answer(question, _headline(findings, looked), advice, sure, warnings, rows, nearest, settings)


def _headline(findings: Findings, looked: list[Row]) -> str:
    """Summarize the verdicts and shares of the cells of the answer."""
    subject = _subject(findings, looked[0])
    kinds = [row["verdict"] for row in looked]
    if set(kinds) == {UNFAIR} and max(row["seats"] for row in looked) == 2 and _sides(looked) == {-1, 1}:
        predicate = "is not fair, and who is ahead depends on who plays"
    else:
        predicate = _verdict(kinds, players(findings))
    return f"{subject[:1].upper()}{subject[1:]} {predicate}: {wins(findings, looked)}."


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


def _verdict(kinds: list[str], lineups: str) -> str:
    """Summarize the verdicts of several lineups.

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
        return VERDICT_WORDS[kinds[0]]
    if {EASY, HARD} <= set(kinds):
        hard, easy = (in_words(kinds.count(kind)) for kind in (HARD, EASY))
        return f"is too hard with {hard} and too easy with {easy} of {in_words(len(kinds))} {lineups}"
    ranked = (UNFAIR, HARD, EASY, FAIR, ON_TARGET, FAULTY, NOT_SETTLED, BORDERLINE)
    worst = next(kind for kind in ranked if kind in kinds)
    count = kinds.count(worst)
    text = f"{VERDICT_WORDS[worst]} with {in_words(count)} of {in_words(len(kinds))} {lineups}"
    if worst in (FAIR, ON_TARGET):
        rest = [kind for kind in kinds if kind != worst]
        rest_verdict = "borderline" if set(rest) == {BORDERLINE} else "not settled"
        text += f" and {rest_verdict} with the other{'s' if len(rest) > 1 else ''}"
    return text


def wins(findings: Findings, rows: list[Row]) -> str:
    """Return the games won of 100 over the cells of some rows, for each number of seats."""
    if findings.run.team:
        return f"the team wins {_of_100(rows)} ({fair_of_100(rows[0]['fair'])} is the target)"
    sizes = sorted({row["seats"] for row in rows})
    if sizes == [2] and {row["fair"] for row in rows} == {0.5}:
        return f"the first player wins {_of_100(rows)}"
    by_size = [_farthest(findings, [row for row in rows if row["seats"] == seats], seats) for seats in sizes]
    if len(sizes) == 1:
        return by_size[0]
    return "; ".join(
        f"with {in_words(n)} players {sentence}" for n, sentence in zip(sizes, by_size, strict=True)
    )


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


def _among(findings: Findings, looked: list[Row]) -> str:
    """Return the lineups with the lowest and the highest share at one setting."""
    if len(looked) < 2 or len({row["seats"] for row in looked}) > 1:
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
        return between or _nothing_nearer(first["setting"].n_unique() - 1, side.aim)
    lineups, right = _with_all(findings, len(rows)), "on target" if findings.run.team else "fair"
    if OPEN_STILL in (kinds := set(standings(findings).values())):
        return prose(f"""{unsettled(findings)} whether a setting is {right}{lineups}{settled_by(findings)}.
            Nearest so far is {labels.at(best)}, where {wins(findings, rows)}.""")
    certainty = "known to be " if EDGE in kinds else ""
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


def _nothing_nearer(others: int, aim: str) -> str:
    """Return the sentence that no other setting is better.

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
    kinds = standings(findings)
    open_still = [setting for setting in near_fair(findings) if kinds[setting] == OPEN_STILL]
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
    failing = findings.first_player_advantage.filter(pl.col("verdict").is_in([UNFAIR, EASY, HARD]))["setting"]
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

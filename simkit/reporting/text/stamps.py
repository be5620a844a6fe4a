"""The stamp of a page: the decision in a few words."""

import math
from collections.abc import Collection, Sequence

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.document import Stamp
from simkit.reporting.text.match import NOT_STRONGER, STRONGER, games_needed
from simkit.reporting.text.numbers import roughly
from simkit.reporting.text.phrases import Row, capital, listed
from simkit.reporting.text.verdict_counts import games_that_settle
from simkit.stats.verdicts import BORDERLINE, FAIR, FAULTY, GOOD, INNER, NOT_SETTLED, OFF, OUTER, UNFAIR

CHANGE, KEEP = Stamp("Change it", "change"), Stamp("Keep it", "keep")
NO_DIFFERENCE = Stamp("No meaningful difference", "keep")
STRONGEST = 2  # highest rungs of a ladder, which decide
MIN_MORE = 100  # fewest further games that a stamp asks for


def not_known(more: float | None = None, each: bool = False) -> Stamp:
    """Return the stamp of an open question; `more` games would settle it, or so many of each case.

    >>> not_known().text, not_known(14_000).text, not_known(300, each=True).text
    ('Not known yet', 'Not known yet (play 14,000 more games)', 'Not known yet (play 300 more games each)')
    """
    games = f" (play {roughly(math.ceil(more))} more games{' each' if each else ''})" if more else ""
    return Stamp(f"Not known yet{games}", "open")


def fairness_stamp(verdicts: Collection[str], more: float | None = None) -> Stamp:
    """Return whether to change or to keep a rule by its verdicts with several players.

    One verdict of UNFAIR is enough for a change. A rule is kept if it is fair with one player at least, and
    fair or borderline with all.

    >>> fairness_stamp(["UNFAIR", "FAIR"]).text, fairness_stamp(["FAIR", "BORDERLINE"]).text
    ('Change it', 'Keep it')
    >>> fairness_stamp(["BORDERLINE"]).text, fairness_stamp(["FAIR", "NOT SETTLED"], 1_234).text
    ('Not known yet', 'Not known yet (play 1,300 more games each)')
    """
    kinds = set(verdicts)
    if kinds & set(OFF):
        return CHANGE
    if kinds & set(GOOD) and kinds <= {*GOOD, BORDERLINE}:
        return KEEP
    return not_known(more if kinds & {NOT_SETTLED, FAULTY} else None, each=len(verdicts) > 1)


def answered_stamp(findings: Findings) -> Stamp | None:
    """Return the stamp of the setting that a run is about; a team without a target has none.

    If the run has a ladder, its two highest rungs decide.
    """
    if not findings.run.judged:
        return None
    rows = findings.answered
    answers = findings.rung_answers
    if answers.width:
        here = answers.filter(pl.col("setting").is_in(rows["setting"].unique().to_list()))
        highest = here.filter(pl.col("rung") > pl.col("rung").max() - STRONGEST)
        if highest.height:
            return stamp_of_rungs(highest.rows(named=True), findings.run.experiment.margin)
    return fairness_stamp(rows["verdict"].to_list(), more_games(rows))


def more_games(rows: pl.DataFrame) -> float:
    """Return the further games that would settle the last open case; 0 where that is unknown."""
    total = games_that_settle(rows) if rows.height else None
    return max(MIN_MORE, total - rows.filter(verdict=NOT_SETTLED)["games"][0]) if total else 0


def games_by_interval(row: Row, margin: float) -> float:
    """Return about how many games would settle by its interval how far a share is from fair.

    >>> row = {"fair": 0.5, "share": 0.53, "low": 0.51, "high": 0.55, "deals": 1_000}
    >>> [round(games_by_interval(row | {"share": share}, 0.02)) for share in (0.53, 0.5)]
    [4000, 1000]
    """
    off, half = abs(row["share"] - row["fair"]), (row["high"] - row["low"]) / 2
    room = max(abs(off - margin), min(off - INNER * margin, OUTER * margin - off))
    return float(row["deals"] * (half / room) ** 2)


def stamp_of_rungs(answers: Sequence[Row], margin: float) -> Stamp:
    """Return the decision by the answers of the highest rungs of a ladder, one or more seats each."""
    more = [games_by_interval(row, margin) - row["deals"] for row in answers if row["verdict"] == NOT_SETTLED]
    return fairness_stamp([row["verdict"] for row in answers], max([MIN_MORE, *more]))


def match_stamp(row: Row) -> Stamp:
    """Return which of two strategies is stronger, by the interval of the score and the test, if any.

    >>> row = {"strategy": "greedy", "opponent": "random", "decision": None, "same": False}
    >>> match_stamp(row | {"low": 0.52, "high": 0.58}).text
    'Greedy is stronger'
    >>> match_stamp(row | {"low": 0.48, "high": 0.53, "score": 0.505, "games": 1000}).text
    'Not known yet (play 24,000 more games)'
    >>> match_stamp(row | {"low": 0.49, "high": 0.5, "decision": "H0"}).text
    'No meaningful difference'
    """
    if row["same"]:
        return NO_DIFFERENCE
    if row["decision"] == STRONGER or row["low"] > 0.5:
        return Stamp(f"{capital(row['strategy'])} is stronger", "change")
    if row["high"] < 0.5:
        return Stamp(f"{capital(row['opponent'])} is stronger", "change")
    if row["decision"] == NOT_STRONGER:
        return NO_DIFFERENCE
    needed = games_needed(row) if row["decision"] is None else None
    return not_known(needed and needed - row["games"])


def value_stamp(value: str, verdicts: Collection[str], more: float | None = None) -> Stamp:
    """Return whether to use a value, by its verdicts on fresh deals.

    >>> value_stamp("20", ["FAIR", "BORDERLINE"]).text, value_stamp("20", ["UNFAIR"]).text
    ('Use 20', 'No fair value in range')
    >>> value_stamp("20", ["NOT SETTLED"]).text
    'Not known yet'
    """
    stamp = fairness_stamp(verdicts, more)
    if stamp == CHANGE:
        return Stamp("No fair value in range", "change")
    return Stamp(f"Use {value}", "keep") if stamp == KEEP else stamp


def comparison_stamp(fair: bool, nearer: int, farther: int, lineups: int, more: float = 0) -> Stamp:
    """Return whether to change to the best other rule set.

    fair: whether the baseline is. nearer, farther: numbers of lineups with which the other rule
    set is nearer to fair than the baseline, or farther, beyond luck. more: games that settle open cases.

    >>> comparison_stamp(False, 2, 0, 2).text, comparison_stamp(True, 0, 0, 2).text
    ('Change it', 'Keep it')
    >>> comparison_stamp(False, 0, 1, 2).text, comparison_stamp(False, 1, 0, 2).text
    ('Not known yet', 'Not known yet')
    """
    if fair or farther == lineups:
        return KEEP
    return CHANGE if nearer == lineups else not_known(more, each=True)


def stamp_of_sizes(stamps: dict[int, Stamp], more: float | None = None) -> Stamp:
    """Return the stamp of a comparison from that of each number of players; `more` games settle open ones.

    >>> stamp_of_sizes({2: KEEP, 3: KEEP}).text, stamp_of_sizes({2: KEEP, 3: not_known()}).text
    ('Keep it', 'Not known yet')
    >>> stamp_of_sizes({2: KEEP, 3: CHANGE, 4: CHANGE}).text
    'Change it with 3 and 4 players'
    """
    if len(set(stamps.values())) == 1:
        return next(iter(stamps.values()))
    change = [str(seats) for seats, stamp in stamps.items() if stamp == CHANGE]
    return (
        Stamp(f"Change it with {listed(change)} players", "change") if change else not_known(more, each=True)
    )


def equilibrium_stamp(rows: Sequence[Row], margin: float) -> Stamp:
    """Return whether the first player's share is fair if both sides choose best, at one setting or at which.

    >>> row = {"setting": "goal = 50", "fair": 0.5, "share": 0.5, "low": 0.49, "high": 0.51, "deals": 800}
    >>> equilibrium_stamp([row], 0.02).text
    'Keep it'
    >>> equilibrium_stamp([row | {"share": 0.53, "high": 0.56, "low": 0.5}], 0.02).text
    'Not known yet (play 6,400 more games)'
    >>> equilibrium_stamp([row, row | {"setting": "goal = 60", "share": 0.6, "low": 0.58}], 0.02).text
    'Use goal = 50'
    """
    row = min(rows, key=lambda row: abs(row["share"] - row["fair"]))
    low, high = row["low"] - row["fair"], row["high"] - row["fair"]
    nearest, farthest, verdict = max(low, -high), max(high, -low), NOT_SETTLED
    if nearest > INNER * margin and farthest < OUTER * margin:
        verdict = BORDERLINE
    if nearest > margin or farthest < margin:
        verdict = UNFAIR if nearest > margin else FAIR
    more = games_by_interval(row, margin) - row["deals"]
    return fairness_stamp([verdict], more) if len(rows) == 1 else value_stamp(row["setting"], [verdict], more)

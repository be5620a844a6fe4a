"""Claims of a balance lock: their grammar, and what a run says about them, one number per deal."""

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from simkit.analysis import measures
from simkit.analysis.findings import Findings
from simkit.engine.game import Game
from simkit.engine.limits import WHOLE_NUMBER
from simkit.errors import UsageError
from simkit.runs.run import Run
from simkit.stats import betting, planning
from simkit.stats.quantiles import normal
from simkit.stats.sequences import at_every_look, mean_at_every_look

NUMBER = r"-?\d+(?:\.\d+)?"
CLAIM = re.compile(
    rf"(?P<what>\S.*?) (?:(?P<low>{NUMBER}) to (?P<high>{NUMBER})|more than (?P<most>{NUMBER}) games in 100)"
    r"(?P<rest>(?: with (?P<players>\S.*?))?(?P<settings>(?: in \S+ \S+)*))"
)
WINS = re.compile(r"(first player|seat (?P<seat>\d+)|(?P<team>team)) wins")
WORTH = re.compile(r"no \S.* is worth")
EXAMPLES = "examples: first player wins 48 to 52 with PLAYER; turns 25 to 35 in OPTION VALUE"
HOLDS, BROKEN, CHANGED, UNKNOWN = "HOLDS", "BROKEN", "CHANGED BUT HOLDS", "NOT KNOWN YET"
SHARES = 100  # a share of 1, in games
BETS = betting.aimed(0.0, 0.03)  # grow fastest where a share is about 1.5 points beyond a limit near one half
MAX_NARROWING = 30  # of an interval, which takes 900 times as many deals
Change = tuple[float, float, float]  # with its interval
Outcomes = Any  # a list of a number per deal; of worth: component -> worth, standard error, deals


class Claim(NamedTuple):
    """A claim: `what` lies from `low` to `high`."""

    text: str
    what: str
    low: float
    high: float
    players: str  # empty: the lineup of the lock
    settings: tuple[tuple[str, Any], ...]
    subject: str  # the claim without its range: what an edited claim is still about

    @property
    def is_worth(self) -> bool:
        """Whether the claim is about the worth of every component, which needs a trace."""
        return bool(WORTH.fullmatch(self.what))


class Estimate(NamedTuple):
    """A measured value with its interval, and the component that it is about."""

    value: float
    low: float
    high: float
    piece: str = ""


def parse(text: str, game: Game) -> Claim:
    """Return the claim that a text makes about a game; UsageError, with examples, for other texts."""
    match = CLAIM.fullmatch(" ".join(text.split()))
    if not match or bool(match["most"]) != bool(WORTH.fullmatch(match["what"])):
        raise UsageError(f"claim '{text}' cannot be read; {EXAMPLES}")
    what, words = match["what"], match["settings"].split()
    wins, is_worth = WINS.fullmatch(what), match["most"]
    low, high = (-math.inf, float(is_worth)) if is_worth else (float(match["low"]), float(match["high"]))
    if low >= high:
        raise UsageError(f"claim '{text}': a range goes up, as in 48 to 52")
    if is_worth and not game.pieces:
        raise UsageError(f"claim '{text}': {game.name} has no components with names")
    if wins and bool(wins["team"]) != game.team:
        who = "co-operative: say 'team wins'" if game.team else "not co-operative: say 'first player wins'"
        raise UsageError(f"claim '{text}': {game.name} is {who}")
    settings = tuple(zip(words[1::3], map(_value, words[2::3]), strict=True))
    return Claim(text, what, low, high, match["players"] or "", settings, what + match["rest"])


def _value(word: str) -> Any:
    return int(word) if WHOLE_NUMBER.fullmatch(word) else {"true": True, "false": False}.get(word, word)


def check(claim: Claim, seats: int, columns: Mapping[str, Mapping[str, str]]) -> None:
    """Raise UsageError for a seat that does not exist, and for an unknown column of the games table."""
    wins = WINS.fullmatch(claim.what)
    if wins and not 1 <= int(wins["seat"] or 1) <= seats:
        raise UsageError(f"the seats are 1 to {seats}")
    if not wins and not claim.is_worth:
        measures.check_column(claim.what, {"games": columns["games"], "seats": ()})


def outcomes(run: Run, claim: Claim) -> tuple[Outcomes, bool]:
    """Return what a run of one cell says about a claim, in the claim's unit, and whether it is a share."""
    if claim.is_worth:
        pieces = Findings(run).pieces
        worths = pieces.drop_nulls("difference").rows(named=True) if pieces.width else []
        return {row["piece"]: _worth(row) for row in worths}, False
    wins = WINS.fullmatch(claim.what)
    column, place = ("share", int(wins["seat"] or 1) - 1) if wins else (claim.what, 0)
    measure = measures.logged(run, run.cells[0].seats, column)[place]
    rows, is_share = run.games() if measure.seat is None else run.seats(), measure.unit == "share"
    by_deal = rows.group_by("deal").agg(value=measure.mean * (SHARES if is_share else 1)).sort("deal")
    values = by_deal.collect(engine="streaming")["value"].fill_null(math.nan).round(6)
    return values.to_list(), is_share


def _worth(row: Mapping[str, Any]) -> list[float]:
    error = (row["difference_high"] - row["difference_low"]) / (2 * normal(0.95))
    return [round(SHARES * row["difference"], 6), round(SHARES * error, 6), row["deals"]]


def estimate(claim: Claim, observed: Outcomes, is_share: bool, level: float = 0.95) -> Estimate:
    """Return the value that a claim is about, with an interval that holds at all numbers of deals at once.

    Shares: by betting. Other columns: normal mixtures (`stats.sequences`). Worth: the largest of all K
    components, from their intervals of level 1 − (1 − level)/K.
    """
    if claim.is_worth and not observed:
        return Estimate(0.0, -SHARES, SHARES)
    if claim.is_worth:
        each = 1 - (1 - level) / len(observed)
        halves = [(worth, at_every_look(deals, each) * error) for worth, error, deals in observed.values()]
        low, high = (max(worth + side * half for worth, half in halves) for side in (-1, 1))
        piece = max(observed, key=lambda name: observed[name][0])
        return Estimate(observed[piece][0], low, high, piece)
    values = np.array(observed)[np.isfinite(observed)]
    if len(values) < 2:
        raise UsageError(f"claim '{claim.text}': {claim.what} has a value in {len(values)} of the deals only")
    if is_share:
        levels, counts = np.unique(values / SHARES, return_counts=True)
        low, high = betting.confidence_sequence(levels, counts, level, BETS)
        return Estimate(float(values.mean()), SHARES * float(low), SHARES * float(high))
    variance = max(float(values.var(ddof=1)), 1 / len(values))  # as if values that never vary did so once
    return Estimate(*mean_at_every_look(float(values.mean()), variance, len(values), level)[:3])


def verdict(claim: Claim, estimated: Estimate, tested: Estimate, change: Change | None = None) -> str:
    """Return the verdict on a claim, from its 95 % interval and from that of the level of its test."""
    if tested.low > claim.high or tested.high < claim.low:
        return BROKEN
    if not (claim.low <= estimated.low and estimated.high <= claim.high):
        return UNKNOWN
    return CHANGED if change and not change[1] <= 0 <= change[2] else HOLDS


def change(now: Outcomes, before: Outcomes) -> Change | None:
    """Return the change on shared deals, with an interval; None for a component that is new.

    Of worth it is that of the component which is worth most now, as if both measurements were independent.
    """
    if isinstance(now, dict):
        piece = max(now, key=lambda name: now[name][0], default="")
        if piece not in before:
            return None
        (new, error, deals), (old, old_error, _) = now[piece], before[piece]
        half = at_every_look(deals) * math.hypot(error, old_error)
        return new - old, new - old - half, new - old + half
    differences = np.array([new - old for new, old in zip(now, before, strict=False)])
    differences = differences[np.isfinite(differences)]
    if len(differences) < 2:
        return None
    return mean_at_every_look(float(differences.mean()), float(differences.var(ddof=1)), len(differences))[:3]


def further_deals(claim: Claim, estimated: Estimate, deals: int) -> int | None:
    """Return the deals that would probably settle a claim; None close to a limit, where none would."""
    margin = min(abs(estimated.value - claim.low), abs(claim.high - estimated.value))
    half = max(estimated.high - estimated.value, estimated.value - estimated.low)
    narrowed = margin * MAX_NARROWING > half
    return max(deals, planning.deals_to_narrow(deals, half, margin) - deals) if narrowed else None

"""Claims of a balance lock: their grammar, and what a run says about them, one number per deal."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from simkit.ask.lock_file import RANGE, ClaimResult, Lock, Outcomes, range_of
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.limits import WHOLE_NUMBER
from simkit.errors import UsageError, look_up
from simkit.formatting import counted
from simkit.page.words.numbers import TableRow, about, number, roughly, span
from simkit.runs.folder import Run
from simkit.stats import betting, planning
from simkit.stats.quantiles import Floats, normal
from simkit.stats.sequences import at_every_look, mean_at_every_look
from simkit.tables import compare
from simkit.tables import pieces as pieces_tables
from simkit.tables import roles as roles_tables
from simkit.tables.findings import Findings, as_text

CLAIM = re.compile(
    rf"(?P<what>\S.*?){RANGE.pattern}"
    r"(?P<rest>(?: with (?P<players>\S.*?))?(?P<settings>(?: in \S+ \S+)*))"
)
BETTER, OVER = "better player wins", " over "  # of a claim about the players `A over B`
WINS = re.compile(
    r"(first player|better player|seat (?P<seat>\d+)|(?P<team>team)) wins|the (?P<side>\S.*?) wins?"
)
WORTH = re.compile(r"no \S.* is worth")
OFF = re.compile(r"no (?P<column>\S+) is off by")  # its fair share
FIRST_WINS = "'first player wins'"
EXAMPLES = "examples: first player wins 48 to 52 with PLAYER; turns 25 to 35 in OPTION VALUE; \
better player wins 60 to 70 with PLAYER over PLAYER"
HOLDS, BROKEN, CHANGED, UNKNOWN = "HOLDS", "BROKEN", "CHANGED BUT HOLDS", "NOT KNOWN YET"
SHARES = 100  # a share of 1, in games
BETS = betting.aimed(0.0, 0.03)  # grow fastest where a share is about 1.5 points beyond a limit near one half
MAX_NARROWING = 30  # of an interval, which takes 900 times as many deals
FEW_EVENTS = 30  # deals on one side of the mean, from which on the values seen show how far values reach
DIVISIONS = 1_000  # simulated splits of the deals: one part selects the largest worth, the other measures it
BEYOND_SEEN = 0.5  # bets allow for values this far beyond the range seen, as a fraction of that range,
BEYOND_FEW = 30  # and, on a side with few events, for this many times the largest value (at least 1)
Change = tuple[float, float, float]  # with its interval


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
    def least(self) -> float | None:
        """The lower end of the range; None for worth, which has none."""
        return None if self.has_largest else self.low

    @property
    def is_worth(self) -> bool:
        """Whether the claim is about the worth of every component, which needs a trace."""
        return bool(WORTH.fullmatch(self.what))

    @property
    def role_column(self) -> str:
        """The column of roles of a claim about how far all of them are off; empty for other claims."""
        about_roles = OFF.fullmatch(self.what)
        return about_roles["column"] if about_roles else ""

    @property
    def has_largest(self) -> bool:
        """Whether the claim limits the largest of several values, which has no lower end."""
        return self.is_worth or bool(self.role_column)

    @property
    def sides(self) -> tuple[str, ...]:
        """The better player and the other, as written; empty for other claims."""
        return tuple(self.players.split(OVER)) if self.what == BETTER else ()


class ClaimEstimate(NamedTuple):
    """A measured value with its interval, and the component that it is about."""

    value: float
    low: float
    high: float
    piece: str = ""


def parse(text: str, game: Game) -> Claim:
    """Return the claim that a text makes about a game; UsageError, with examples, for other texts."""
    match = CLAIM.fullmatch(" ".join(text.split()))
    if not match or bool(match["most"]) != _is_limit(match["what"]):
        raise UsageError(f"claim '{text}' cannot be read; {EXAMPLES}")
    what, words = match["what"], match["settings"].split()
    wins, is_worth = WINS.fullmatch(what), match["most"]
    least, high = range_of(match)
    low, named = -math.inf if least is None else least, words[1::3]
    if low >= high:
        raise UsageError(f"claim '{text}': a range goes up, as in 48 to 52")
    if max(high, -high, 0 if least is None else -low) == math.inf:
        raise UsageError(f"claim '{text}': the range has a number that is too long")
    if wins or is_worth or "=" in what:
        _check_share(text, 0 if is_worth else low, high)
    if len(set(named)) < len(named):
        raise UsageError(f"claim '{text}': names an option twice")
    if WORTH.fullmatch(what) and not game.pieces:
        raise UsageError(f"claim '{text}': {game.name} has no components with names")
    if about_roles := OFF.fullmatch(what):
        _check_roles(text, about_roles["column"], game)
    if game.rival_sides and not wins and re.fullmatch(r"\S.*? wins?", what):
        raise UsageError(f"claim '{text}': say {_claims_of_sides(game)}")
    if wins and bool(wins["team"]) != game.team:
        other = f"not co-operative: say {_claims_of_sides(game) or FIRST_WINS}"
        who = "co-operative: say 'team wins'" if game.team else other
        raise UsageError(f"claim '{text}': {game.name} is {who}")
    if wins and wins["side"]:
        side_named(wins["side"], game)
    elif wins and game.rival_sides and what != BETTER:
        raise UsageError(f"claim '{text}': {game.name} has two sides: say {_claims_of_sides(game)}")
    _check_players(text, what, match["players"] or "")
    settings = tuple(zip(named, map(_value, words[2::3]), strict=True))
    return Claim(text, what, low, high, match["players"] or "", settings, what + match["rest"])


def _is_limit(what: str) -> bool:
    return bool(WORTH.fullmatch(what) or OFF.fullmatch(what))


def _claims_of_sides(game: Game) -> str:
    return " or ".join(f"'the {game.words.side(side)} wins'" for side in game.rival_sides)


def side_named(name: str, game: Game) -> str:
    """Return the side with a name for readers, as the log has it; UsageError for a name that no side has."""
    sides = {game.words.side(side): side.name for side in game.rival_sides}
    if not sides:
        raise UsageError(f"{game.name} has no sides; say 'first player wins'")
    return str(look_up(f"side of {game.name}", name, sides))


def _value(word: str) -> Any:
    return int(word) if WHOLE_NUMBER.fullmatch(word) else {"true": True, "false": False}.get(word, word)


def _check_roles(text: str, column: str, game: Game) -> None:
    if game.team:
        raise UsageError(f"claim '{text}': {game.name} is co-operative: its roles win together")
    if not game.roles:
        raise UsageError(f"claim '{text}': {game.name} has no roles")
    try:
        look_up(f"column of roles of {game.name}", column, {role.column: role for role in game.roles})
    except UsageError as error:
        raise UsageError(f"claim '{text}': {error}") from None


def _check_share(text: str, low: float, high: float) -> None:
    if not (low >= 0 and high <= SHARES):
        raise UsageError(f"claim '{text}': games in 100 lie within 0 to 100")


def _check_players(text: str, what: str, players: str) -> None:
    sides = players.count(OVER) + 1
    if what == BETTER and sides != 2:
        raise UsageError(f"claim '{text}': name both players: with PLAYER over PLAYER")
    if what != BETTER and sides > 1:
        cure = f"only '{BETTER}' takes PLAYER over PLAYER; here say: with PLAYER, PLAYER"
        raise UsageError(f"claim '{text}': {cure}")


def check(claim: Claim, seats: int, types: Mapping[str, Mapping[str, str]]) -> None:
    """Raise UsageError for a seat that does not exist, an unknown column of the games table, or its range.

    types: Arrow type of each column by table.
    """
    wins = WINS.fullmatch(claim.what)
    if types["games"].get(claim.what) == "bool":
        _check_share(claim.text, claim.low, claim.high)
    if wins and not 1 <= int(wins["seat"] or 1) <= seats:
        raise UsageError(f"the seats are 1 to {seats}")
    if not wins and not claim.has_largest:
        compare.check_column(claim.what, {"games": types["games"], "seats": ()})


def claim_outcomes(run: Run, claim: Claim) -> tuple[Outcomes, bool]:
    """Return what a run of one cell says about a claim, in the claim's unit, and whether it is a share."""
    if claim.is_worth:
        pieces = pieces_tables.pieces(Findings(run))
        worths = pieces.drop_nulls("difference").rows(named=True) if pieces.width else []
        return {row["piece"]: _claim_worth(row) for row in worths}, False
    if claim.role_column:
        roles = roles_tables.roles(Findings(run))
        own = roles.filter(column=claim.role_column).rows(named=True) if roles.width else []
        return {name: values for row in own for name, values in _role_excesses(row)}, False
    rows, mean, is_share = _measured_rows(run, claim)
    by_deal = rows.group_by("deal").agg(value=mean * (SHARES if is_share else 1)).sort("deal")
    values = by_deal.collect(engine="streaming")["value"].round(6)
    return values.fill_nan(None).to_list(), is_share


def _measured_rows(run: Run, claim: Claim) -> tuple[pl.LazyFrame, pl.Expr, bool]:
    """Return the rows of the log that a claim is about, their mean, and whether it is a share.

    The better player sits in seat 0 in rotation 0, so that its rows are those of the first label: in all
    rotations of a deal it sits in each seat once.
    """
    if claim.sides:
        is_better = as_text("strategy") == run.cells[0].labels[0]
        return run.seats().filter(is_better), pl.col("share").cast(pl.Float64).mean(), True
    wins = WINS.fullmatch(claim.what)
    if wins and wins["side"]:
        side = side_named(wins["side"], registry.game(run.cells[0].game))
        return run.seats(), compare.side_wins(side).mean, True
    column, place = ("share", int(wins["seat"] or 1) - 1) if wins else (claim.what, 0)
    measure = compare.logged_measures(run, run.cells[0].seats, column)[place]
    return run.games() if measure.seat is None else run.seats(), measure.mean, measure.unit == "share"


def _role_excesses(row: Mapping[str, Any]) -> Iterator[tuple[str, tuple[float, float, float]]]:
    """Yield how far a role is above its fair share, and how far below it."""
    above, error, deals = _claim_worth(row, ("low", "high"))
    yield row["role"], (above, error, deals)
    yield f"{row['role']}, below it", (-above, error, deals)


def _claim_worth(
    row: Mapping[str, Any], ends: Sequence[str] = ("difference_low", "difference_high")
) -> tuple[float, float, float]:
    error = (row[ends[1]] - row[ends[0]]) / (2 * normal(0.95))
    return round(SHARES * row["difference"], 6), round(SHARES * error, 6), row["deals"]


def estimate(claim: Claim, observed: Outcomes, is_share: bool, level: float = 0.95) -> ClaimEstimate:
    """Return the value that a claim is about, with an interval that holds at all numbers of deals at once.

    By betting, on values within 0 to 100 for shares and within `_bounds` for other columns. Worth: the
    largest of all K components, from their intervals of level 1 − (1 − level)/K.
    """
    if isinstance(observed, dict):
        return _largest(observed, level) if observed else ClaimEstimate(0.0, -SHARES, SHARES)
    numbers = np.array(observed, np.float64)
    values, counts = np.unique(numbers[np.isfinite(numbers)], return_counts=True)
    if (deals := counts.sum()) < 2:
        raise UsageError(f"claim '{claim.text}': {claim.what} has a value in {deals} of the deals only")
    mean = float(np.average(values, weights=counts))
    least, most = (0, SHARES) if is_share else _bounds(values, counts, mean)
    places, width = (values - least) / (most - least), most - least
    low, high = betting.confidence_sequence(places, counts, level, BETS if is_share else betting.EVEN)
    return ClaimEstimate(mean, min(mean, least + width * float(low)), max(mean, least + width * float(high)))


def _bounds(values: Floats, counts: NDArray[np.integer], mean: float) -> tuple[float, float]:
    """Return the range of values that bets allow for; `values` ascend.

    It is that of the values seen and half as much beyond it. On a side of the mean on which few deals were
    seen, as with rare counts, bets allow for values up to 30 times as large. A column that was never negative
    stays so.
    """
    low, high = float(values[0]), float(values[-1])
    more, wide = BEYOND_SEEN * (high - low), BEYOND_FEW * max(1.0, -low, high)
    least = low - more if counts[values < mean].sum() >= FEW_EVENTS else -wide
    most = high + more if counts[values > mean].sum() >= FEW_EVENTS else wide
    return least if low < 0 else max(0.0, least), most


def _largest(worths: Mapping[str, tuple[float, float, float]], level: float) -> ClaimEstimate:
    """Return the worth of the component that is worth most, corrected for selection.

    It is chosen on two thirds of the deals and measured on the others, on average over ways to divide them:
    with standard errors e and normal z, worth + e z/√2 and worth − √2 e z are as independent as measurements
    on these parts. Source: Neufeld, Dharamshi, Gao & Witten 2024, J. Mach. Learn. Res. 25 (57).
    """
    names = list(worths)
    worth, error, deals = (np.array(column) for column in zip(*worths.values(), strict=True))
    half = np.array([at_every_look(count, 1 - (1 - level) / len(names)) for count in deals]) * error
    low, high = float((worth - half).max()), float((worth + half).max())
    noise = error * np.random.default_rng(1).standard_normal((DIVISIONS, len(names)))
    chosen = (worth + noise / math.sqrt(2)).argmax(axis=1)
    value = (worth - math.sqrt(2) * noise)[np.arange(DIVISIONS), chosen].mean()
    return ClaimEstimate(float(np.clip(value, low, high)), low, high, names[int(worth.argmax())])


def verdict(
    claim: Claim, estimated: ClaimEstimate, tested: ClaimEstimate, change: Change | None = None
) -> str:
    """Return the verdict on a claim, from its 95 % interval and from that of the level of its test."""
    if tested.low > claim.high or tested.high < claim.low:
        return BROKEN
    if not (claim.low <= estimated.low and estimated.high <= claim.high):
        return UNKNOWN
    return CHANGED if change and not change[1] <= 0 <= change[2] else HOLDS


def judge(claim: Claim, result: ClaimResult) -> ClaimResult:
    """Return a recorded result as one about a claim: the verdict follows from its numbers and the range."""
    estimated = ClaimEstimate(result.value, result.low, result.high)
    tested = ClaimEstimate(result.value, result.test_low, result.test_high)
    changed = None
    if result.change is not None and result.change_low is not None and result.change_high is not None:
        changed = result.change, result.change_low, result.change_high
    own: dict[str, Any] = {"claim": claim.text, "range_low": claim.least, "range_high": claim.high}
    own["verdict"] = verdict(claim, estimated, tested, changed)
    own["further"] = result.further if own["verdict"] == UNKNOWN else None
    return result.model_copy(update=own)


def change(now: Outcomes, before: Outcomes, piece: str = "") -> Change | None:
    """Return the change on shared deals, with an interval; None for a component that is new.

    Of worth it is that of a piece, which was chosen on other deals, as if both measurements were independent.
    """
    if isinstance(now, dict) and isinstance(before, dict):
        if piece not in now or piece not in before:
            return None
        (new, error, deals), (old, old_error, _) = now[piece], before[piece]
        half = at_every_look(deals) * math.hypot(error, old_error)
        return new - old, new - old - half, new - old + half
    if isinstance(now, dict) or isinstance(before, dict):
        raise UsageError("[outcomes] of the lock file was changed or damaged; restore it from Git")
    shared = min(len(now), len(before))
    differences = np.array(now[:shared], np.float64) - np.array(before[:shared], np.float64)
    differences = differences[np.isfinite(differences)]
    if len(differences) < 2:
        return None
    return mean_at_every_look(float(differences.mean()), float(differences.var(ddof=1)), len(differences))[:3]


def further_deals(claim: Claim, estimated: ClaimEstimate, deals: int) -> int | None:
    """Return the deals that would probably settle a claim; None close to a limit, where none would."""
    margin = min(abs(estimated.value - claim.low), abs(claim.high - estimated.value))
    half = max(estimated.high - estimated.value, estimated.value - estimated.low)
    narrowed = margin * MAX_NARROWING > half
    return max(deals, planning.deals_to_narrow(deals, half, margin) - deals) if narrowed else None


# Results of claims in words: the rows of a gate, and the sentence that sums them up.

NOTHING_PLAYED = "No game was played: the lock file has the answers"


def rows(before: Lock, results: Sequence[ClaimResult]) -> list[TableRow]:
    """Return a row per claim: its value when the state `before` was accepted, and what holds now."""
    accepted = {result.subject: result for result in before.accepted}
    return [_row(accepted.get(result.subject), result) for result in results]


def _row(accepted: ClaimResult | None, now: ClaimResult) -> TableRow:
    values = {
        "accepted": _claim_value(accepted) if accepted else "-",
        "now": _claim_value(now),
        "change": "-",
    }
    if now.change is not None and now.change_low is not None and now.change_high is not None:
        ends = span(now.change_low, now.change_high, sign=True)
        values["change"] = f"{number(now.change, sign=True)} ({ends})"
    notes = [f"about {roughly(now.further)} more games"] if now.further else []
    if now.verdict == UNKNOWN and now.is_outside:
        level = f"{100 * now.level:.2g} %"
        notes.insert(0, f"outside at 5 %, not yet at the {level} that the error budget leaves")
    verdict = f"{now.verdict} ({'; '.join(notes)})" if notes else now.verdict
    return {"claim": now.claim, **values, "games": now.games, "verdict": verdict}


def _claim_value(result: ClaimResult) -> str:
    piece = f", {result.piece}" if result.piece else ""
    return f"{number(result.value)} ({span(result.low, result.high)}{piece})"


def sentence(results: Sequence[ClaimResult], games: int) -> str:
    """Return what a gate says, in two sentences.

    >>> sentence([], 0)
    'All 0 claims hold. No game was played: the lock file has the answers.'
    """
    return f"{state(results)}. {counted(games, 'game') + ' played' if games else NOTHING_PLAYED}."


def state(results: Sequence[ClaimResult]) -> str:
    """Return which claims are broken, or whether all hold, as a sentence without its full stop."""
    broken = [result.claim for result in results if result.verdict == BROKEN]
    if broken:
        return f"{len(broken)} of {counted(len(results), 'claim')} broken: {'; '.join(broken)}"
    if unknown := sum(result.verdict == UNKNOWN for result in results):
        return f"No claim is broken; {unknown} of {len(results)} cannot be decided yet"
    return "The claim holds" if len(results) == 1 else f"All {len(results)} claims hold"


def next_step(results: Sequence[ClaimResult], file: str, deals: int) -> str:
    """Return what to do after a gate."""
    verdicts = [result.verdict for result in results]
    if BROKEN in verdicts:
        return f'Change the rules, or edit the claim in {file} and give: simkit gate {file} --accept "reason"'
    unknown = [result for result in results if result.verdict == UNKNOWN]
    if sizes := [
        result.deals + result.further * result.deals // result.games for result in unknown if result.further
    ]:
        needed = about(max(deals, *sizes))
        return f"For a decision set deals = {needed} at the top of {file} and gate again, or widen the claim."
    if unknown:
        return f"Widen the claim in {file}: its value is too close to the end of the range for a test."
    return f"Commit {file} with the rules: it records what was tested."

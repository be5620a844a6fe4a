"""The answer to the question of a run, in sentences that need no statistics to read; each with n and interval."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from simkit.analysis.compare import compare_cells
from simkit.analysis.seats import first_movers, first_player_advantage, seat_shares
from simkit.analysis.strategies import ranking
from simkit.analysis.table import cells_table
from simkit.analysis.words import distance, seat_name, span
from simkit.stats.quantiles import normal

if TYPE_CHECKING:
    from simkit.runlog import Run

MOST_NEAR = 4  # settings nearest to fair that are told side by side
LEVEL = 0.95
Row = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """The question; what answers it, and the first sentence of that; more sentences; what to beware of; the rows that the sentences rest upon."""

    question: str
    sentence: str
    details: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    first_seat: list[Row] = field(
        default_factory=list
    )  # per cell looked at: setting, lineup, share, low, high, games, deals, verdict
    nearest: list[Row] = field(default_factory=list)  # per lineup: the tried setting nearest to fair
    ranking: list[Row] = field(default_factory=list)  # strategies, best first, where several met
    lead: str = ""  # the first sentence of `sentence`, where that has several
    settings: list[Row] = field(
        default_factory=list
    )  # with several lineups, the settings nearest to fair for all: setting, off, and per lineup

    def as_dict(self) -> Row:
        """For machines."""
        return dict(vars(self))


def answer(run: Run, seats: pl.DataFrame | None = None) -> Answer:
    """What the run says to its question. `seats` is the table of `seat_shares` where it is known already."""
    margin = run.experiment.margin
    first = first_player_advantage(run, seat_shares(run) if seats is None else seats)
    looked = _looked_at(first)
    warnings = [*_seat_and_strategy(run), *_other_first_movers(run)]
    if first["setting"].n_unique() > 1:
        return _of_sweep(run, first, looked, margin, warnings)
    ranked = ranking(run)
    if ranked.height and ranked["seats"].n_unique() == 1 and cells_table(run)["balanced"].all():
        return _of_round_robin(run, ranked.rows(named=True), looked, margin, warnings)
    sentence, *details = [*_jointly(looked), *(_first_seat(row, margin) for row in looked)]
    return Answer(run.experiment.question, sentence, details, warnings + _disagreeing(looked), looked)


def _looked_at(first: pl.DataFrame) -> list[Row]:
    """The cells of the baseline, in their order; else every lineup's cell with the greatest advantage, the greatest first."""
    if first["baseline"].any():
        return _rows(first.filter(pl.col("baseline")))
    size = pl.col("fpa").abs()
    greatest = first.sort(size, descending=True, maintain_order=True)
    chosen = first["setting"].n_unique() > 1
    return [
        row | {"chosen": chosen}
        for row in _rows(greatest.unique("lineup", keep="first", maintain_order=True))
    ]


def _rows(table: pl.DataFrame) -> list[Row]:
    columns = [
        "cell",
        "setting",
        "lineup",
        "seats",
        "fair",
        "baseline",
        "share",
        "low",
        "high",
        "games",
        "deals",
        "verdict",
        "farthest",
        "farthest_share",
    ]
    columns += [name for name in ("adjusted",) if name in table.columns]
    return [row | {"chosen": False} for row in table.select(columns).rows(named=True)]


def _of_sweep(run: Run, first: pl.DataFrame, looked: list[Row], margin: float, warnings: list[str]) -> Answer:
    """At the baseline (or the greatest advantage): how fair; then which tried setting is nearest to fair, by lineup."""
    distance = (pl.col("share") - pl.col("fair")).abs()
    best = _rows(
        first.sort(distance, maintain_order=True)
        .unique("lineup", keep="first", maintain_order=True)
        .sort("cell")
    )
    by_lineup = {row["lineup"]: row for row in best}
    tried = first["setting"].n_unique()
    said = [f"{_first_seat(row, margin)} {_nearest(row, by_lineup[row['lineup']], tried)}" for row in looked]
    lead = "".join(_jointly(looked)) or _first_seat(looked[0], margin)
    together = " ".join([lead, *_nearest_jointly(first, looked, tried)]) if len(looked) > 1 else ""
    sentence, *details = [*filter(None, [together]), *said]
    disagreeing = _disagreeing(looked) + _different_nearest(run, first, best)
    return Answer(
        run.experiment.question,
        sentence,
        details,
        disagreeing + warnings,
        looked,
        best,
        [],
        lead,
        _near_settings(first, looked),
    )


def _near_settings(first: pl.DataFrame, looked: list[Row]) -> list[Row]:
    """The settings nearest to fair for all lineups, and the baseline, in their order: how far off the worst lineup is, and each lineup's row."""
    if len(looked) < 2:
        return []
    size = (pl.col("share") - pl.col("fair")).abs()
    settings = first.group_by("setting", maintain_order=True).agg(
        size.max().alias("off"), pl.len(), pl.col("baseline").any()
    )
    whole = settings.filter(pl.col("len") == len(looked))
    near = whole.sort("off", maintain_order=True)["setting"].head(MOST_NEAR).to_list()
    kept = whole.filter(pl.col("setting").is_in(near) | pl.col("baseline"))
    keys = ("lineup", "share", "low", "high", "games", "verdict")
    rows = {name: first.filter(setting=name).select(keys).rows(named=True) for name in kept["setting"]}
    return [
        row | {"lineups": rows[row["setting"]]}
        for row in kept.select("setting", "baseline", "off").rows(named=True)
    ]


def _jointly(looked: list[Row]) -> list[str]:
    """All lineups at once: how fair; nothing where there is one."""
    if len(looked) < 2:
        return []
    row, games = looked[0], [row["games"] for row in looked]
    many = (
        f"n = {min(games):,} games each"
        if min(games) == max(games)
        else f"n = {min(games):,} games or more each"
    )
    start = f"At {row['setting']}{' (the baseline)' * row['baseline']} the" if row["setting"] else "The"
    start = (
        "At the setting farthest from fair (picked, so perhaps a little by luck) the"
        if row["chosen"]
        else start
    )
    by_lineup = [(row["share"], row["low"], row["high"], row["fair"]) for row in looked]
    said, low, high, unit = _spread(by_lineup)
    ends = f"95 % intervals from {span(low, high, scale=100, sign=unit != '%')} {unit}"
    return [
        f"{start} {said} with the {len(looked)} lineups ({ends}, {many}): {tally([row['verdict'] for row in looked])}."
    ]


def _spread(shares: list[tuple[float, float, float, float]]) -> tuple[str, float, float, str]:
    """What the first seat wins, from the least to the most; of tables of different size, by how much that is more than fair."""
    sizes = {fair for *_, fair in shares}
    off = [0.0 if len(sizes) == 1 else fair for *_, fair in shares]
    share, low, high = (
        [row[place] - less for row, less in zip(shares, off, strict=True)] for place in range(3)
    )
    unit = "%" if len(sizes) == 1 else "percentage points"
    between = f"{_range(min(share), max(share), sign=len(sizes) > 1)} {unit}"
    said = (
        f"first seat wins {between}"
        if len(sizes) == 1
        else f"share of the first seat less its fair share is {between}"
    )
    return said, min(low), max(high), unit


def _range(low: float, high: float, sign: bool = False) -> str:
    """From the least to the most, or the one number that both are."""
    texts = [f"{100 * share:{'+' if sign else ''}.1f}".replace("-", "−") for share in (low, high)]
    return " to ".join(dict.fromkeys(texts))


def _nearest_jointly(first: pl.DataFrame, looked: list[Row], tried: int) -> list[str]:
    """The setting whose worst lineup is nearest to fair."""
    off, gain = (pl.col("share") - pl.col("fair")).abs(), pl.col("share") - pl.col("fair")
    wider = normal(1 - (1 - LEVEL) / max(1, tried - 1)) / normal(
        LEVEL
    )  # the best is held against every other setting (Bonferroni)
    noise = (
        ((pl.col("high") - pl.col("low")) / 2).max() * math.sqrt(2) * wider
    )  # of a difference of two settings, as if on deals of their own
    ends = [
        expr.alias(name)
        for expr, name in ((off.max(), "off"), (gain.min(), "from"), (gain.max(), "to"), (noise, "noise"))
    ]
    settings = first.group_by("setting", maintain_order=True).agg(
        *ends, pl.col("verdict"), pl.len(), pl.col("baseline").any()
    )
    settings = settings.filter(pl.col("len") == len(looked)).sort("off", maintain_order=True)
    if settings.is_empty():
        return []
    best = settings.row(0, named=True)
    if best["baseline"]:
        return [f"No other of the {tried} settings tried is nearer to fair for all of them."]
    close = [
        row["setting"] for row in settings.rows(named=True)[1:] if row["off"] < best["off"] + best["noise"]
    ]
    also = f"; not told apart from it by these games: {_settings(close)}" if close else ""
    fairs = {row["fair"] for row in looked}
    plus = fairs.pop() if len(fairs) == 1 else 0.0
    there = f"{_range(best['from'] + plus, best['to'] + plus, sign=not plus)} {'%' if plus else 'percentage points'}"
    return [
        f"Of the {tried} settings tried {best['setting']}, as picked from these games, comes nearest to fair for all of them: {there}, at most "
        f"{100 * best['off']:.1f} percentage points off: {tally(best['verdict'])}{also}."
    ]


def tally(verdicts: list[str]) -> str:
    """Verdicts of several lineups in words.

    >>> tally(["UNFAIR", "UNFAIR"]), tally(["FAIR", "UNDECIDED", "UNDECIDED"])
    ('UNFAIR with every one', 'FAIR with 1, UNDECIDED with 2')
    """
    kinds = [kind for kind in ("FAIR", "UNFAIR", "UNDECIDED") if kind in verdicts]
    return (
        f"{kinds[0]} with every one"
        if len(kinds) == 1
        else ", ".join(f"{kind} with {verdicts.count(kind)}" for kind in kinds)
    )


def _of_round_robin(
    run: Run, ranked: list[Row], looked: list[Row], margin: float, warnings: list[str]
) -> Answer:
    best, rest = ranked[0], ranked[1:]
    others = "its only opponent" if best["opponents"] == 1 else f"{best['opponents']} opponents"
    sentence = (
        f"{best['strategy']} does best: it wins {_percent(best['share'])} of its games against {others} "
        f"({interval_words(best)}), ahead of "
        + ", ".join(f"{row['strategy']} ({_percent(row['share'])})" for row in rest)
        + "."
    )
    close = [row["strategy"] for row in rest if row["high"] > best["low"]]
    doubt = (
        [f"The intervals of {_listed([best['strategy'], *close])} overlap: their order is not settled."]
        if close
        else []
    )
    greatest = f"As to the seats, the greatest effect: {_lowered(_first_seat(looked[0], margin))}"
    return Answer(run.experiment.question, sentence, [*doubt, greatest], warnings, looked, [], ranked)


def _first_seat(row: Row, margin: float) -> str:
    """How the first seat does in a cell, and what follows."""
    where = (
        f"Farthest from fair of all tried (picked, so perhaps a little by luck), at {row['setting']}, the"
        if row["chosen"]
        else f"At {row['setting']}{' (the baseline)' * row['baseline']} the"
    )
    where = where if row["setting"] else "The"
    share = f"{where} first seat wins {_percent(row['share'])} {when_played(row['lineup'])}"
    fair = f"; fair is {_percent(row['fair'])}" if row["seats"] != 2 else ""
    stopped = (
        f"; adjusted for stopping by itself {_percent(row['adjusted'])}"
        if row.get("adjusted") is not None
        else ""
    )
    return f"{share} ({interval_words(row)}{fair}{stopped}), so {_so(row, margin)}."


def when_played(lineup: str) -> str:
    """Who plays, as part of a sentence.

    >>> when_played("greedy mirror"), when_played("greedy × 3"), when_played("greedy, random")
    ('when both play greedy', 'when all 3 play greedy', 'in games of greedy, random')
    """
    if lineup.endswith(" mirror"):
        return f"when both play {lineup.removesuffix(' mirror')}"
    name, times, seats = lineup.rpartition(" × ")
    return f"when all {seats} play {name}" if times and seats.isdigit() else f"in games of {lineup}"


def _so(row: Row, margin: float) -> str:
    """The verdict, in words."""
    points, two = distance(margin), row["seats"] == 2
    if row["verdict"] == "FAIR":
        return (
            f"this is within {points} of fair: FAIR"
            if two
            else f"every seat is within {points} of fair: FAIR"
        )
    if row["verdict"] == "UNDECIDED":
        return f"more deals would be needed to say whether this is within {points} of fair: UNDECIDED"
    if two:
        side = "an advantage" if row["share"] > row["fair"] else "a disadvantage"
        return f"sitting first is {side} of more than {points}: UNFAIR"
    return f"some seat is more than {points} from fair (farthest: the {seat_name(row['farthest'])} with {_percent(row['farthest_share'])}): UNFAIR"


def _nearest(row: Row, best: Row, tried: int) -> str:
    """Which tried setting is nearest to fair for the lineup of a row."""
    if best["cell"] == row["cell"]:
        return f"No other of the {tried} settings tried is nearer to fair."
    found = f"{_percent(best['share'])}, {interval_words(best)}"
    return f"Of the {tried} settings tried {best['setting']} is nearest to fair, as picked from these games ({found}): {best['verdict']}."


def _disagreeing(looked: list[Row]) -> list[str]:
    """Whether the first seat gains with one lineup and loses with another, beyond doubt."""
    above = [row["lineup"] for row in looked if row["low"] > row["fair"]]
    below = [row["lineup"] for row in looked if row["high"] < row["fair"]]
    if not (above and below):
        return []
    return [
        f"Lineups disagree: the first seat is ahead with {_listed(above)} but behind with {_listed(below)}. "
        "The advantage depends on how the game is played; judge by the players you expect."
    ]


def _different_nearest(run: Run, first: pl.DataFrame, best: list[Row]) -> list[str]:
    """Lineups whose nearest settings differ, and whether that is more than luck; nothing where one setting is FAIR with every lineup."""
    fair_for_all = first.group_by("setting").agg((pl.col("verdict") == "FAIR").all())["verdict"].any()
    if len({row["setting"] for row in best}) < 2 or len({row["fair"] for row in best}) > 1 or fair_for_all:
        return []
    said = "; ".join(f"{row['lineup']}: {row['setting']} ({_percent(row['share'])})" for row in best)
    if not _lineups_differ(run, first, best):
        return [
            f"The settings picked as nearest to fair differ by lineup ({said}), but these games do not tell the lineups apart there."
        ]
    return [
        f"What is fair depends on who plays: the lineups differ beyond luck at the settings picked as nearest to fair ({said}). Weigh those most "
        "that play like your players."
    ]


def _lineups_differ(run: Run, first: pl.DataFrame, best: list[Row]) -> bool:
    """Whether two lineups differ beyond luck at a setting nearest to fair: paired on common deals.

    Bonferroni over the pairs and all settings tried, since those looked at were picked from them.
    """
    settings = list(dict.fromkeys(row["setting"] for row in best))
    comparisons = first["setting"].n_unique() * math.comb(len(best), 2)
    for setting in settings:
        there = first.filter(setting=setting).sort("share")
        found = compare_cells(run, int(there["cell"][0]), [int(there["cell"][-1])]).row(0, named=True)
        if found["p_value"] * comparisons < 1 - LEVEL:
            return True
    return False


def _settings(settings: list[str]) -> str:
    """Settings in a row; the name of a single option is said once.

    >>> _settings(["goal = 50", "goal = 60", "goal = 70"])
    'goal = 50, 60 and 70'
    """
    names = {setting.partition(" = ")[0] for setting in settings}
    if len(names) > 1 or any(", " in setting for setting in settings):
        return _listed(settings)
    return f"{names.pop()} = {_listed(setting.partition(' = ')[2] for setting in settings)}"


def _seat_and_strategy(run: Run) -> list[str]:
    """Lineups of several strategies that were not rotated."""
    fixed = cells_table(run).filter(~pl.col("balanced"))["lineup"].unique(maintain_order=True).to_list()
    if not fixed:
        return []
    return [
        f"Not rotated: {_listed([f'[{name}]' for name in fixed])}. There, seat and strategy cannot be told apart."
    ]


def _other_first_movers(run: Run) -> list[str]:
    """Games in which another seat than the first made the first move."""
    movers = first_movers(run)
    if not movers.height:
        return []
    row = movers.sort("moved", descending=True).row(0, named=True)
    where = f" at {row['setting']}" if row["setting"] else ""
    return [
        f"The first seat, which the shares are about, does not always make the first move: with {row['lineup']}{where} another seat made it in "
        f"{_percent(row['moved'])} of the games, and whoever made it won {_percent(row['share'])} ({interval_words(row)})."
    ]


def interval_words(row: Row) -> str:
    """An interval and what it rests on, for a sentence.

    >>> interval_words({"low": 0.463, "high": 0.479, "games": 20000})
    '95 % interval 46.3 to 47.9 %, n = 20,000 games'
    """
    deals = row.get("deals", row["games"])
    many = f"{row['games']:,} games" if deals == row["games"] else f"{deals:,} deals ({row['games']:,} games)"
    return f"95 % interval {span(row['low'], row['high'], scale=100)} %, n = {many}"


def _lowered(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _listed(names: Iterable[str]) -> str:
    """Names in a row: a, b and c."""
    *front, last = names
    return f"{', '.join(front)} and {last}" if front else last

"""The answer to the question of a run, in sentences that need no statistics to read."""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.seats import nobody_wins
from simkit.provenance import reconstructed
from simkit.runlog import Run
from simkit.words.labels import labels_of, lowered
from simkit.words.phrases import (
    Row,
    deal_interval,
    distance,
    ends,
    listed,
    percent,
    prose,
    seat_name,
    shares,
    span,
)

MOST_NEAR = 4  # settings nearest to fair that are told side by side
SURE = 0.05  # adjusted p-value below which a difference is said without a doubt
PICKED = "picked, so perhaps a little by luck"


class Side(NamedTuple):
    """Whose share a run is about, and what it should be near."""

    name: str
    aim: str
    verdicts: tuple[str, ...]


FIRST_SEAT = Side("first seat", "fair", ("FAIR", "UNFAIR", "UNDECIDED"))
TEAM = Side("team", "the target", ("ON TARGET", "EASY", "HARD", "UNDECIDED"))


def side_of(run: Run) -> Side:
    return TEAM if run.team else FIRST_SEAT


class Answer(NamedTuple):
    """The question, what answers it, more sentences, what to beware of, and the rows that they rest upon."""

    question: str
    sentence: str
    details: Sequence[str]
    warnings: list[str]
    first_seat: Sequence[Row] = ()  # `answered`: per cell looked at
    nearest: Sequence[Row] = ()  # per lineup: the tried setting nearest to fair
    ranking: Sequence[Row] = ()  # strategies, best first, where several met
    lead: str = ""  # the first sentence of `sentence`, where that has several
    settings: Sequence[Row] = ()  # of several lineups: `settings`, with the row of each lineup


def answer(found: Findings) -> Answer:
    looked, rows = _named(found, found.answered), found.answered.rows(named=True)
    mixed = _named(found, found.cells.filter(~pl.col("balanced")))
    names = dict.fromkeys(f"[{cell['lineup']}]" for cell in mixed)
    apart = f"Not rotated: {listed(names)}. There, seat and strategy cannot be told apart." if names else ""
    warnings = _known(apart, _nobody_wins(found), _other_first_movers(found), *reconstructions(found.run))
    if found.first_player_advantage["setting"].n_unique() > 1:
        return _of_sweep(found, looked, warnings)
    met = found.ranking.height and not found.run.team
    if met and found.ranking["seats"].n_unique() == 1 and found.cells["balanced"].all():
        return _of_round_robin(found, looked, warnings)
    keys, side = found.run.experiment, side_of(found.run)
    each = [_of_side(row, keys.margin, side) for row in looked]
    sentence, *details = _known(_jointly(looked, side), *each)
    return Answer(keys.question, sentence, details, _known(*warnings, _disagreeing(looked, side)), rows)


def _nobody_wins(found: Findings) -> str:
    """How many games nobody wins, which is what the fair share is less for."""
    lost = found.kept(nobody_wins)
    if not lost:
        return ""
    some = ends(*(percent(part) for part in (min(lost.values()), max(lost.values()))))
    less = "fair is a share of the games that somebody wins, by seats; the margin counts all games"
    return f"Nobody wins {some} of the games{' of some cells' * (len(lost) < found.cells.height)}: {less}."


def reconstructions(run: Run) -> list[str]:
    """What to beware of where data of the game rest on no source."""
    names = reconstructed(run.words.provenance)
    rest = "no source gives them in full, and what depends on them is no surer than they are"
    return [f"Some data of this game are reconstructed ({listed(names)}): {rest}."] if names else []


def _known(*texts: str) -> list[str]:
    return list(filter(None, texts))


def _named(found: Findings, table: pl.DataFrame) -> list[Row]:
    return labels_of(found).named(table).rows(named=True)


def _of_sweep(found: Findings, looked: list[Row], warnings: list[str]) -> Answer:
    """How fair the baseline (or the farthest setting) is, then which setting is nearest to fair."""
    keys, side = found.run.experiment, side_of(found.run)
    by_lineup = {row["lineup"]: row for row in _named(found, found.nearest)}
    tried = found.first_player_advantage["setting"].n_unique()
    first = [_of_side(row, keys.margin, side) for row in looked]
    near = [_nearest(row, by_lineup[row["lineup"]], tried, side) for row in looked]
    each = list(map("{} {}".format, first, near))
    lead = _jointly(looked, side) or first[0]
    together = f"{lead} {_nearest_jointly(found, looked, tried)}".strip() if len(looked) > 1 else ""
    sentence, *details = _known(together, *each)
    doubts = _known(_disagreeing(looked, side), _different_nearest(found, side), *warnings)
    rows, nearest = (table.rows(named=True) for table in (found.answered, found.nearest))
    return Answer(keys.question, sentence, details, doubts, rows, nearest, [], lead, _near(found))


def _near(found: Findings) -> list[Row]:
    """The settings nearest to fair for all lineups, and the baseline, each with the row of every lineup."""
    if found.answered.height < 2:
        return []
    settings, first = found.settings, found.first_player_advantage
    near = settings["setting"].head(MOST_NEAR).to_list()
    kept = settings.filter(pl.col("setting").is_in(near) | pl.col("baseline")).rows(named=True)
    order = first["setting"].unique(maintain_order=True).to_list()
    keys = ("lineup", "share", "low", "high", "games", "verdict")
    rows = {at: first.filter(setting=at).select(keys).rows(named=True) for at in order}
    kept = sorted(kept, key=lambda row: order.index(row["setting"]))
    return [row | {"lineups": rows[row["setting"]]} for row in kept]


def _jointly(looked: list[Row], side: Side) -> str:
    """All lineups at once: how fair; nothing where there is one."""
    if len(looked) < 2:
        return ""
    games = [row["games"] for row in looked]
    many = f"n = {min(games):,} games{' or more' * (max(games) > min(games))} each"
    chosen = f"At the setting farthest from {side.aim} ({PICKED}) the"
    start = chosen if looked[0]["chosen"] else _at(looked[0])
    alike = len({row["fair"] for row in looked}) == 1  # else how much more than fair
    names, fair = ("share", "low", "high"), 0.0 if alike else 1.0
    share, low, high = ([row[name] - fair * row["fair"] for row in looked] for name in names)
    what = f"{side.name} wins" if alike else "share of the first seat less its fair share is"
    unit = "%" if alike else "percentage points"
    around = f"{span(min(low), max(high), scale=100, sign=not alike)} {unit}"
    verdicts = tally([row["verdict"] for row in looked])
    return prose(f"""{start} {what} {shares(share, sign=not alike)} {unit} with the {len(looked)} lineups (95
        % intervals from {around}, {many}): {verdicts}.""")


def _at(row: Row) -> str:
    return f"At {row['setting']}{' (the baseline)' * row['baseline']} the" if row["setting"] else "The"


def _nearest_jointly(found: Findings, looked: list[Row], tried: int) -> str:
    if found.settings.is_empty():
        return ""
    side, (best, *others) = side_of(found.run), _named(found, found.settings)
    if best["baseline"]:
        return f"No other of the {tried} settings tried is nearer to {side.aim} for all of them."
    close = [row["setting"] for row in others if row["close"]]
    also = f"; not told apart from it by these games: {_settings(close)}" if close else ""
    fairs = {row["fair"] for row in looked}
    plus, unit = (fairs.pop(), "%") if len(fairs) == 1 else (0.0, "percentage points")
    there = f"{shares([best['least'] + plus, best['most'] + plus], sign=not plus)} {unit}"
    there_too = pl.col("setting") == found.settings["setting"][0]
    verdicts = tally(found.first_player_advantage.filter(there_too)["verdict"].to_list())
    most = f"at most {100 * best['off']:.1f} percentage points off: {verdicts}{also}"
    return prose(f"""Of the {tried} settings tried {best["setting"]}, as picked from these games, comes
        nearest to {side.aim} for all of them: {there}, {most}.""")


def tally(verdicts: list[str]) -> str:
    """Verdicts of several lineups in words.

    >>> tally(["UNFAIR", "UNFAIR"]), tally(["FAIR", "UNDECIDED", "UNDECIDED"])
    ('UNFAIR with every one', 'FAIR with 1, UNDECIDED with 2')
    """
    kinds = [kind for kind in dict.fromkeys((*TEAM.verdicts[:-1], *FIRST_SEAT.verdicts)) if kind in verdicts]
    if len(kinds) == 1:
        return f"{kinds[0]} with every one"
    return ", ".join(f"{kind} with {verdicts.count(kind)}" for kind in kinds)


def _of_round_robin(found: Findings, looked: list[Row], warnings: list[str]) -> Answer:
    keys, (best, *rest) = found.run.experiment, _named(found, found.ranking)
    behind = ", ".join(f"{row['strategy']} ({percent(row['share'])})" for row in rest)
    wins = wins_against(best, deal_interval(best))
    sentence = f"{best['strategy']} does best: {wins}, ahead of {behind}."
    close = [row["strategy"] for row in rest if row["high"] > best["low"]]
    overlap = f"The intervals of {listed([best['strategy'], *close])} overlap: their order is not settled."
    seats = lowered(_of_side(looked[0], keys.margin, FIRST_SEAT))
    greatest = f"As to the seats, the greatest effect: {seats}"
    rows, ranking = (table.rows(named=True) for table in (found.answered, found.ranking))
    details = [overlap, greatest] if close else [greatest]
    return Answer(keys.question, sentence, details, warnings, rows, [], ranking)


def wins_against(best: Row, sure: str) -> str:
    others = "its only opponent" if best["opponents"] == 1 else f"{best['opponents']} opponents"
    return f"it wins {percent(best['share'])} of its games against {others} ({sure})"


def _of_side(row: Row, margin: float, side: Side) -> str:
    farthest = f"Farthest from {side.aim} of all tried ({PICKED}), at {row['setting']}, the"
    where = farthest if row["chosen"] and row["setting"] else _at(row)
    share = f"{where} {side.name} wins {percent(row['share'])} {when_played(row['lineup'])}"
    fair = f"; {side.aim} is {percent(row['fair'])}" if row["seats"] != 2 or side == TEAM else ""
    adjusted = row.get("adjusted")
    stopped = "" if adjusted is None else f"; adjusted for stopping by itself {percent(adjusted)}"
    return f"{share} ({deal_interval(row)}{fair}{stopped}), so {_so(row, margin, side)}."


def when_played(lineup: str) -> str:
    """Who plays, as part of a sentence.

    >>> when_played("greedy mirror"), when_played("greedy × 3"), when_played("greedy, random")
    ('when both play greedy', 'when all 3 play greedy', 'in games of greedy, random')
    """
    if lineup.endswith(" mirror"):
        return f"when both play {lineup.removesuffix(' mirror')}"
    name, times, seats = lineup.rpartition(" × ")
    return f"when all {seats} play {name}" if times and seats.isdigit() else f"in games of {lineup}"


def _so(row: Row, margin: float, side: Side) -> str:
    points = distance(margin)
    if row["verdict"] == "UNDECIDED":
        return f"more deals would be needed to say whether this is within {points} of {side.aim}: UNDECIDED"
    return _so_hard(row, points) if side == TEAM else _so_fair(row, points)


def _so_hard(row: Row, points: str) -> str:
    if row["verdict"] == "ON TARGET":
        return f"this is within {points} of the target: ON TARGET"
    where = "above" if row["verdict"] == "EASY" else "below"
    return f"this is more than {points} {where} the target: {row['verdict']}"


def _so_fair(row: Row, points: str) -> str:
    two = row["seats"] == 2
    if row["verdict"] == "FAIR":
        return f"{'this is' if two else 'every seat is'} within {points} of fair: FAIR"
    if two:
        side = "an advantage" if row["share"] > row["fair"] else "a disadvantage"
        return f"sitting first is {side} of more than {points}: UNFAIR"
    farthest = f"the {seat_name(row['farthest'])} with {percent(row['farthest_share'])}"
    return f"some seat is more than {points} from fair (farthest: {farthest}): UNFAIR"


def _nearest(row: Row, best: Row, tried: int, side: Side) -> str:
    """Which tried setting is nearest to fair for the lineup of a row."""
    if best["cell"] == row["cell"]:
        return f"No other of the {tried} settings tried is nearer to {side.aim}."
    return prose(f"""Of the {tried} settings tried {best["setting"]} is nearest to {side.aim}, as picked from
        these games ({percent(best["share"])}, {deal_interval(best)}): {best["verdict"]}.""")


def _disagreeing(looked: list[Row], side: Side) -> str:
    """Whether the first seat gains with one lineup and loses with another, beyond doubt."""
    above = [row for row in looked if row["low"] > row["fair"]]
    below = [row for row in looked if row["high"] < row["fair"]]
    if not (above and below):
        return ""
    alike = {row["seats"] for row in above} & {row["seats"] for row in below}
    what = "how the game is played; judge by the players" if alike else "the table's size; judge by the table"
    ahead, behind = (listed(row["lineup"] for row in rows) for rows in (above, below))
    if side == TEAM:
        return prose(f"""Lineups disagree: the team wins more often than the target with {ahead}, less often
            with {behind}. How hard the game is depends on {what} you expect.""")
    return prose(f"""Lineups disagree: the first seat is ahead with {ahead} but behind with {behind}.
        The advantage depends on {what} you expect.""")


def _different_nearest(found: Findings, side: Side) -> str:
    """Whether lineups differ at their nearest settings beyond luck, unless one setting is FAIR for all."""
    near, first = pl.col("verdict") == side.verdicts[0], found.first_player_advantage
    fair = first.group_by("setting").agg(near.all())
    apart = found.lineups_apart if not fair["verdict"].any() else pl.DataFrame()
    if apart.is_empty():
        return ""
    rows = _named(found, found.nearest)
    said = "; ".join(f"{row['lineup']}: {row['setting']} ({percent(row['share'])})" for row in rows)
    if (apart["p_adjusted"] >= SURE).all():
        return prose(f"""The settings picked as nearest to {side.aim} differ by lineup ({said}), but these
            games do not tell the lineups apart there.""")
    what = "How hard the game is" if side == TEAM else "What is fair"
    return prose(f"""{what} depends on who plays: the lineups differ beyond luck at the settings picked
        as nearest to {side.aim} ({said}). Weigh those most that play like your players.""")


def _settings(settings: list[str]) -> str:
    """Settings in a row; the name of a single option is said once.

    >>> _settings(["goal = 50", "goal = 60", "goal = 70"])
    'goal = 50, 60 and 70'
    """
    names = {setting.partition(" = ")[0] for setting in settings}
    if len(names) > 1 or any(", " in setting for setting in settings):
        return listed(settings)
    return f"{names.pop()} = {listed(setting.partition(' = ')[2] for setting in settings)}"


def _other_first_movers(found: Findings) -> str:
    """Games in which another seat than the first made the first move."""
    if found.run.team or not found.first_movers.height:
        return ""
    row = _named(found, found.first_movers.sort("moved", descending=True, maintain_order=True))[0]
    where = f" at {row['setting']}" if row["setting"] else ""
    return prose(f"""The first seat, which the shares are about, does not always make the first move: with
        {row["lineup"]}{where} another seat made it in {percent(row["moved"])} of the games, and whoever made
        it won {percent(row["share"])} ({deal_interval(row)}).""")

"""What the tables of strategies say, in sentences for a designer: each with n and interval."""

from collections.abc import Callable, Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.stats.sprt import score_of_elo
from simkit.words.labels import labels_of
from simkit.words.phrases import Row, Said, ends, interval, listed, number, percent, seats_named, span

MATTERS = 0.05  # the least Nash weight of a strategy that a sentence calls needed
Tables = Callable[[str], pl.DataFrame]  # name -> the table, about one setting, with labels


def wins_against(best: Row, sure: str) -> str:
    others = "its only opponent" if best["opponents"] == 1 else f"{best['opponents']} opponents"
    return f"it wins {percent(best['share'])} of its games against {others} ({sure})"


def strength(found: Findings, setting: str) -> Iterator[Said]:
    """What the tables say of one setting, and which strategy is best at the others."""
    labels, several = labels_of(found), found.ranking["setting"].n_unique() > 1

    def here(name: str) -> pl.DataFrame:
        table: pl.DataFrame = getattr(found, name)
        return labels.named(table.filter(pl.col("setting") == setting)) if table.width else table

    where, only = (f"At {labels.at(setting)}: ", f".filter(setting={setting!r})") if several else ("", "")
    for said in _sentences(here):
        yield Said(where + said.text, said.rests + only)
    if several:
        yield Said(_best_by_setting(labels.named(found.ranking)), "ranking")


def _sentences(here: Tables) -> Iterator[Said]:
    for part in here("ranking").partition_by("seats", maintain_order=True):
        yield Said(_best(part.rows(named=True)), "ranking")
    scape, games = here("landscape"), _games(here("win_matrix"))
    known = scape.filter(pl.col("nash").is_not_null()).rows(named=True)
    if known:
        yield Said(_needed(known, games), "landscape")
    yield from (Said(text, "landscape") for text in _superfluous(known, games))
    yield from (Said(text, "cycles") for text in _circles(here, known, games))
    yield from (Said(_ladder(row), "ladder") for row in here("ladder").rows(named=True))
    yield from (Said(_luck(row), "favourites") for row in here("favourites").rows(named=True))
    seats = here("ratings").filter((pl.col("kind") == "seat") & (pl.col("name") != "seat 0"))
    yield from (Said(_seat(row), "ratings") for row in seats.drop_nulls("elo").rows(named=True))
    yield from (Said(text, "mirrors") for text in _by_strength(here("mirrors")))


def _best_by_setting(ranked: pl.DataFrame) -> str:
    """Which strategy is best at each setting, the settings of one strategy together."""
    first = ranked.group_by("setting", "seats", maintain_order=True).first()
    tables = first["seats"].n_unique() > 1
    settings: dict[str, list[str]] = {}
    for row in first.iter_rows(named=True):
        where = row["setting"] + (f" with {row['seats']} seats" if tables else "")
        settings.setdefault(row["strategy"], []).append(where)
    many = f"n = {min(first['games']):,} games and more each; intervals in the table of the ranking"
    if len(settings) == 1:
        return f"{next(iter(settings))} wins most at every setting of the rules ({many})."
    told = "; ".join(f"{name} at {listed(where)}" for name, where in settings.items())
    return f"Who wins most depends on the rules: {told} ({many})."


def _games(pairs: pl.DataFrame) -> str:
    if pairs.is_empty():
        return ""
    many = (f"{end:,}" for end in (min(pairs["games"]), max(pairs["games"])))
    return f"n = {ends(*many)} games per matchup"


def _table(row: Row) -> str:
    return f" at tables of {row['seats']}" if row["seats"] != 2 else ""


def _best(rows: list[Row]) -> str:
    best, *rest = rows
    text = f"{best['strategy']} does best{_table(best)}: {wins_against(best, interval(best))}"
    for start, row in zip(("; behind it", ", last"), rest[:1] + rest[1:][-1:], strict=False):
        text += f"{start} {row['strategy']} ({percent(row['share'])})"
    close = [row["strategy"] for row in rest if row["high"] > best["low"]]
    if not close:
        return f"{text}."
    return f"{text}. Its interval overlaps with that of {listed(close)}: who of them is best is not settled."


def _needed(rows: list[Row], games: str) -> str:
    needed = [row for row in rows if row["nash"] >= MATTERS]
    if len(needed) == 1:
        text = f"""One strategy answers all others: perfect rivals would only ever play
            {needed[0]["strategy"]}, since nothing here beats it"""
    else:
        weights = listed(f"{row['strategy']} ({100 * row['nash']:.0f} %)" for row in needed)
        text = f"""Perfect rivals would mix {weights}, and need nothing else: none of them beats all others
            beyond noise"""
    kept = [row for row in rows if row["alpha_rank"] >= MATTERS]
    copied = listed(f"{row['strategy']} {100 * row['alpha_rank']:.0f} %" for row in kept)
    return f"""{text} (effective number of strategies {rows[0]["effective"]:.1f} of {len(rows)}, {games}). A
        group that copies whatever wins would play {copied} of the time (α-rank)."""


def _superfluous(rows: list[Row], games: str) -> Iterator[str]:
    never = [row for row in rows if row["strictly"]]
    if not never:
        return
    by = {row["dominated_by"] for row in never}
    are, idea = ("is", "idea behind it does") if len(never) == 1 else ("are", "ideas behind them do")
    better = by.pop() if len(by) == 1 and " + " not in "".join(by) else "something else"
    yield f"""{listed(row["strategy"] for row in never)} {are} never the right choice: {better} does better
        against every opponent, beyond noise ({games}); as played here, the {idea} not pay under these
        rules."""


def _circles(here: Tables, known: list[Row], games: str) -> Iterator[str]:
    circles, met, scape = here("cycles"), here("matchups"), here("landscape")
    for row in circles.head(3).iter_rows(named=True):
        one, two, three = row["first"], row["second"], row["third"]
        shares = ", ".join(percent(row[edge]) for edge in ("first_second", "second_third", "third_first"))
        yield f"""{one} beats {two}, {two} beats {three}, and {three} beats {one} ({shares}, {games}; the
            weakest link at least {percent(0.5 + row["low"])}): a circle as in rock-paper-scissors, so no
            choice among them is always right."""
    several = met.width > 0 and met["strategy"].n_unique() > 2
    if circles.is_empty() and several and scape.height and scape["reason"].is_null().all():
        explained = 100 - 100 * known[0]["cyclic_part"]
        yield f"""No circle as in rock-paper-scissors was found ({games}); strength alone explains
            {explained:.0f} % of the differences between matchups; among pairs that these games do not tell
            apart there may be one."""


def _ladder(row: Row) -> str:
    steps, games = span(row["steps_low"], row["steps_high"]), f"n = {row['games']:,} games of each"
    rungs = f"{row['rungs']} strategies" if row["rungs"] > 1 else "no two strategies"
    least = row["rungs_low"] if row["rungs_low"] > 1 else "none"
    most = row["rungs_high"]
    sure = f"95 % interval {least} to {most}" if most > 1 else "nor may they, at 95 %"
    return f"""From {row["worst"]} up to {row["best"]}{_table(row)} the ladder has {row["steps"]:.1f} steps of
        60:40 (95 % interval {steps}, {games}); {rungs} stand a whole step apart ({sure})."""


def _luck(row: Row) -> str:
    skill = max(0.0, 100 * (2 * row["share"] - 1))
    return f"""Of two of these strategies at one table the stronger finishes ahead in {percent(row["share"])}
        of the games ({interval(row)}; 50 % would be luck alone, 100 % skill alone): as if skill decided
        {skill:.0f} games of 100 and a coin the others."""


def _seat(row: Row) -> str:
    share, low, high = (score_of_elo(row[end]) for end in ("elo", "low", "high"))
    seat, noise = seats_named(row["name"]), " This may be noise." if row["low"] < 0 < row["high"] else ""
    return f"""{seat[0].upper()}{seat[1:]} is worth {number(row["elo"], 0, sign=True)} Elo against the first
        on average over these pairings, if a seat is worth the same to all (a model): of two equals {seat}
        would be ahead in {percent(share)} of the games
        ({interval(row | {"low": low, "high": high})}).{noise}"""


def _by_strength(mirrors: pl.DataFrame) -> Iterator[str]:
    """The first player of the strongest against that of the weakest mirror."""
    rated = mirrors.drop_nulls("elo").partition_by("seats", maintain_order=True) if mirrors.height else []
    for part in rated:
        best, worst = part.row(0, named=True), part.row(-1, named=True)
        apart = best["low"] > worst["high"] or best["high"] < worst["low"]
        so = "the seats depend on how well one plays" if apart else "no difference beyond noise"
        if part.height > 1:
            yield f"""Where all play alike the first player wins {percent(best["share"])} with the strongest,
                {best["strategy"]} ({interval(best)}), and {percent(worst["share"])} with the weakest,
                {worst["strategy"]} ({interval(worst)}): {so}."""

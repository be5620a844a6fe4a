"""What a designer should know besides the answer, a sentence each."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.words.labels import labels_of
from simkit.words.phrases import Row, Said, interval, number, percent, places, span
from simkit.words.sides import named_columns, sided

NOTEWORTHY = 0.02  # of the games
CAUTION = "Correlational, not causal: winners may have more of something because they were winning anyway."


def highlights(found: Findings, about: str) -> Iterator[Said]:
    """Sentences on the first cell to look at; `about` names it if there are several."""
    yield from _endings(found)
    cell = cells_to_look_at(found.run)[0]
    start = f"The following is about {about}. " if about else ""
    draws = _first(found, found.draws)
    many = f"{percent(draws['share'])} of the games are" if draws["share"] else "No game was"
    drawn = Said(f"{many} drawn ({interval(draws)}).", "draws")
    of_seats = [] if found.run.team else [*_drama(found), drawn]
    for said in [_length(found), *_load(found), *of_seats, *_component(found)]:
        yield Said(start + said.text, f"{said.rests}.filter(cell={cell})")
        start = ""


def _first(found: Findings, frame: pl.DataFrame) -> Row:
    return labels_of(found).named(frame.filter(cell=cells_to_look_at(found.run)[0])).row(0, named=True)


def _sure(row: Row, name: str = "") -> str:
    low, high = (row[f"{name}{end}"] for end in ("low", "high"))
    many = f"n = {row['games']:,} games"
    return many if None in (low, high) else f"{_between(low, high, span(low, high))}, {many}"


def _between(low: float, high: float, ends: str) -> str:
    """The ends of an interval in a sentence; one without width is no interval."""
    return "the same in every game" if low == high else f"95 % interval {ends}"


def _endings(found: Findings) -> Iterator[Said]:
    """A second way for games to end, with whichever lineup it is most common; nothing where it is rare."""
    ends = found.end_reasons.filter(pl.col("cell").is_in(cells_to_look_at(found.run)))
    usual = ends.group_by("end_reason").agg(pl.col("share").sum()).sort("share")["end_reason"][-1]
    rarer = ends.filter((pl.col("end_reason") != usual) & (pl.col("share") >= NOTEWORTHY)).sort("share")
    if rarer.height:
        row = labels_of(found).named(rarer).row(-1, named=True)
        how, who = labels_of(found).name(row["end_reason"]), labels_of(found).when(row["lineup"])
        text = f"Not all games end the same way: {percent(row['share'])} end by “{how}” {who}"
        yield Said(f"{text} ({interval(row)}).", f"end_reasons.filter(cell={row['cell']})")


def _length(found: Findings) -> Said:
    row = _first(found, found.lengths.filter(measure="turns"))
    digits = 1 if row["low"] is None else places(row["low"], row["high"], number)
    turns = f"{row['mean']:.{digits}f} turns {found.run.words.turns_of}"
    some = f"{row['p5']} to {row['p95']}" if row["p5"] < row["p95"] else f"{row['p5']}"
    most = f"; nine of ten games take {some}" if row["sd"] else ""
    return Said(
        f"A game takes {turns} {labels_of(found).when(row['lineup'])} ({_sure(row)}){most}.", "lengths"
    )


def _load(found: Findings) -> Iterator[Said]:
    if found.load.is_empty():
        return
    row = _first(found, found.load)
    if row["branching"] is None:
        yield Said("There is nothing to decide in this game: luck alone plays it.", "load")
        return
    often = f"{row['per_turn']:.1f} times, among {row['branching']:.1f} possibilities on average"
    wait = ""
    if row["wait"] is not None:
        wait = f"; between two turns it waits for {row['wait']:.1f} decisions of others"
    yield Said(f"In a turn a seat decides {often} ({_sure(row, 'branching_')}){wait}.", "load")


def _drama(found: Findings) -> Iterator[Said]:
    if not found.run.experiment.trace:
        return
    decided, changes = _first(found, found.decided_at), _first(found, found.lead_changes)
    if changes["mean"] == 0:
        never = interval(changes | {end: changes[f"none_{end}"] for end in ("low", "high")})
        yield Said(f"The lead never passes from one seat to another (such games: {never}).", "lead_changes")
        return
    text = f"The lead changes {changes['mean']:.1f} times in a game ({_sure(changes)})"
    if decided["mean"] is not None:
        text += f"; looking back, the winner leads for good after {percent(decided['mean'])} of the game, on "
        text += f"average, and {percent(decided['early'])} of the games are decided before half-way"
    yield Said(f"{text}.", "lead_changes")


def _component(found: Findings) -> Iterator[Said]:
    """The surest difference among what seats begin with; where none is sure, the surest sign of winning."""
    if found.components.is_empty():
        return
    known = found.components.drop_nulls("difference").filter(cell=cells_to_look_at(found.run)[0])
    rows = sided(found, named_columns(found, known, "seats"))
    sure = (pl.col("difference_low") > 0) | (pl.col("difference_high") < 0)
    lever = rows.filter(pl.col("lever") & sure).head(1)
    for row in (lever if lever.height else rows.filter(~pl.col("lever")).head(1)).iter_rows(named=True):
        low, high = row["difference_low"], row["difference_high"]
        points = "" if low is None else f"{span(low, high, 0, True, 100)} percentage points"
        ends = "a single deal" if low is None else _between(low, high, points)
        sign = "A sign of winning, no lever, is"
        what = "Of what seats begin with, most telling is" if row["lever"] else sign
        text = f"""{what} “{row["component"]}”: in the same seat with the same strategy, those with
            {row["much"]} win {percent(row["with_share"])} of their games, those with {row["little"]}
            {percent(row["without_share"])} (difference: {ends}, n = {row["with_games"]:,} and
            {row["without_games"]:,} seats). {CAUTION}"""
        yield Said(text, "components")


def upgrades(found: Findings) -> Iterator[Said]:
    """For each lineup looked at: what is bid up most, and whose owners win most."""
    looked = pl.col("cell").is_in(cells_to_look_at(found.run))
    sold = labels_of(found).named(found.ownership.filter(looked & (pl.col("sold") > 0)))
    for rows in sold.partition_by("cell", maintain_order=True):
        dearest = rows.sort("premium", descending=True).row(0, named=True)
        strongest = rows.sort("share", descending=True).row(0, named=True)
        setting = f" ({dearest['setting']})" if dearest["setting"] else ""
        played = labels_of(found).when(dearest["lineup"])
        text = f"""“{dearest["thing"].capitalize()}” is bid up most {played}{setting}:
            {dearest["price"]:.0f} credits on average against a printed {dearest["printed"]:.0f}. Seats that
            end with “{strongest["thing"]}” win {percent(strongest["share"])} of their games
            ({interval(strongest, "deals")}; fair is {percent(strongest["fair"])}). Correlational, not causal:
            who is ahead can afford more."""
        yield Said(text, "ownership")

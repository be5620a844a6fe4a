"""The comparison page: what other rules change, against the baseline on the same deals.

The brief ranks the rule sets and names the one nearest to fair; the chapters have all other changes.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

from simkit.page import charts
from simkit.page.columns import p_value, table
from simkit.page.document.parts import Figure, Report, Section, Stamp, Step, Tile, TileLine
from simkit.page.document.tables import Show, Table, with_extremes
from simkit.page.pictures import figure, takeaways_of
from simkit.page.recipe import Chapters, Recipe
from simkit.page.terminal import (
    MAX_ROWS,
    TextOrTable,
    brief_document,
    explain_brackets,
    rows_left_out,
    verdict_column,
)
from simkit.page.tiles import USUAL_SECONDS, greatest_and_least
from simkit.page.words.commands import fresh_command
from simkit.page.words.confidence import SURE, different_nearest, stopping_cautions
from simkit.page.words.labels import labels_of, measure_name
from simkit.page.words.numbers import TableRow, capital, join_names, number, plural_of, seat_name, span
from simkit.page.words.roles import unfair_role
from simkit.page.words.verdicts import (
    CHANGE,
    DEPENDS,
    KEEP,
    fairness_stamp,
    more_games,
    not_known,
    open_setting,
    side_of,
    with_not_equal,
)
from simkit.questions.compare import rule_sets, rules_nearer
from simkit.runs.table_files import HEAD
from simkit.stats.verdicts import FAULTY, NOT_EQUAL, NOT_SETTLED, OFF
from simkit.tables.compare import PRIMARY, SIDE_WINS, comparisons, wins
from simkit.tables.fairness import confirmed, nearest
from simkit.tables.findings import Findings, cells, setting_words
from simkit.tables.length import MINUTE
from simkit.tables.own_tables import changed_pieces, stronger_pieces, table_changes
from simkit.tables.seats import first_player_advantage, seat_shares

from ..sections.answer import answer, cure_role, next_steps, settle
from ..sections.changes import (
    DIFFERENCE_WORDS,
    REAL,
    changes,
    difference_figure,
    difference_table,
    helpful_rules,
)
from ..sections.components import cards_changed, pieces
from ..sections.luck import luck
from ..sections.players import matchups, who
from ..sections.roles import counters, roles, roles_by_seat
from ..sections.seats import confirmed_settings, cures, seats, verdicts
from ..sections.stories import stories
from ..sections.tension import drama, endings
from .words import by_distance, nearness, other_rule_sets, rules_answer, teams_disagree

# Stamp, figures, tables and the next step of the brief

# Verdicts are settled, and no lineup is shown to come nearer to fair.
NO_GAIN = Stamp("No gain shown", "open")


def _decision(findings: Findings) -> tuple[Stamp, str]:
    """Return the stamp, and the best other rule set, which stamp, headline and tiles are about."""
    best, more = other_rule_sets(findings)[0], more_games(first_player_advantage(findings))
    return stamp_of_sizes({seats: _stamp_of(part, best) for seats, part in findings.by_size()}, more), best


def _stamp_of(findings: Findings, best: str) -> Stamp:
    """Return the stamp of a rule set at tables of one size."""
    if teams_disagree(findings):
        return DEPENDS
    first = first_player_advantage(findings)
    before = first.filter("baseline").rows(named=True)
    stand, now = nearness(findings, best), first.filter(setting=best)["verdict"].to_list()
    return comparison_stamp(fairness_stamp(before) == KEEP, *stand, now, more_games(first))


def comparison_stamp(fair: bool, nearer: int, farther: int, verdicts: list[str], more: float = 0) -> Stamp:
    """Return whether to change to the best other rule set.

    fair: whether the baseline is. nearer, farther: numbers of lineups with which the other rule set is
    nearer to fair than the baseline, or farther, beyond luck. verdicts: on it with each lineup; while one is
    open, so is whether the change is enough. more: games that settle open cases.
    """
    if fair or farther == len(verdicts):
        return KEEP
    if not nearer and not {NOT_SETTLED, NOT_EQUAL, FAULTY} & {*verdicts}:
        return NO_GAIN
    is_open = nearer < len(verdicts) or {NOT_SETTLED, FAULTY} & {*verdicts}
    return not_known(more, each=True) if is_open else CHANGE


def stamp_of_sizes(stamps: dict[int, Stamp], more: float | None = None) -> Stamp:
    """Return the stamp of a comparison from that of each number of players; `more` games settle open ones."""
    if len(set(stamps.values())) == 1:
        return next(iter(stamps.values()))
    if change := [str(seats) for seats, stamp in stamps.items() if stamp == CHANGE]:
        return Stamp(f"Change it with {join_names(change)} players", "change")
    return not_known(more, each=True)


def _ranking(findings: Findings) -> pl.DataFrame:
    """Return a row per rule set and lineup, best first, with the first player's share or the distance."""
    first, name = first_player_advantage(findings), labels_of(findings).rule
    ranks = rule_sets(findings).select("rank", "setting")
    rows = ranks.join(first, on="setting").sort("rank", "cell")
    rows = rows.with_columns(rules=pl.col("setting").map_elements(name, return_dtype=pl.String))
    if not by_distance(findings):
        return rows.with_columns(value="share")
    off = 100 * (pl.col("farthest_share") - pl.col("fair")).abs()
    off = off.round(9)  # so that equal distances are equal floats
    half = 50 * (pl.col("joint_high") - pl.col("joint_low"))
    halves = seat_shares(findings).select("cell", farthest="seat", half=half)
    rows = rows.join(halves, on=["cell", "farthest"], how="left", maintain_order="left")
    ends = {"low": pl.max_horizontal(off - pl.col("half"), 0.0), "high": off + pl.col("half")}
    return rows.with_columns(value=off, fair=pl.lit(0.0), **ends)


MAX_DRAWN_ROWS = 6  # rows of the picture


def _rule_sets_figure(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return the best rule sets and the baseline, a dot for each lineup."""
    max_rank, rank = max(2, MAX_DRAWN_ROWS // rows["lineup"].n_unique()), pl.col("rank")
    helpers = [row["setting"] for row in helpful_rules(findings)]
    best = nearest(findings)["setting"].to_list() if findings.run.team else []
    named = pl.col("setting").is_in([*helpers[:1], *best])  # of the answer for a team
    also = named if findings.run.team else rank == rank.max()
    shown = rows.filter((rank <= max_rank) | pl.col("baseline") | also)
    which = "each rule set" if shown.height == rows.height else "the best and worst rules"
    side, far = side_of(findings.run), by_distance(findings)
    unit = "Farthest player from fair, percentage points" if far else f"{capital(side.name)} wins"
    title = f"How far from {side.aim} the farthest player is" if far else f"How often the {side.name} wins"
    how = {"margin": (100 if far else 1) * findings.run.experiment.margin, "unit": unit}
    how |= {
        "form": "{:.0f}" if far else "{:.0%}",
        "aim": "target" if side_of(findings.run).has_target else "fair",
    }
    parts = {"label": pl.col("rules"), "kind": "lineup", **{part: part for part in ("value", "low", "high")}}
    alt = f"{title} with {which}, with 95 % intervals"
    return figure(findings, ("rules", charts.forest), shown, alt, "", parts, "lineup", **how)


def _rule_sets_table(findings: Findings, rows: pl.DataFrame) -> Table:
    """Return a table of all rule sets, with whether each is nearer to fair than the baseline beyond luck."""
    ends = "farthest farthest_share" if by_distance(findings) else "low high"
    sure, side = rules_nearer(findings).filter(pl.col("p_adjusted") < SURE), side_of(findings.run)
    words = dict.fromkeys(sure["cell"], "nearer") | dict.fromkeys(sure["than"], "farther")
    than = pl.col("cell").cast(pl.Int64).replace_strict(words, default="may be luck", return_dtype=pl.String)
    shown = with_not_equal(rows, findings.run.team)
    shown = shown.with_columns(than=pl.when("baseline").then(pl.lit("–")).otherwise(than))
    than_base = Show(f"than the {labels_of(findings).base}", "{}", "beyond luck, allowing for all")
    names, heads = f"rank setting lineup share {ends} verdict than deals", {"share": f"{side.name} wins"}
    caption = f"Rule sets, nearest to {side.aim} first"
    listed = table(findings, shown, names, caption, than=than_base, **heads)
    best = pl.when("baseline").then(1).otherwise(-pl.col("rank").cast(pl.Int64))
    return with_extremes(listed, shown, best, "the best rule sets and the baseline")


def _fresh_step(findings: Findings, best: str) -> Step | None:
    """Return the games that measure the best of several rule sets on fresh deals, unless played already.

    A rule set that is off with some lineup is not measured once more: no fresh deals make it fair.
    """
    checked = set(confirmed(findings)["setting"]) if confirmed(findings).width else set[str]()
    off = first_player_advantage(findings).filter(pl.col("verdict").is_in(OFF))["setting"].to_list()
    if len(other_rule_sets(findings)) == 1 or best in [*checked, *off]:
        return None
    command = fresh_command(findings.run, cells(findings).filter(setting=best)["cell"][0])
    return Step(f"Measure {labels_of(findings).at(best)} on fresh deals.", command)


# Tiles: each number before and after a change of the rules

MAX_CHANGED, MAX_LINES, MAX_DIGITS = 4, 9, 3  # tiles, lines of a tile, decimals
TILE_TITLES = {"share": "First player wins", "team_wins": "The team wins", SIDE_WINS: ""}
TILE_TITLES |= {"turns": "Length in turns", "lead_changes": "Lead changes", "score": "Score", "draw": "Draws"}


def change_tiles(findings: Findings, setting: str) -> list[Tile]:
    """Return the tiles of a comparison: each number at the baseline and with a rule set, and its change.

    Who wins comes first, then what surely changed.
    """
    rows, seat = comparisons(findings).filter(setting=setting), pl.col("seat")
    each_seat = (pl.col("measure") == "score") & (cells(findings)["lineup"].n_unique() == 1)
    rows = rows.filter(seat.is_null() | (seat == 0) | each_seat)
    parts = {title: rows.filter(measure=measure) for measure, title in TILE_TITLES.items()}
    if findings.run.experiment.seconds_per_decision or cells(findings)["lineup"].n_unique() == 1:
        parts["Length in turns"] = pl.concat([parts["Length in turns"], _in_minutes(findings, rows)])
    own = [*_own_components(findings, setting)]
    filled = [part for part in parts.items() if (part[1]["difference"] != 0).any()]
    filled[1:] = sorted(filled[1:], key=lambda part: (part[1]["p_adjusted"] >= SURE).all())
    return [*(_changes_tile(findings, *part) for part in filled[: MAX_CHANGED - len(own)]), *own]


def _in_minutes(findings: Findings, rows: pl.DataFrame) -> pl.DataFrame:
    """Return the comparisons of decisions in minutes at the table."""
    seconds = findings.run.experiment.seconds_per_decision or USUAL_SECONDS
    sizes = pl.col("base_value", "value", "difference", "low", "high") * (seconds / MINUTE)
    measure = pl.lit(f"minutes at {seconds:g} s a decision")
    return rows.filter(measure="decisions").with_columns(sizes, measure=measure)


def _changes_tile(findings: Findings, title: str, rows: pl.DataFrame) -> Tile:
    rows = labels_of(findings).label(rows)
    owner = pl.col("seat").map_elements(seat_name, return_dtype=pl.String) if title == "Score" else pl.lit("")
    rows = rows.with_columns(owner=owner)
    named = [name for name in ("owner", "lineup", "measure") if rows[name].n_unique() > 1]
    if title == "Score" and rows["seat"][0] == 0 and "owner" not in named:
        title = "Score of the first player"
    shown = rows.head(MAX_LINES).rows(named=True)
    title = title or f"The {side_of(findings.run).name} wins"
    lines = [_change_line(row, ", ".join(row[name] for name in named)) for row in shown]
    if len(lines) > 2 and title != TILE_TITLES["share"]:  # a brief is one screen
        lines = [line._replace(note="") for line in lines]
    return Tile(title, lines, "games in 100" if rows["unit"][0] == "share" else "")


COARSE = 5  # units of the last digit below which a change has one digit more


def _change_line(row: TableRow, of: str = "") -> TileLine:
    """Return a number before and after a change, and the interval of the difference.

    >>> row = {"unit": "share", "value": 0.54, "base_value": 0.56, "low": -0.05, "high": 0.006}
    >>> _change_line(row)[:2]
    ('56 → 54', '(−5.0 to +0.6)')
    >>> _change_line({"unit": "number", "value": 31.36, "base_value": 31.44, "low": -0.12, "high": -0.06})[0]
    '31.44 → 31.36'
    >>> _change_line({"unit": "share", "value": 0.529, "base_value": 0.555, "low": -0.039, "high": -0.012})[0]
    '55.5 → 52.9'
    """
    scale, digits = (100, 0) if row["unit"] == "share" else (1, 1)
    surely = row["low"] > 0 or row["high"] < 0
    ends = [scale * row[name] for name in ("base_value", "value")]
    while surely and digits < MAX_DIGITS and abs(ends[1] - ends[0]) < COARSE / 10**digits:
        digits += 1  # enough to show the change and its size
    before, after = (number(end, digits) for end in ends)
    return TileLine(f"{before} → {after}", f"({span(row['low'], row['high'], sign=True, scale=scale)})", of)


MAX_OWN = 3  # changed rows in a tile


def _own_components(findings: Findings, setting: str) -> Iterator[Tile]:
    """Yield the rows that a designer's own table changes, with what became of their worth, then others."""
    if not stronger_pieces(findings).width:
        return
    worth = stronger_pieces(findings).filter(setting=setting)
    files = cells(findings).filter(setting=setting).select(f"^{HEAD}.*$").row(0)
    changed = table_changes(findings).filter(pl.col("file").is_in(files))
    own = [name for name in changed_pieces(changed.rows(named=True), worth["piece"]) if name]
    others = worth.filter(pl.col("p_adjusted") < SURE, ~pl.col("piece").is_in(own))
    lines = own_lines(changed.rows(named=True), worth.rows(named=True))
    rest = greatest_and_least(others, "change")
    lines += [TileLine(*_worth_change(row), row["piece"]) for row in rest]
    compared = any("→" in line.number and ":" not in line.number for line in lines)
    note = "wins in 100 that go with each, which need not be its cause" if compared else ""
    title = plural_of(findings.run.words.piece).capitalize()
    yield Tile(title, lines or [TileLine("none surely changed")], note)


def own_lines(changed: list[TableRow], worth: list[TableRow]) -> list[TileLine]:
    """Return a line for each changed row of a table: its worth before and after, where players take it.

    changed: rows of `table_changes`; worth: rows of `stronger_pieces`.
    """
    worth_of, lines = {row["piece"]: row for row in worth}, list[TileLine]()
    for row, name in zip(changed[:MAX_OWN], changed_pieces(changed, worth_of), strict=False):
        what, piece = row["cells"] or row["kind"], worth_of.get(name or "")
        if piece and piece["change"] is not None:
            number, note = _worth_change(piece)
            lines.append(TileLine(number, f"{note}, {what}", piece["piece"]))
        else:
            why = "not measured by itself" if piece is None else f"not compared, {piece['why']}"
            lines.append(TileLine(what, why, row["was"] or row["now"]))
    more = len(changed) - len(lines)
    return [*lines, TileLine(f"and {more} more", "in “Your own cards”")] if more else lines


def _worth_change(row: TableRow) -> tuple[str, str]:
    """Return the worth of a component before and after, and the interval of the change."""
    before, now = (number(100 * row[name], 0, sign=True) for name in ("before", "now"))
    return f"{before} → {now}", f"({span(row['change_low'], row['change_high'], sign=True, scale=100)})"


# Sections

RULE_SETS_WORDS = {
    "Rule set": "one choice of values for the options that are compared.",
    "Beyond luck": "luck alone would hardly make one rule set look so much nearer to fair, or to the "
    "target, than another: its adjusted p-value, which allows for all comparisons of rule sets, is "
    "below 0.05.",
}


def rule_sets_answer(findings: Findings) -> Section | None:
    """Return the brief, or None for a run without a comparison."""
    if not comparisons(findings).width:
        return None
    (stamp, best), first = _decision(findings), first_player_advantage(findings)
    stamp = CHANGE if unfair_role(findings) else stamp
    labels = labels_of(findings)
    values = f" ({labels.baseline})" if labels.base == "baseline" and len(labels.columns) > 1 else ""
    tiles_of = f"{capital(labels.base)}{values} → {labels.at(best)}"
    if not findings.run.judged:
        return replace(answer(findings), tiles=change_tiles(findings, best), tiles_of=tiles_of)
    summary, rows = rules_answer(findings), _ranking(findings)
    settling = settle(findings, first) if stamp.kind == "open" else None
    doubts = [] if findings.run.team else [different_nearest(findings)]  # of teams the answer itself says so
    return Section(
        takeaways=takeaways_of(findings, summary, "rule_sets", "rules_nearer", "first_player_advantage"),
        stamp=stamp,
        plays_on=open_setting(findings.run, stamp, [best]),
        picture=_rule_sets_figure(findings, rows),
        tiles=change_tiles(findings, best),
        tiles_of=tiles_of,
        step=cure_role(findings) or settling or _fresh_step(findings, best),
        glance=_rule_sets_table(findings, rows),
        warnings=[*stopping_cautions(findings), *filter(None, doubts)],
        words=RULE_SETS_WORDS,
    )


def deal_by_deal(findings: Findings) -> Section | None:
    """Return the changes, those that help most on top, or None for a run without a comparison."""
    if not comparisons(findings).width:
        return None
    base = f"{labels_of(findings).base} ({labels_of(findings).baseline})"
    text = f"Change against the {base} on the same deals; {REAL}."
    chosen, heading = pl.col("measure") == "share", "Change of the share of games won"
    if findings.run.team:
        chosen, heading = wins(findings.run), "Change of the team's share"
    elif findings.run.one_side:
        chosen, heading = wins(findings.run), f"Change of what the {side_of(findings.run).name} wins"
    elif set(cells(findings)["seats"]) == {2}:  # then the advantage is enough
        chosen, heading = pl.col("measure") == "fpa", "Change of what sitting first is worth"
    worst, order = pl.col("difference").min().over("setting"), ["setting", "cell", "seat"]
    rows = comparisons(findings).filter(chosen)
    rows = rows.sort(worst, *order, descending=[True, False, False, False], maintain_order=True)
    drawn = rows.filter(pl.col("seat").is_null() | (pl.col("seat") == 0))
    owner = " by the first player" if drawn.height < rows.height else ""
    picture = difference_figure(findings, drawn, "deal_by_deal", heading + owner)
    listed = difference_table(findings, rows, heading)
    return Section(heading, [text], [picture], [listed], words=DIFFERENCE_WORDS)


# The terminal and the JSON document

LEVELS = """(An interval that leaves out 0 is beyond luck. Its level is 95 %, or higher where there are
many differences; differences in who wins are counted separately from all others.)"""
VISIBLE = 0.0005  # smallest difference of shares that shows in percent with one decimal


def terminal(findings: Findings, brief: Report, whole: bool) -> Iterator[TextOrTable]:
    """Yield the differences, with what their levels mean."""
    shown = difference_rows(findings, findings.run.manifest.asked_columns, whole)
    yield f"\nCompared with {labels_of(findings).baseline}, deal by deal:\n"
    yield shown
    yield from rows_left_out(comparisons(findings).height - len(shown))
    yield LEVELS
    yield from explain_brackets(findings)


def difference_rows(findings: Findings, columns: Sequence[str], whole: bool) -> list[TableRow]:
    """Return the rows of differences that the terminal shows: all (`whole`), or those of a screen."""
    labels, first = labels_of(findings), first_player_advantage(findings)
    verdicts = dict(first.select("cell", pl.struct("verdict", "needed")).iter_rows())
    labelled = labels.label(comparisons(findings))
    won, differences = shares_won(labelled), labelled.rows(named=True)
    if not whole:
        differences = _of_screen(differences, columns, won)
    return [
        labels.in_columns(row["cell"], marked=False)
        | _row(row, won.get(row["cell"], row), verdicts[row["cell"]], whole, side_of(findings.run).name)
        for row in differences
    ]


def _of_screen(
    differences: list[TableRow], columns: Sequence[str], won: dict[int, TableRow]
) -> list[TableRow]:
    """Return the rows of a screen: who wins, the requested columns, changes beyond luck.

    With two seats no share appears twice, unless the fair share moves: then share and advantage differ.
    """
    requested = tuple(column.partition("=")[0] for column in columns)
    moved = {row["cell"] for row in differences if row["cell"] in won and _fair_moves(row, won[row["cell"]])}

    def rank(row: TableRow) -> int:
        is_primary = row["measure"] in PRIMARY
        is_primary |= row["measure"] == "share" and row["seat"] == 0 and row["cell"] in moved
        return (
            0
            if is_primary
            else 1
            if row["measure"].startswith(requested)
            else 2
            if is_beyond_luck(row)
            else 3
        )

    distinct = [
        row for row in differences if row["measure"] != "share" or row["seats"] > 2 or row["cell"] in moved
    ]
    first = sorted(range(len(distinct)), key=lambda place: rank(distinct[place]))[:MAX_ROWS]
    return [distinct[place] for place in sorted(first)]


def _row(row: TableRow, won: TableRow, case: TableRow, whole: bool, side: str) -> TableRow:
    """Return the row of a difference, given the first player's share (`won`) and the cell's verdict (`case`).

    `whole` adds the p-value and the variance reduction by common deals.
    """
    scale, unit, points = (100, " %", " points") if row["unit"] == "share" else (1, "", "")
    lead = row["measure"] == "fpa"
    wins = lead and not whole and not _fair_moves(row, won)
    form, after = ("+.2f", points) if lead and not wins else (".2f", unit)
    base, here = (f"{scale * (won if wins else row)[name]:{form}}{after}" for name in ("base_value", "value"))
    low, high = (f"{scale * row[name]:+.2f}" for name in ("low", "high"))
    interval = "-" if math.isnan(row["low"]) else f"{low} to {high}"
    measure = "first player wins" if wins else measure_name(row["measure"], row["seat"], side)
    named = {"lineup": row["lineup"], "measure": measure}
    values = {"base": base, "here": here, "difference": f"{scale * row['difference']:+.2f}{points}"}
    values |= {"interval": interval, "level": confidence_level(row["confidence"])}
    values |= {"": doubt(row)}
    verdict = verdict_column(case)
    if row["measure"] not in PRIMARY:
        verdict = dict.fromkeys(verdict, "")
    return named | values | (_precision_columns(row) if whole else {}) | verdict


def _precision_columns(row: TableRow) -> TableRow:
    """Return the adjusted p-value, the deals, and the variance reduction by common deals."""
    has_factor = row["factor"] is not None and not math.isnan(row["factor"])
    factor = "-" if not has_factor else "all" if math.isinf(row["factor"]) else f"{row['factor']:.1f} x"
    return {"p adjusted": p_value(row["p_adjusted"]), "deals": row["deals"], "variance reduced": factor}


def confidence_level(level: float) -> str:
    """Return the level of an interval with enough decimals to distinguish it from 100 %.

    >>> [confidence_level(level) for level in (0.95, 0.975, 1 - 0.05 / 12, 1 - 0.05 / 900)]
    ['95 %', '97.5 %', '99.6 %', '99.994 %']
    """
    missed = 100 * (1 - level)
    digits = 0 if abs(missed - round(missed)) < 1e-9 else max(1, math.ceil(-math.log10(missed)))
    return f"{100 - missed:.{digits}f} %"


def is_beyond_luck(row: TableRow) -> bool:
    """Return whether a difference is beyond luck, adjusted for all comparisons of its family."""
    return bool(row["p_adjusted"] < SURE)


def doubt(row: TableRow) -> str:
    """Return what to doubt about a difference; an empty text if it is beyond luck.

    >>> same = {"p_adjusted": 1.0, "difference": 0.0, "low": 0.0, "high": 0.0}
    >>> doubt(same), doubt(same | {"high": 0.1}), doubt(same | {"p_adjusted": 0.01})
    ('the same in every deal', 'may be luck', '')
    """
    if is_beyond_luck(row):
        return ""
    varies = any(row[name] for name in ("difference", "low", "high"))
    return "may be luck" if varies else "the same in every deal"


def shares_won(table: pl.DataFrame) -> dict[int, TableRow]:
    """Return by cell of a competitive game the row of `comparisons` with the first player's share."""
    return {row["cell"]: row for row in table.filter(measure="share", seat=0).rows(named=True)}


def _fair_moves(row: TableRow, won: TableRow) -> bool:
    """Return whether a rule set changes the fair share: the share won less the advantage."""
    now, before = won["value"] - row["value"], won["base_value"] - row["base_value"]
    return bool(row["measure"] == "fpa" and abs(now - before) >= VISIBLE)


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    run = findings.run
    return brief_document(brief) | {
        "run": run.place,
        "base": setting_words(next(cell.varied for cell in run.cells if cell.baseline)),
        "confidence": 0.95,
        "differences": comparisons(findings).rows(named=True),
    }


# The page

OF_RULES: Chapters = {
    "What would be fair": [confirmed_settings, cures],
    "Your own cards": [cards_changed],
    "What else changes": [changes],
    "Deal by deal": [deal_by_deal],
    "Roles": [roles, roles_by_seat],
    "Who counters whom": [counters],
    "Tension": [drama],
    "What goes with winning": [pieces],
    "Games worth a look": [stories],
}
OF_PLAYERS: Chapters = {"Who beats whom": [matchups], "Players and certainty": [verdicts, luck, seats, who]}
recipe = Recipe(
    "comparison of rules",
    brief=[rule_sets_answer, next_steps],
    chapters={**OF_RULES, **OF_PLAYERS},
    of_team={**OF_RULES, "How it ends": [endings], **OF_PLAYERS},
    needs="several settings of the rules and a baseline among them (simkit compare)",
    fits=lambda findings: comparisons(findings).height > 0,
    terminal=terminal,
    document=document,
)

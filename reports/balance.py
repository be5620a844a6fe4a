"""Is the game fair, for whom, and along the options varied: the default page of a run."""

from __future__ import annotations

import polars as pl

from simkit import analysis, charts
from simkit.report import Figure, Report, Section, Show, Takeaway, table
from simkit.runlog import Run

MOST_LINES = 7  # lines that can be told apart in one picture
MOST_PICTURES = 8
MOST_CELLS = 12  # lineups that a picture with a row for each shows
PERCENT, COUNT, TENTH = "{:.1%}", "{:,}", "{:.1f}"


def _points(share: float) -> str:
    """A difference of shares in percentage points."""
    return f"{100 * share:+.1f}"


WINS = "wins divided by games; a win shared by k seats counts 1/k for each"
LOW, HIGH = "lower end of the 95 % interval", "upper end of the 95 % interval"
SHARE = {"share": Show("share", PERCENT, WINS), "low": Show("95 % from", PERCENT, LOW), "high": Show("to", PERCENT, HIGH)}
N = {
    "games": Show("games", COUNT, "games counted"),
    "deals": Show("deals", COUNT, "independent deals that the games were played on; the unit of the interval"),
}


def build(run: Run) -> Report:
    """The page: answer, seats, options, strategies, lengths, endings, scores, how to repeat it."""
    seats = analysis.seat_shares(run)
    answer = analysis.answer(run, seats=seats)
    sections = [_seats(run, seats), *_options(run, seats), *_strategies(run), _lengths(run), _endings(run, seats), _scores(run)]
    return Report(
        title=f"{run.experiment.game.replace('_', ' ')}: balance report",
        question=answer.question,
        takeaways=_takeaways(run, answer),
        warnings=answer.warnings,
        sections=sections,
        command=run.manifest.get("command") or f"simkit run {run.folder.name}/experiment.toml",
        facts=_facts(run),
        versions=_versions(run),
        words=WORDS,
    )


def _takeaways(run: Run, answer: analysis.Answer) -> list[Takeaway]:
    """The sentences of the answer, each with a query for the rows that it rests upon."""
    sentences = [answer.sentence, *answer.details]
    if answer.ranking or len(sentences) != len(answer.first_seat):
        tables = ["ranking(run)"] if answer.ranking else []
        return [Takeaway(sentence, _query(run, *tables, "first_player_advantage(run)")) for sentence in sentences]
    rows = [f"first_player_advantage(run).filter(lineup={row['lineup']!r})" for row in answer.first_seat]
    return [Takeaway(sentence, _query(run, row)) for sentence, row in zip(sentences, rows, strict=True)]


def _query(run: Run, *tables: str) -> str:
    """Python that prints tables of the analysis in full."""
    start = ["from simkit import analysis, runlog", f"run = runlog.open_run({str(run.folder)!r})"]
    return "\n".join([*start, *(f"print(analysis.{name}.write_csv())" for name in tables)])


def _front(frame: pl.DataFrame, run: Run) -> dict[str, Show]:
    """The columns that say which cell a row is about: the options varied, and the lineup."""
    options = {name: Show(name) for axis in analysis.axes(run) for name in axis.options}
    return {name: show for name, show in (options | {"lineup": Show("lineup")}).items() if name in frame.columns}


def _looked_at(run: Run, frame: pl.DataFrame) -> pl.DataFrame:
    return frame.filter(pl.col("cell").is_in(analysis.cells_to_look_at(run)))


def _drawn(run: Run, frame: pl.DataFrame, seats: pl.DataFrame) -> pl.DataFrame:
    """The rows to draw: of many cells, those in which the first seat is farthest from fair."""
    distance = (pl.col("share") - pl.col("fair")).abs()
    first = _looked_at(run, seats).filter(pl.col("seat") == 0).sort(distance, descending=True, maintain_order=True)
    return frame.filter(pl.col("cell").is_in(first["cell"].head(MOST_CELLS).to_list()))


def _where_drawn(run: Run) -> str:
    """What of the run a picture of `_drawn` shows."""
    cells = len(analysis.cells_to_look_at(run))
    some = f"The {MOST_CELLS} of {cells} lineups in which the first seat is farthest from fair; the table has all."
    return f"{_where(run)} {some if cells > MOST_CELLS else ''}".strip()


def _where(run: Run) -> str:
    """The setting that the pictures show, where there are several."""
    cells = analysis.cells_table(run)
    shown = _looked_at(run, cells)
    if cells["setting"].n_unique() == 1:
        return ""
    return f"Shown for {shown['setting'][0]}{' (the baseline)' if shown['baseline'][0] else ''}; the table has every setting."


def _seats(run: Run, seats: pl.DataFrame) -> Section:
    """Share of each seat with the fair line."""
    shown = _drawn(run, seats, seats)
    label = pl.when(pl.col("seat") == 0).then(pl.col("lineup")).otherwise(pl.lit(""))
    drawn = shown.with_columns(label.alias("label"), _seat_name().alias("kind"))
    drawing = charts.picture("seats", charts.forest, drawn, height=_height(drawn, drawn["kind"].n_unique()))
    columns = _front(seats, run) | {"seat": Show("seat")} | SHARE | {"fair": Show("fair", PERCENT)} | N
    alt = "Share of the games won by each seat, with its 95 % interval and the fair share; numbers in the table"
    figure = Figure(drawing, alt, _where_drawn(run))
    text = "How often each seat wins. The dashed line is the share every seat would have in a fair game; the bars are 95 % intervals."
    return Section("Seats", [text], [figure], [table(seats, columns, "Share of each seat")])


def _seat_name() -> pl.Expr:
    return pl.format("seat {}{}", pl.col("seat"), pl.when(pl.col("seat") == 0).then(pl.lit(" (first)")).otherwise(pl.lit("")))


def _height(drawn: pl.DataFrame, legend: int) -> float:
    """Inches for a row each, the axis and the legend."""
    breaks = sum(str(label).count(", ") for label in drawn["label"])
    return 1.0 + 0.27 * drawn.height + 0.13 * breaks + 0.1 * legend


def _options(run: Run, seats: pl.DataFrame) -> list[Section]:
    """The first seat by lineup and along what the sweep varies."""
    first = analysis.first_player_advantage(run, seats=seats)
    columns = _front(first, run) | {"share": Show("first seat", PERCENT, "share of the first seat")}
    columns |= {"fpa": Show("points", _points, "share of the first seat less the fair share; in data a fraction, on the page in points")}
    columns |= {"fpa_low": Show("95 % from", _points, LOW), "fpa_high": Show("to", _points, HIGH), "verdict": Show("verdict")} | N
    listed = table(first, columns, "First-player advantage")
    text = "What sitting first is worth: its share less the fair share, in points. FAIR: the interval lies within ±2 points."
    heading = "First-player advantage"
    axis = _main_axis(run)
    figures = [] if axis is None else _along(run, first, axis)
    return [Section(heading if axis is None else f"{heading} along {axis.label}", [text], figures, [listed])]


def _main_axis(run: Run) -> analysis.Axis | None:
    """The part of the sweep to draw along: whole numbers before names, then the one with most values."""
    return max(analysis.axes(run), key=lambda axis: (axis.whole_numbers, len(axis.values)), default=None)


def _along(run: Run, first: pl.DataFrame, axis: analysis.Axis) -> list[Figure]:
    """One picture per setting of everything else."""
    others = [name for other in analysis.axes(run) if other != axis for name in other.options] + ["seats"]
    groups = first.partition_by(others, maintain_order=True, as_dict=True)
    figures = []
    for number, (values, part) in enumerate(list(groups.items())[:MOST_PICTURES]):
        setting = analysis.setting_words(dict(zip(others[:-1], values[:-1], strict=True)))
        figures.append(_one_along(f"along{number}", part, axis, setting))
    return figures


def _one_along(name: str, part: pl.DataFrame, axis: analysis.Axis, caption: str) -> Figure:
    """A curve where the values lie on a line, else one row per value."""
    said = f"Share of the first seat along {axis.label}, with 95 % interval and fair share, by lineup; numbers in the table"
    places = [axis.values.index(value) for value in part.select(axis.options).iter_rows()]
    part = part.with_columns(pl.Series("place", places, dtype=pl.Int64))
    if axis.whole_numbers:
        height = 3.4 + 0.1 * part["lineup"].n_unique()
        return Figure(charts.picture(name, charts.curve, _curve_table(part, axis), height=height, label=axis.label), said, caption)
    rows = part.sort("place", "cell").with_columns(pl.col("lineup").alias("kind"), _tick(axis).alias("value"))
    again = pl.col("value") == pl.col("value").shift(1)
    rows = rows.with_columns(pl.when(again.fill_null(False)).then(pl.lit("")).otherwise(pl.col("value")).alias("label"))
    drawing = charts.picture(name, charts.forest, rows, height=_height(rows, rows["kind"].n_unique()), unit="Share of the first seat")
    return Figure(drawing, said, caption)


def _tick(axis: analysis.Axis) -> pl.Expr:
    return pl.concat_str([pl.col(name).cast(pl.String) for name in axis.options], separator=" / ")


def _curve_table(part: pl.DataFrame, axis: analysis.Axis) -> pl.DataFrame:
    """Lines by lineup; a single option lies on its own scale, tied options at equal steps; about ten values are named."""
    lineups = part["lineup"].unique(maintain_order=True).to_list()[:MOST_LINES]
    x = pl.col(axis.options[0]) if len(axis.options) == 1 else pl.col("place")
    named = pl.col("place") % max(1, -(-len(axis.values) // 12)) == 0
    tick = pl.when(named).then(_tick(axis)).otherwise(pl.lit(""))
    shown = part.filter(pl.col("lineup").is_in(lineups))
    return shown.with_columns(pl.col("lineup").alias("line"), x.alias("x"), tick.alias("tick"))


def _strategies(run: Run) -> list[Section]:
    """Who beats whom, where strategies met."""
    ranked = analysis.ranking(run)
    if ranked.is_empty():
        return []
    setting = _looked_at(run, analysis.cells_table(run))["setting"][0]
    pairs = analysis.win_matrix(run)
    figures = [] if pairs.is_empty() else _matrix(run, pairs.filter(pl.col("setting") == setting), ranked)
    where = {"setting": Show("setting")} if ranked["setting"].n_unique() > 1 else {}
    columns = where | {"strategy": Show("strategy"), "opponents": Show("opponents")} | SHARE | N
    tables = [table(ranked, columns, "Over all lineups, each counting alike")]
    if not pairs.is_empty():
        tables.append(table(pairs, where | {"row": Show("strategy"), "column": Show("against")} | SHARE | N, "Pair by pair"))
    by_lineup = analysis.strategy_shares(run).filter(pl.col("seats") > 2)
    if by_lineup.height:
        tables.append(table(by_lineup, _front(by_lineup, run) | {"strategy": Show("strategy")} | SHARE | N, "By lineup"))
    text = "How often each strategy wins, over the seats it sat in."
    return [Section("Strategies", [text], figures, tables)]


def _matrix(run: Run, pairs: pl.DataFrame, ranked: pl.DataFrame) -> list[Figure]:
    """Rows and columns from the best strategy to the weakest; two strategies need no picture."""
    if pairs["row"].n_unique() < 3:
        return []
    order = {name: place for place, name in enumerate(ranked["strategy"].unique(maintain_order=True))}
    places = [pl.col(side).replace_strict(order, default=len(order), return_dtype=pl.Int64) for side in ("row", "column")]
    drawn = pairs.sort(*places)
    height = 1.6 + 0.36 * pairs["row"].n_unique()
    alt = "Share of each strategy against each other, the best on top; numbers in the table"
    return [Figure(charts.picture("matrix", charts.matrix, drawn, height=height), alt, _where(run))]


def _lengths(run: Run) -> Section:
    """Turns and decisions of a game."""
    bars = _looked_at(run, analysis.length_bars(run, "turns"))
    cells = bars["cell"].unique(maintain_order=True).to_list()
    drawn = bars.filter(pl.col("cell").is_in(cells[:MOST_LINES])).rename({"lineup": "line"})
    some = f"The first {MOST_LINES} of {len(cells)} lineups; the table has all." if len(cells) > MOST_LINES else ""
    height = 3.0 + 0.1 * drawn["line"].n_unique()
    drawing = charts.picture("lengths", charts.histogram, drawn, height=height, unit="Turns of all seats together")
    lengths = analysis.lengths(run)
    columns = _front(lengths, run) | {"measure": Show("per game"), "mean": Show("mean", TENTH), "sd": Show("sd", TENTH)}
    columns |= {"p5": Show("5 %"), "p50": Show("50 %"), "p95": Show("95 %"), "games": N["games"]}
    figure = Figure(drawing, "Share of games by number of turns; numbers in the table", f"{_where(run)} {some}".strip())
    text = (
        "How long games last: turns of all seats together, and decisions with more than one choice. "
        "sd is the standard deviation; 5, 50 and 95 % of the games are at most as long as the numbers below these heads."
    )
    return Section("Length", [text], [figure], [table(lengths, columns, "Length of a game")])


def _endings(run: Run, seats: pl.DataFrame) -> Section:
    """Why games end, and who wins then."""
    ends = _drawn(run, analysis.end_winners(run), seats)
    nobody = pl.when(pl.col("winner").is_null()).then(pl.lit("shared or nobody")).otherwise(pl.format("seat {} wins", pl.col("winner")))
    part = pl.format("{}: {}", pl.col("end_reason"), nobody)
    drawn = ends.with_columns(pl.col("lineup").alias("label"), part.alias("part")).sort("part", "cell")
    rows, parts = drawn["label"].n_unique(), drawn["part"].n_unique()
    drawing = charts.picture("ends", charts.stacked, drawn, height=1.1 + 0.38 * rows + 0.12 * parts)
    reasons = analysis.end_reasons(run).filter(pl.col("share") > 0)
    columns = _front(reasons, run) | {"end_reason": Show("ends by")} | SHARE | N
    draws = analysis.draws(run)
    shared = table(draws, _front(draws, run) | SHARE | N, "Draws: share of games whose win was shared")
    figure = Figure(drawing, "Share of games by end reason and winning seat; numbers in the table", _where_drawn(run))
    return Section("Endings", ["Why games end, and who wins then."], [figure], [table(reasons, columns, "End reasons"), shared])


def _scores(run: Run) -> Section:
    scores = analysis.scores(run)
    columns = _front(scores, run) | {"seat": Show("seat"), "mean": Show("mean score", "{:.2f}"), "low": Show("95 % from", "{:.2f}")}
    columns |= {"high": Show("to", "{:.2f}"), "sd": Show("sd", "{:.2f}")} | N
    text = "Final scores by seat: the mean with its 95 % interval, and how far single games scatter around it (sd)."
    return Section("Scores", [text], [], [table(scores, columns, "Score of each seat")])


def _facts(run: Run) -> list[tuple[str, str]]:
    """What was played, with what."""
    keys, made = run.experiment, run.manifest
    fixed = analysis.setting_words(keys.options) or "none"
    rest = f"all others as in the rulebook (simkit rules {keys.game})"
    games = sum(cell.plays for cell in run.cells)
    deals = sorted({cell.deals for cell in run.cells})
    rotated = sorted({cell.rotations for cell in run.cells})
    return [
        ("Rules", f"{keys.game}; options set for all games: {fixed}; varied: {_varied(run)}; {rest}"),
        ("Games", f"{games:,} in {len(run.cells)} cells of {_numbers(deals)} deals; games per deal (rotations): {_numbers(rotated)}"),
        ("Luck", f"seed {made.get('seed', keys.seed)}; every cell is played on the same deals, so cells can be compared deal by deal"),
        ("Played", f"{made.get('finished') or made.get('started')}, in {made.get('seconds', 0.0):.0f} s"),
    ]


def _versions(run: Run) -> dict[str, str]:
    """Of the programs that played, and the digest of all sources."""
    keys = {"simkit": "simkit", "Python": "python", "numpy": "numpy", "numba": "numba", "sources (SHA-256)": "sources"}
    return {name: str(run.manifest[key]) for name, key in keys.items() if run.manifest.get(key)}


def _varied(run: Run) -> str:
    said = [f"{axis.label} = {', '.join('/'.join(map(str, value)) for value in axis.values)}" for axis in analysis.axes(run)]
    return "; ".join(said) or "nothing"


def _numbers(values: list[int]) -> str:
    return ", ".join(f"{value:,}" for value in values)


WORDS = [
    ("Share", "wins divided by games; a win shared by several seats counts 1/2, 1/3 … for each. No game is left out."),
    ("First seat", "seat 0, the first in the order of play. Seats are numbered from 0."),
    ("First-player advantage", "the share of the first seat less the fair share (1 divided by the number of seats), in percentage points."),
    (
        "95 % interval",
        "the range in which the true value may be expected: were the whole experiment repeated on new deals, about 19 of 20 such "
        "intervals would contain it. For shares it is Wilson's interval with the effective number of games, for scores Student's t. "
        "It says how well these strategies under these rules are measured, not how people would play.",
    ),
    ("Deal", "one shuffle of all luck in the game. All games on one deal count as one observation, since they share their luck."),
    ("Rotation", "a deal is played once for each way of moving the strategies round the seats, so that no strategy profits from a seat."),
    ("Mirror", "a lineup in which the same strategy sits in every seat: what remains is the effect of the seats."),
    ("Baseline", "the setting that the others are compared with."),
    (
        "FAIR, UNFAIR, UNDECIDED",
        "the whole interval lies within ±2 points of the fair share; wholly outside; or across the border: more deals would be needed.",
    ),
    (
        "Nearest to fair",
        "picked as the best of the settings tried, so it may look a little better than it is: play it with another seed to confirm.",
    ),
]

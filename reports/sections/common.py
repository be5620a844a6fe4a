"""What every section is written with: how columns are shown, which cells a picture draws, the query that repeats a number."""

from __future__ import annotations

import polars as pl

from reports.sections.who import option_meaning
from simkit import analysis
from simkit.report import Show, Table, table
from simkit.runlog import Run

MOST_LINES = 7  # lines that can be told apart in one picture

MOST_PICTURES = 8

MOST_CELLS = 12  # lineups that a picture with a row for each shows

SHORT = 12  # rows of a table that the page shows unfolded

PERCENT, COUNT, TENTH = "{:.1%}", "{:,}", "{:.1f}"


def points(share: float) -> str:
    """A difference of shares in percentage points.

    >>> points(0.0123), points(-0.0001)
    ('+1.2', '0.0')
    """
    text = f"{100 * share:+.1f}"
    return text if float(text) else "0.0"


SEAT = {"seat": Show("seat", analysis.seat_name)}
POINTS = "percentage points"  # of shares; points alone are those of the game
WINS = "wins divided by games; a win shared by k seats counts 1/k for each"
LOW, HIGH = "lower end of the 95 % interval", "upper end of the 95 % interval"
SHARE = {
    "share": Show("share", PERCENT, WINS),
    "low": Show("95 % from", PERCENT, LOW),
    "high": Show("to", PERCENT, HIGH),
}
N = {
    "games": Show("games", COUNT, "games counted"),
    "deals": Show(
        "deals", COUNT, "independent deals that the games were played on; the unit of the interval"
    ),
}


def query(run: Run, *tables: str) -> str:
    """Python that prints tables of the analysis in full."""
    start = ["from simkit import analysis, runlog", f"run = runlog.open_run({str(run.folder)!r})"]
    return "\n".join([*start, *(f"print(analysis.{name}.write_csv())" for name in tables)])


def front(frame: pl.DataFrame, run: Run) -> dict[str, Show]:
    """The columns that say which cell a row is about: the options varied, and the lineup."""
    options = {
        name: Show(name, meaning=option_meaning(run, name))
        for axis in analysis.axes(run)
        for name in axis.options
    }
    return {
        name: show for name, show in (options | {"lineup": Show("lineup")}).items() if name in frame.columns
    }


def looked_at(run: Run, frame: pl.DataFrame) -> pl.DataFrame:
    return frame.filter(pl.col("cell").is_in(analysis.cells_to_look_at(run)))


def drawn_cells(run: Run, frame: pl.DataFrame, seats: pl.DataFrame) -> pl.DataFrame:
    """The rows to draw: of many cells, those in which the first seat is farthest from fair."""
    distance = (pl.col("share") - pl.col("fair")).abs()
    first = (
        looked_at(run, seats).filter(pl.col("seat") == 0).sort(distance, descending=True, maintain_order=True)
    )
    return frame.filter(pl.col("cell").is_in(first["cell"].head(MOST_CELLS).to_list()))


def by_lineup(run: Run, column: str = "lineup") -> pl.Expr:
    """The style of each lineup, the same in every picture; the first styles are those of the seats."""
    lineups = analysis.cells_table(run)["lineup"].unique(maintain_order=True).to_list()
    seats = max(cell.seats for cell in run.cells)
    places = {name: seats + place for place, name in enumerate(lineups)}
    return pl.col(column).replace_strict(places, default=-1, return_dtype=pl.Int64).alias("style")


def by_measure(column: str = "measure") -> pl.Expr:
    """The style of a measure: that of its seat, else one of the greys."""
    seat = pl.col(column).str.extract(r"of seat (\d+)$").cast(pl.Int64)
    first = pl.when(pl.col(column).str.starts_with("first-player")).then(pl.lit(0, pl.Int64))
    other = -1 - pl.col(column).eq("decisions").cast(pl.Int64)
    return first.otherwise(pl.coalesce(seat, other)).alias("style")


def measured(value: float, low: float | None, high: float | None, form: str) -> tuple[str | None, ...]:
    """A number and the ends of its interval as they are read, the ends with as many digits as tell them apart.

    >>> measured(0.5, 0.49991, 0.50004, "{:.0%}"), measured(2, None, None, "{:.1f}")
    (('50.00 %', '49.99 %', '50.00 %'), ('2.0', None, None))
    """
    kind = form.rstrip("}")[-1]
    digits = int(form.rpartition(".")[2][0])

    def said(number: float, places: int) -> str:
        return f"{number:.{places}{kind}}".replace("%", " %")

    if low is None or high is None:
        return said(value, digits), None, None
    enough = analysis.places(low, high, said, digits)
    return said(value, enough), said(low, enough), said(high, enough)


def where_drawn(run: Run) -> str:
    """What of the run a picture of `_drawn` shows."""
    cells = len(analysis.cells_to_look_at(run))
    some = f"The {MOST_CELLS} of {cells} lineups in which the first seat is farthest from fair; the table has all."
    return f"{where(run)} {some if cells > MOST_CELLS else ''}".strip()


def where(run: Run) -> str:
    """The setting that the pictures show, where there are several."""
    cells = analysis.cells_table(run)
    shown = looked_at(run, cells)
    if cells["setting"].n_unique() == 1:
        return ""
    return f"Shown for {shown['setting'][0]}{' (the baseline)' if shown['baseline'][0] else ''}; the table has every setting."


def here(run: Run) -> str:
    """The setting and lineup that a section is about, where there are several."""
    shown = looked_at(run, analysis.cells_table(run))
    settings = analysis.cells_table(run)["setting"].n_unique()
    setting = (
        f"{shown['setting'][0]}{' (the baseline)' if shown['baseline'][0] else ''}" if settings > 1 else ""
    )
    lineup = shown["lineup"][0] if shown.height > 1 else ""
    said = ", ".join(filter(None, [setting, lineup]))
    return f"Shown for {said}." if said else ""


def first_and_all(
    run: Run, frame: pl.DataFrame, columns: dict[str, Show], caption: str, most: int | None = None
) -> list[Table]:
    """The rows of the first cell to look at (at most so many), and, where there are more, all of them."""
    if frame.height <= SHORT:
        return [table(frame, columns, caption)]
    few = first_cell(run, frame).head(most or frame.height)
    first = table(
        few, {name: show for name, show in columns.items() if name not in front(frame, run)}, caption
    )
    return [first] if few.height == frame.height else [first, table(frame, columns, f"{caption}: all")]


def inches(drawn: pl.DataFrame, legend: int) -> float:
    """Inches for a row each, the axis and the legend."""
    breaks = sum(str(label).count(", ") for label in drawn["label"])
    return 1.0 + 0.27 * drawn.height + 0.13 * breaks + 0.1 * legend


def cells_looked_at(run: Run) -> Run:
    """The run reduced to the cells to look at: those of the baseline."""
    return run.only(analysis.cells_to_look_at(run))


def first_cell(run: Run, frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of the first cell to look at."""
    return frame.filter(pl.col("cell") == analysis.cells_to_look_at(run)[0])


def margin_points(run: Run) -> str:
    """The margin of the experiment.

    >>> from types import SimpleNamespace as Made
    >>> margin_points(Made(experiment=Made(margin=0.02))), margin_points(Made(experiment=Made(margin=0.01)))
    ('2 percentage points', '1 percentage point')
    """
    return analysis.distance(run.experiment.margin)


def meanings(run: Run, kind: str) -> dict[str, str]:
    """What the columns of a table mean, seats by their names."""
    return {name: analysis.seats_named(text) for name, text in run.meanings(kind).items()}


def percent(share: float) -> str:
    """A share in a sentence."""
    return f"{100 * share:.1f} %"

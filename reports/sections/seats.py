"""How often each seat wins, what follows from it, how sure that is, and whether it hangs on who plays."""

from __future__ import annotations

from typing import Any

import polars as pl

from reports.sections.common import (
    HIGH,
    LOW,
    PERCENT,
    SEAT,
    WINS,
    N,
    cells_looked_at,
    drawn_cells,
    front,
    inches,
    looked_at,
    margin_points,
    points,
    where_drawn,
)
from simkit import analysis, charts
from simkit.report import Figure, Section, Show, Table, table
from simkit.runlog import Run

NOT_MEASURED = (
    "Not measured in this run. To see whether the seats matter more to strong play, and how much the luck of the deal decides, play "
    "several strategies, each against itself and against another (--lineup A,A --lineup B,B --lineup A,B)."
)


def seat_section(run: Run, seats: pl.DataFrame) -> Section:
    """Share of each seat with the fair line."""
    shown = drawn_cells(run, seats, seats)
    label = pl.when(pl.col("seat") == 0).then(pl.col("lineup")).otherwise(pl.lit(""))
    drawn = shown.with_columns(
        label.alias("label"), _seat_name().alias("kind"), pl.col("seat").alias("style")
    )
    share = {
        "share": Show("share", PERCENT, WINS),
        "joint_low": Show("95 % from", PERCENT, LOW),
        "joint_high": Show("to", PERCENT, HIGH),
    }
    columns = front(seats, run) | SEAT | share | {"fair": Show("fair", PERCENT)} | N
    drawn = drawn.with_columns(pl.col("joint_low").alias("low"), pl.col("joint_high").alias("high"))
    drawing = charts.picture("seats", charts.forest, drawn, height=inches(drawn, drawn["kind"].n_unique()))
    alt = (
        "Share of the games won by each seat, with its 95 % interval and the fair share; numbers in the table"
    )
    figure = Figure(drawing, alt, where_drawn(run))
    text = "How often each seat wins. The dashed line is the share every seat would have in a fair game; the bars are 95 % intervals"
    together = (
        ", which hold for all seats of a lineup together."
        if max(cell.seats for cell in run.cells) > 2
        else "."
    )
    looks = (
        " They hold at every look, since the run decided by itself when to stop."
        if run.experiment.adaptive
        else ""
    )
    return Section(
        "Seats", [text + together + looks], [figure], [table(seats, columns, "Share of each seat")]
    )


def _seat_name() -> pl.Expr:
    return pl.col("seat").map_elements(analysis.seat_name, return_dtype=pl.String)


def fairness_sections(run: Run, seats: pl.DataFrame) -> list[Section]:
    """Verdicts; in a run that stopped by itself where and why; the seats by who plays."""
    first = analysis.first_player_advantage(run, seats=seats)
    stopped = [_stopping_section(run, first)] if run.experiment.adaptive else []
    return [verdict_section(run, first), *stopped, skill_section(run, first)]


def verdict_section(run: Run, first: pl.DataFrame) -> Section:
    """What each cell is found to be, how strong the evidence is, how far apart the seats are."""
    spread = analysis.seat_spread(run)
    rows = first.join(
        spread.select("cell", "gap", "gap_low", "gap_high", "p_adjusted"), on="cell", maintain_order="left"
    )
    text = [
        f"FAIR: every seat is within {margin_points(run)} of its fair share. UNFAIR: some seat is farther off. UNDECIDED: more deals are "
        "needed. Of the verdicts given together, at most 5 in 100 are expected to be wrong, also if one looks again and again while a run grows.",
        "A verdict asks more than an interval: it holds for all cases together and at every look. So an interval may lie outside the margin "
        "and its case still be UNDECIDED.",
        "The gap between the most and the least favoured seat is corrected for what luck alone adds, so that a fair game shows about 0.",
    ]
    columns = front(rows, run) | {"verdict": Show("verdict")}
    columns |= {
        "e_value": Show(
            "evidence",
            _evidence,
            "e-value of the stronger of the two claims: 20 and more settles a single case",
        )
    }
    more_seats = rows.filter(pl.col("seats") > 2).height > 0
    told = {
        "farthest": Show("farthest from fair", analysis.seat_name),
        "farthest_share": Show("its share", PERCENT, WINS),
    }
    columns |= told if more_seats else {"share": Show("first seat", PERCENT, WINS)}
    columns |= {
        "gap": Show(
            "gap of seats",
            _gap,
            "largest less smallest share of a seat, corrected for luck, in percentage points",
        )
    }
    if not run.experiment.adaptive:
        columns |= {"gap_low": Show("95 % from", _gap, LOW), "gap_high": Show("to", _gap, HIGH)}
        equal = Show(
            "p, if seats are equal",
            _p_value,
            "how often equal seats would differ as much, adjusted for the number of cases (Holm); asks for equal, not for fair within the margin",
        )
        columns |= {"p_adjusted": equal} if more_seats else {}
    few = looked_at(run, rows)
    if few.height == rows.height:
        tables = [table(rows, columns | N, "Verdicts")]
    else:
        settings = {name for axis in analysis.axes(run) for name in axis.options}
        short = {name: show for name, show in columns.items() if name not in settings}
        tables = [
            table(few, short, f"Verdicts at {few['setting'][0]}"),
            table(rows, columns | N, "Verdicts at all settings"),
        ]
    return Section("Verdicts", [_counted(rows), *text], [], [*tables, *_duel(run, first)])


def _counted(rows: pl.DataFrame) -> str:
    """How many cases have which verdict."""
    kinds = [
        f"{(rows['verdict'] == kind).sum()} {kind}"
        for kind in ("FAIR", "UNFAIR", "UNDECIDED")
        if (rows["verdict"] == kind).any()
    ]
    return (
        f"Of {rows.height} cases (lineups and settings) {', '.join(kinds)}."
        if rows.height > 1
        else f"The verdict: {rows['verdict'][0]}."
    )


def _duel(run: Run, first: pl.DataFrame) -> list[Table]:
    """Two seats: the first seat at every look, and in Elo."""
    rows = first.filter(pl.col("seats") == 2)
    if rows.is_empty():
        return []
    columns = front(rows, run) | {"share": Show("first seat", PERCENT, WINS)}
    columns |= {
        "ever_low": Show("at any look from", PERCENT, "holds at every look at once"),
        "ever_high": Show("to", PERCENT, HIGH),
    }
    columns |= {
        "elo": Show("Elo", "{:+.0f}", "of the first seat over the second"),
        "elo_low": Show("95 % from", "{:+.0f}", LOW),
    }
    return [
        table(
            rows,
            columns | {"elo_high": Show("to", "{:+.0f}", HIGH)} | N,
            "The first of two seats, at every look and in Elo",
        )
    ]


def _evidence(value: float) -> str:
    """An e-value, which may be huge.

    >>> _evidence(3.21), _evidence(3e9)
    ('3.2', 'over 1,000,000')
    """
    return "over 1,000,000" if value > 1e6 else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _gap(share: float) -> str:
    return f"{100 * share:.1f}"


def _p_value(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _stopping_section(run: Run, first: pl.DataFrame) -> Section:
    """Deals spent per cell, why it stopped, the share with and without the adjustment."""
    rows = first.with_columns(
        pl.Series("why", [_why(run, row) for row in first.iter_rows(named=True)], dtype=pl.String)
    )
    text = (
        f"This run played each case until it knew enough, at most {run.experiment.deals:,} deals. Stopping when the evidence suffices "
        "exaggerates a little; the adjusted share takes that out."
    )
    columns = front(rows, run) | {"deals": N["deals"], "why": Show("stopped because")}
    columns |= {
        "share": Show("first seat, plain", PERCENT, WINS),
        "adjusted": Show("adjusted", PERCENT, "less the bias of stopping"),
    }
    columns |= {"low": Show("95 % from", PERCENT, LOW), "high": Show("to", PERCENT, HIGH)}
    return Section("Where it stopped", [text], [], [table(rows, columns, "Deals spent")])


def _why(run: Run, row: dict[str, Any]) -> str:
    """Why a cell played no more."""
    if row["deals"] >= run.experiment.deals:
        return (
            f"the most deals allowed ({row['verdict']})"
            if run.experiment.until_verdict
            else "the most deals allowed"
        )
    aims = [f"it is {row['verdict']}"] if run.experiment.until_verdict else []
    aims += (
        [f"interval within {analysis.distance(run.experiment.until_width)}"]
        if run.experiment.until_width
        else []
    )
    return " and ".join(aims)


def skill_section(run: Run, first: pl.DataFrame) -> Section:
    """The advantage of the first seat by who plays, from the strongest to the weakest; and how much the deal decides."""
    mirrors, luck = _mirrors(run, first), analysis.deal_luck(cells_looked_at(run))
    text, tables = [], []
    if mirrors.height < 2 and luck.is_empty():
        return Section("Skill and luck", [NOT_MEASURED])
    if mirrors.height > 1:
        known = mirrors["strength"].is_not_null().any()
        order = "from the strongest to the weakest" if known else "in the order of the experiment"
        text.append(
            f"The first seat among equals, {order}. Where it hangs on who plays, it may be another one among people."
        )
        sizes = mirrors["seats"].n_unique() > 1
        columns = {"strategy": Show("both play" if mirrors["seats"].max() == 2 else "all play")}
        columns |= {"seats": Show("seats", "{}")} if sizes else {}
        columns |= {"strength": Show("wins against others", PERCENT)} if known else {}
        columns |= {
            "fpa": Show("first seat, percentage points", points),
            "fpa_low": Show("95 % from", points, LOW),
            "fpa_high": Show("to", points, HIGH),
        }
        tables.append(table(mirrors, columns | {"verdict": Show("verdict")} | N, "First seat by who plays"))
        text += _sign(mirrors)
    else:
        text.append(
            "To see whether the seats matter more to strong play, play several strategies, each against itself too (--lineup A,A --lineup B,B)."
        )
    if luck.height:
        columns = front(luck, run) | {
            "plays": Show("games per deal"),
            "correlation": Show("decided by the deal", "{:.2f}"),
        }
        columns |= {
            "low": Show("95 % from", "{:.2f}", LOW),
            "high": Show("to", "{:.2f}", HIGH),
            "deals": N["deals"],
        }
        tables.append(table(luck, columns, "How much the deal decides which seat wins"))
        text.append(
            "How much the deal decides: 1, the luck of the deal alone says which seat wins; 0, nothing of it carries over when the strategies "
            "change seats; below 0, the luck of the deal goes with the strategy rather than with the seat."
        )
    else:
        text.append(
            "To see how much the luck of the deal decides, play a lineup of two different strategies: each deal is then played with both seatings."
        )
    return Section("Skill and luck", text, [], tables)


def _mirrors(run: Run, first: pl.DataFrame) -> pl.DataFrame:
    """The cells looked at in which one strategy sits everywhere, by its strength where it met others."""
    alone = {cell.index: cell.labels[0] for cell in run.cells if len(set(cell.labels)) == 1}
    rows = looked_at(run, first).filter(pl.col("cell").is_in(list(alone)))
    strategy = pl.col("cell").cast(pl.Int64).replace_strict(alone, default=None, return_dtype=pl.String)
    rows = rows.with_columns(strategy.alias("strategy"), pl.lit(None, pl.Float64).alias("strength"))
    ranked = analysis.ranking(cells_looked_at(run))
    if rows.is_empty() or ranked.is_empty():
        return rows
    strength = ranked.select("seats", "strategy", pl.col("share").alias("strength"))
    rows = rows.drop("strength").join(strength, on=["seats", "strategy"], how="left", maintain_order="left")
    return rows.sort("strength", descending=True, nulls_last=True, maintain_order=True)


def _sign(mirrors: pl.DataFrame) -> list[str]:
    """Where the advantage changes sides beyond doubt."""
    ahead = mirrors.filter(pl.col("fpa_low") > 0)["strategy"].to_list()
    behind = mirrors.filter(pl.col("fpa_high") < 0)["strategy"].to_list()
    if not (ahead and behind):
        return []
    return [
        f"Beware of a bot artefact: the first seat is ahead when all play {', '.join(ahead)}, but behind with {', '.join(behind)}. "
        "It is made by how the bots play, not by the rules alone; trust the strategies that play most like people."
    ]

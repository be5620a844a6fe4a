"""Seats and settings: the share of each seat, verdicts, checks on fresh deals, and cures."""

import polars as pl

from simkit.formatting import counted
from simkit.page import charts
from simkit.page.advice import recommended_settings
from simkit.page.columns import table
from simkit.page.document.parts import Figure, Section, Story
from simkit.page.document.tables import Show, with_extremes
from simkit.page.pictures import MOST_LINES, figure, label_column, looked_at, margin, values
from simkit.page.sweeps import along
from simkit.page.words.commands import command_again, compensations
from simkit.page.words.confidence import grounds
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import TableRow, capital, join_names, percent, prose, seat_name, span
from simkit.page.words.verdicts import beyond_two, side_of, verdict_scale, with_not_equal
from simkit.stats.verdicts import FAULTY, NOT_EQUAL
from simkit.tables.fairness import confirmed
from simkit.tables.findings import Findings, axes, cells
from simkit.tables.luck import seat_spread
from simkit.tables.seats import first_player_advantage, seat_shares
from simkit.tables.sides import seats_by_side


def seats(findings: Findings) -> Section | None:
    """Return the shares by seat, or None for a team or for two seats, where one share is enough."""
    shares = seat_shares(findings)
    if findings.run.sides:
        return _seats_by_side(findings)
    if not beyond_two(findings):
        return None
    at_every_look = ", at every look" if findings.run.experiment.adaptive else ""
    text = [f"The intervals hold for all players of a lineup together{at_every_look}."]
    listed = table(findings, shares, "cell seat share joint_low joint_high fair n", "Share of each player")
    off = (pl.col("share") - pl.col("fair")).abs()
    listed = with_extremes(listed, shares, off, "those farthest from fair")
    return Section("What each player wins", text, [], [listed])


def _seats_by_side(findings: Findings) -> Section:
    """Return how often each side wins, by the seats on it."""
    rows, labels = looked_at(findings, seats_by_side(findings)), labels_of(findings)
    texts = ["A player wins with its side. A side that is drawn or chosen may be worth more in some seats."]
    for part in rows.partition_by("cell", "side", maintain_order=True):
        wins = join_names(map(_seat_wins, part.rows(named=True)))
        size = f"{part['lineup'][0]}: " if rows["cell"].n_unique() > 1 else ""
        texts.append(f"{size}The {labels.name(part['side'][0], 'side')} wins {wins}.")
    return Section("What each player wins on either side", texts)


def _seat_wins(row: TableRow) -> str:
    """Return how often the side of a seat wins, in words, with its interval."""
    interval = span(row["low"], row["high"], scale=100)
    return f"{percent(row['share'])} ({interval}) with the {seat_name(row['seat'])} on it"


CONFIRMATION_TEXT = prose("""What was picked because it looked best looks better than it is. The settings
    nearest to fair were therefore played again, on deals of their own, until there was a verdict at a margin
    of {margin}. Shares are corrected for the bias of stopping. The intervals hold at every look.""")


def confirmed_settings(findings: Findings) -> Section | None:
    """Return the settings nearest to fair, on fresh deals; None for a run without a check."""
    if not confirmed(findings).width:
        return None
    good, side = recommended_settings(findings), side_of(findings.run)
    right = "on target" if findings.run.team else "fair"
    heading = f"No setting is known to be {right} on fresh deals"
    if good:
        cases = confirmed(findings).filter(pl.col("setting").is_in(good))
        right = right if set(cases["verdict"]) == {side.verdicts[0]} else f"near {side.aim}"
        stay = "stays" if len(good) == 1 else "stay"
        heading = f"On fresh deals {labels_of(findings).settings(good, 'and')} {stay} {right}"
    heads = {"share": Show(f"{side.name} wins", "{:.1%}")}
    heads |= {"more_games": Show("further games", "{:,}", "that would roughly settle it")}
    farthest = "farthest_share " if beyond_two(findings) else ""
    columns = f"setting lineup share low high {farthest}verdict games more_games"
    listed = table(findings, confirmed(findings), columns, "Nearest to fair, on fresh deals", **heads)
    return Section(heading, [CONFIRMATION_TEXT.format(margin=margin(findings))], tables=[listed])


VERDICTS_WORDS = {
    "Evidence (e-value)": "how strongly the games speak for the verdict: what a bet against it would have "
    "multiplied its stake by. A single case is settled at 20 (5 % error); where there are many cases, the "
    "bar rises with their number.",
    "Surely from": "such an interval is wider than the ordinary one, since it holds however often one looks "
    "and whenever one stops. It never contradicts the verdict, which rests on the same tests.",
    "Gap of seats": "share of the most favoured seat less that of the least favoured, corrected for luck: "
    "by luck alone the shares of a fair game differ a little too.",
    "Elo": "difference in winning chances on the scale of chess ratings: +35 is about 55 %, +70 about 60 %, "
    "+191 is 75 %.",
}


def verdicts(findings: Findings) -> Section | None:
    """Return verdicts, evidence and gaps at the setting in view; None for a team without a target."""
    if not findings.run.judged:
        return None
    side, rows = side_of(findings.run), looked_at(findings, first_player_advantage(findings))
    rows = with_not_equal(rows, findings.run.team)
    heads = {"share": f"{side.name} wins", "p_adjusted": "p, if seats are equal"}
    names = "cell share ever_low ever_high verdict e_value"
    text = [f"{verdict_scale(findings.run)}.", grounds(findings.run)]
    if findings.run.one_share:
        names += " fair n"
    else:
        gaps = seat_spread(findings).select("cell", "gap", "gap_low", "gap_high", "p_adjusted")
        rows = rows.join(gaps, on="cell", maintain_order="left")
        names += " farthest farthest_share gap"
        names += " n" if findings.run.experiment.adaptive else " gap_low gap_high p_adjusted n"
    listed = table(findings, rows, names, "Verdicts", **heads)
    return Section("Verdicts and their evidence", text, tables=[listed], words=VERDICTS_WORDS)


VERDICT_SIGNS = {"FAIR": "F", "ON TARGET": "T", "BORDERLINE": "≈", "UNFAIR": "U", "TOO EASY": "E"}
VERDICT_SIGNS |= {"TOO HARD": "H", NOT_EQUAL: "≠", "NOT SETTLED": "+", FAULTY: "×"}
MAX_FIELDS = {"row": 40, "column": 8}  # rows and columns of a readable map


def verdict_map(findings: Findings) -> Section | None:
    """Return the verdicts by setting and lineup; None where the brief has them all or nothing is judged."""
    drawn_above = len(findings.cached(along)) == 1 and cells(findings)["lineup"].n_unique() <= MOST_LINES
    if not findings.run.judged or drawn_above:
        return None
    side, rows = side_of(findings.run), with_not_equal(first_player_advantage(findings), findings.run.team)
    verdicts = set(rows["verdict"])
    signs = join_names(f"{sign} is {kind}" for kind, sign in VERDICT_SIGNS.items() if kind in verdicts)
    text = prose(f"""{capital(signs)}. {verdict_scale(findings.run)}. The number is the share of the
        {side.name} in percent. Of the cells with a claim at most one in 20 is expected to be wrong.""")
    return Section("Verdicts on all settings", [text], [_verdicts_figure(findings, rows)])


def _verdicts_figure(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return the map by setting and lineup; for one lineup, of two options by each other."""
    swept, labels, side = axes(findings.run), labels_of(findings), side_of(findings.run)
    label = " / ".join(map(labels.axis, swept))
    across, down, row, column = "", label, values(findings, *swept), label_column(findings, "lineup")
    if rows["lineup"].n_unique() == 1 and len(swept) == 2:
        down, across = map(labels.axis, swept)
        row, column = (values(findings, axis) for axis in swept)
    else:
        is_marked = pl.col("baseline") & (row != labels.base)  # tied options have no other name for it
        row += pl.when(is_marked).then(pl.lit(f" ({labels.base})")).otherwise(pl.lit(""))
    shown = rows.with_columns(row.alias("row"), column.alias("column"))
    for name, limit in MAX_FIELDS.items():
        first = shown[name].unique(maintain_order=True).head(limit)
        shown = shown.filter(pl.col(name).is_in(first.to_list()))
    cut = f"{shown.height} of {rows.height} fields are shown; the table of every case has all."
    caption = cut if shown.height < rows.height else ""
    parts = {"row": "row", "column": "column", "sign": pl.col("verdict").replace_strict(VERDICT_SIGNS)}
    how = {"across": across, "down": down, "middle": side.aim, "title": f"The {side.name} wins, %"}
    alt = f"How often the {side.name} wins, in percent, and the verdict, by setting and lineup"
    return figure(findings, ("verdicts", charts.heat), shown, alt, caption, parts, **how)


def cures(findings: Findings) -> Section | None:
    """Return sweeps of other options that treat some seats differently.

    None after a sweep of several options, or without candidates.
    """
    run, commands = findings.run, compensations(findings.run)
    if not commands:
        return None
    names = capital(join_names(map(labels_of(findings).option, commands)))
    rest = command_again(run, "rules", run.experiment.game)
    text = f"{names}. Some work only together with others ({rest} says with which)."
    story = Story("Commands that try each of them", command="\n".join(commands.values()))
    heading = f"{counted(len(commands), 'other rule')} could compensate one player"
    return Section(heading, [text], stories=[story])

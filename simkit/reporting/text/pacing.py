"""Short facts in whole numbers about the course of a game, for the first screen of a report."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.formatting import counted, rounded
from simkit.reporting.text.answer import advised, in_order
from simkit.reporting.text.beginners import short, told_rows
from simkit.reporting.text.groups import of_first
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.leads import of_a_lead
from simkit.reporting.text.phrases import Row, Sentence, ends, headed, in_words, number, whole

CLOSE = 0.03  # largest distance of a share from 1/n that reads "one game in n"


def feel_line(findings: Findings) -> list[Sentence]:
    """Return short facts about the first cell in view, as far as its data were recorded."""
    if findings.run.team:
        return [
            _length(findings),
            *_minutes(findings),
            *_ending(findings),
            *_load(findings),
            *_beginner(findings),
        ]
    at_base = [
        _length(findings),
        *_minutes(findings),
        *_lead(findings),
        *_draws(findings),
        *_beginner(findings),
    ]
    return [*at_base, *_recommended(findings)]


def feel_cell(findings: Findings) -> int:
    """Return the cell that the facts are about."""
    return cells_to_look_at(findings.run)[0]


def row_of(findings: Findings, name: str) -> Row:
    """Return the row of a finding for that cell, or an empty row."""
    table: pl.DataFrame = getattr(findings.at_baseline(), name)  # reads no trace of other cells
    rows = table.filter(cell=feel_cell(findings)).rows(named=True) if table.width else []
    return rows[0] if rows else {}


def _fact(findings: Findings, text: str, name: str, more: str = "") -> Sentence:
    return Sentence(text, f"{name}.filter(cell={feel_cell(findings)}{more})")


def in_games(share: float) -> str:
    """Return a share as a part of games, in words.

    >>> in_games(0.358), in_games(0.5), in_games(0.42), in_games(0.004), in_games(0.0), in_games(1.0)
    ('one game in three', 'one game in two', '42 games in 100', '4 games in 1,000', 'no game', 'every game')
    >>> in_games(0.021), in_games(0.979), in_games(0.0001)
    ('2 games in 100', '98 games in 100', 'hardly a game')
    """
    if share in (0, 1):
        return "every game" if share else "no game"
    count = round(1 / share)
    if 2 <= count <= 10 and abs(share - 1 / count) <= min(CLOSE, 0.1 * share):
        return f"one game in {in_words(count)}"
    base = 100 if rounded(100 * share) > 1 else 1000
    count = min(int(rounded(base * share)), base - 1)
    return f"{count} game{'s' if count > 1 else ''} in {base:,}" if count else "hardly a game"


def times(count: float) -> str:
    """Return how often something happens per game, in whole numbers.

    >>> times(7.8), times(1.2), times(2.0), times(0.3), times(0.0)
    ('8 times', 'once', 'twice', 'less than once', 'never')
    """
    names = {0: "never" if count == 0 else "less than once", 1: "once", 2: "twice"}
    return names.get(round(count), f"{round(count)} times")


def _length(findings: Findings) -> Sentence:
    """Return the median length and the span of nine of ten games, with setting and lineup where needed."""
    row = findings.lengths.filter(cell=feel_cell(findings), measure="turns").row(0, named=True)
    where = ", ".join(_where(findings))
    interval = f" ({row['p5']} to {row['p95']})" if row["p5"] < row["p95"] else ""
    text = f"{row['p50']} turn{'' if row['p50'] == 1 else 's'}{interval}"
    return _fact(findings, headed(where, text) if where else text, "lengths", ", measure='turns'")


def _where(findings: Findings) -> Iterator[str]:
    """Yield the setting, table size and lineup of the facts where others were played."""
    labels, looked = labels_of(findings), findings.at_baseline().cells
    shown = findings.cells.filter(cell=feel_cell(findings)).row(0, named=True)
    if findings.cells["setting"].n_unique() > 1:
        setting = labels.at(shown["setting"])
        base = setting == labels.base
        yield f"at the {setting}" if base else f"at {labels.with_base(setting, shown['baseline'])}"
    if looked["seats"].n_unique() > 1:
        yield f"with {shown['seats']} players"
    if _other_lineups(findings).height:
        called = labels.of_column("lineup") or str
        yield labels.when(called(shown["lineup"]))


def _other_lineups(findings: Findings) -> pl.DataFrame:
    """Return the cells with other lineups at the same setting and number of seats."""
    shown = findings.cells.filter(cell=feel_cell(findings)).row(0, named=True)
    alike = findings.cells.filter(setting=shown["setting"], seats=shown["seats"])
    return alike.filter(pl.col("cell") != shown["cell"])


def _minutes(findings: Findings) -> Iterator[Sentence]:
    if row := row_of(findings, "minutes"):
        yield _fact(findings, f"about {in_minutes(row['p50'])}", "minutes")


def at_the_table(findings: Findings) -> Iterator[str]:
    """Yield a sentence on the duration of games and waits, if seconds per decision were given."""
    if row := row_of(findings, "minutes"):
        minutes = f"{row['p5']:.0f} to {row['p95']:.0f}"
        wait = "" if row["wait"] is None else f"; between two turns one waits {row['wait']:.0f} seconds"
        duration = in_minutes(row["p50"])
        yield f"""At {row["seconds"]:g} seconds per decision a game takes about {duration} (nine of ten games
            {minutes}), if all decide one after the other{wait}{of_first(findings)}."""


def in_minutes(minutes: float) -> str:
    """Return a duration, rounded as one plans it.

    >>> in_minutes(0.4), in_minutes(1.2), in_minutes(37.4), in_minutes(93)
    ('a minute', 'a minute', '37 minutes', '1½ hours')
    """
    if minutes < 75:
        return "a minute" if minutes < 1.5 else f"{minutes:.0f} minutes"
    halves = round(minutes / 30)
    hours = f"{halves // 2}{'½' if halves % 2 else ''}"
    return "an hour" if halves == 2 else f"{hours} hours"


def _lead(findings: Findings) -> Iterator[Sentence]:
    """Yield how often the lead changes and whether late leaders still lose, from the turn trace."""
    if not findings.run.experiment.trace:
        return
    changes = row_of(findings, "lead_changes")
    mean = changes["mean"]
    seldom = "the lead never changes" if mean == 0 else "the lead seldom changes"
    yield _fact(findings, seldom if mean < 0.5 else f"the lead changes {times(mean)}", "lead_changes")
    slope = row_of(findings, "runaway")
    text = of_a_lead(slope["slope"], slope["low"], slope["high"])
    if text and "cannot" not in text and changes["mean"]:
        yield _fact(findings, text, "runaway")
    late = findings.at_baseline().predictability.filter(
        pl.col("progress_high").round(2) == 0.9, cell=feel_cell(findings)
    )
    for share in late["share"]:
        loses = f"still loses {in_games(1 - share)}" if share < 1 else "always wins"
        text = f"with a tenth of the game to go the leader {loses}"
        yield _fact(findings, text, "predictability", ", progress_high=0.9")


def _draws(findings: Findings) -> Iterator[Sentence]:
    share = row_of(findings, "draws")["share"]
    percentage = number(100 * share) if share < 0.0095 else whole(share)
    text = f"{percentage} % draws" if share >= 0.0005 else "draws hardly ever" if share else "no draws"
    others = findings.draws.filter(pl.col("cell").is_in(_other_lineups(findings)["cell"].to_list()))[
        "share"
    ].to_list()
    if share < 0.0005 and max(others, default=0) >= 0.0095:
        text += f" (up to {whole(max(others))} % with other lineups)"
    yield _fact(findings, text, "draws")


def _recommended(findings: Findings) -> Iterator[Sentence]:
    """Yield the length and draws of games at the recommended settings with the same lineup."""
    shown = findings.cells.filter(cell=feel_cell(findings)).row(0, named=True)
    alike = pl.col("setting").is_in(advised(findings)), pl.col("lineup") == shown["lineup"]
    lengths = findings.lengths.filter(*alike, pl.col("cell") != shown["cell"], measure="turns")
    if lengths.is_empty():
        return
    cells, settings = lengths["cell"].to_list(), in_order(findings, lengths["setting"].to_list())
    medians, drawn = (
        lengths["p50"].to_list(),
        findings.draws.filter(pl.col("cell").is_in(cells))["share"].to_list(),
    )
    turns = ends(f"{min(medians)}", f"{max(medians)}")
    draws = "no"
    if max(drawn):
        draws = f"{ends(number(100 * min(drawn)), number(100 * max(drawn)))} %"
    where = f"at {labels_of(findings).places(settings)}"
    text = headed(where, f"{turns} turns, {draws} draws")
    yield Sentence(text, f"lengths.filter(pl.col('cell').is_in({cells}), measure='turns')")


def _ending(findings: Findings) -> Iterator[Sentence]:
    """Yield the most common end of a team's games."""
    ends = findings.end_reasons.filter(cell=feel_cell(findings)).sort(
        "share", descending=True, maintain_order=True
    )
    row = ends.row(0, named=True)
    frequency, name = in_games(row["share"]), labels_of(findings).name(row["end_reason"])
    end = "end" if frequency.partition(" in ")[0].endswith("games") else "ends"
    reason = f", end_reason='{row['end_reason']}'"
    yield _fact(findings, f"{frequency} {end} by “{name}”", "end_reasons", reason)


def _load(findings: Findings) -> Iterator[Sentence]:
    row = row_of(findings, "load")
    if row.get("branching") is not None:
        options = counted(round(row["branching"]), "possibility", "possibilities")
        text = f"in a turn one decides {times(row['per_turn'])}, among {options}"
        yield _fact(findings, text, "load")


def _beginner(findings: Findings) -> Iterator[Sentence]:
    seats = findings.cells.filter(cell=feel_cell(findings))["seats"][0]
    for row in told_rows(findings):
        if row["seats"] == seats:
            rests = f"beginners.filter(seats={seats}, errs={row['errs']})"
            yield Sentence(short(row, findings.run.team), rests)

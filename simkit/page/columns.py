"""Vocabulary of table columns: heading, format and meaning of each."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import polars as pl

from simkit.formatting import formed
from simkit.page import document
from simkit.page.document.tables import Form, Show, Table
from simkit.page.words.labels import Labels, labels_of
from simkit.tables.findings import Findings, cells
from simkit.tables.reading import ALWAYS


def points(share: float) -> str:
    """Return a difference of shares in percentage points.

    >>> points(0.0123), points(-0.0001)
    ('+1.2', '0.0')
    """
    text = formed("{:+.1f}", 100 * share)
    return text if float(text) else "0.0"


def gap(share: float) -> str:
    """Return an unsigned difference of shares in percentage points."""
    return formed("{:.1f}", 100 * share)


def p_value(value: float) -> str:
    """Return the p-value as text.

    >>> p_value(0.00012), p_value(0.0312)
    ('< 0.001', '0.031')
    """
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def evidence(value: float) -> str:
    """Return an e-value, which may be huge.

    >>> evidence(3.21), evidence(3e9)
    ('3.2', 'over 1,000,000')
    """
    return "over 1,000,000" if value > 1e6 else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


FORMS: dict[str, Form] = {"points": points, "gap": gap, "p": p_value}
FORMS |= {"evidence": evidence, "spaced": lambda name: str(name).replace("_", " ")}
# Column | heading | format (of Python, or one of FORMS) | meaning. Other columns are headed by their names.
VOCABULARY = """
adjusted         | adjusted | {:.1%} | corrected for the bias of stopping
beyond_noise     | real? || yes: adjusted p-value below 0.05; unsure: may be luck; no: the same in every deal
branching        | possibilities | {:.1f}
column           | against
compared         | measure
correlation      | decided by the deal | {:.2f}
deals            | deals | {:,} | independent deals that the games were played on; the unit of the interval
dominated_by     | because of
e_value          | evidence | evidence | e-value of the stronger claim: 20 and more settles a single case
difference       | difference | points | in percentage points
elo              | Elo | {:+.0f} | 70 points above another: 60 % against it; 191 points 75 %, 400 points 91 %
end_reason       | ends by | spaced
ever_high        | to | {:.1%} | upper end of that interval
ever_low         | surely from | {:.1%} | lower end of the interval that the verdict rests on, at any look
fair             | fair | {:.1%}
farthest         | farthest from fair
farthest_share   | its share | {:.1%} | share of that seat
fpa              | percentage points | points | share of the first player less fair; a fraction in data
failed           | failed | {:,} | games of the case that failed; they are among the games, but not in a trace
games            | games | {:,} | games counted
gap              | gap of seats | gap | largest less smallest share of a seat, less luck, in percentage points
interval         | 95 % interval
needed           | deals that would settle it | {:,}
meaning          | how it plays
name             | in commands
weights          | its weights here
mean             | mean | {:.1f}
more             | more | points | in percentage points
nash             | Nash weight | {:.0%}
owners           | seats owning one | {:.1%}
p5               | 5 % | {:g}
p50              | 50 % | {:g}
p95              | 95 % | {:g}
p_adjusted       | adjusted p-value | p | chance of as great a difference by luck, allowing for all (Holm)
part             | part | {:.1%} | its sum divided by that of all seats
per_game         | in a game | {:.2f}
price            | mean price | {:.1f}
printed          | printed cost | {:.1f}
row              | strategy
sd               | sd | {:.1f} | standard deviation
setting          | rules
share            | share | {:.1%} | wins divided by games; a win shared by k seats counts 1/k for each
sold             | sold a game | {:.2f}
step             | one step
thing            | upgrade
with_games       | games with much | {:,} | games of the seat with much
with_share       | wins with much | {:.1%} | games won of those of the seat with much
without_games    | games with little | {:,} | games of the seat with little
without_share    | wins with little | {:.1%} | games won of those of the seat with little
"""
COLUMNS = dict[str, Show]()
for line in VOCABULARY.strip().splitlines():
    column, head, form, meaning = ([part.strip() for part in line.split("|")] + ["", ""])[:4]
    COLUMNS[column] = Show(head, FORMS.get(form, form or "{}"), meaning)
ONE_LOOK = " (intervals for one look only: a little too sure here)"
ENDS = {"low": ("95 % from", "lower"), "high": ("to", "upper")}


def table(
    findings: Findings, frame: pl.DataFrame, names: str | list[str], caption: str = "", **shows: Any
) -> Table:
    """Return a table of the named columns; `shows` replaces a column's heading, or its whole `Show`.

    Groups: `setting`: the varied options, and which rows are the baseline; `cell`: the varied options and the
    lineup; `case`: the same if there are several cells; `where`: setting and seats if there are several; `n`:
    games and deals; `verdict`: with its interval where the table has another one, and with the deals that
    would settle it where it is open; without a target a team has neither `verdict` nor `fair`. `…low` and
    `…high` have the format of the number before them.
    """
    if frame.is_empty():
        return Table([], [], [], caption)
    frame = _with_options(findings, frame)
    labels, shown = labels_of(findings), dict[str, Show]()
    form: Form = "{}"
    for name in _columns(findings, frame, names.split() if isinstance(names, str) else names):
        shown[name] = _show(name, labels, form, shows.get(name, ""))
        form = form if name.endswith(tuple(ENDS)) else shown[name].form
    # In a run that stops by itself, intervals hold for one look only unless these columns stand for them.
    sure = {ALWAYS, "ever_low"} & set(frame.columns)
    has_intervals = any(name.rpartition("_")[2] == "low" and frame[name].count() for name in shown)
    caution = ONE_LOOK if findings.always and has_intervals and not sure else ""
    return document.table(frame, shown, f"{caption}{caution}")


def _columns(findings: Findings, frame: pl.DataFrame, names: list[str]) -> Iterator[str]:
    """Yield the columns of names and of groups of names, as far as a frame has them."""
    labels = labels_of(findings)
    options = labels.columns or ["setting"]
    marked = len(options) > 1 and "baseline" in frame and frame["baseline"].any()
    setting = [*options, "baseline"] if marked else options
    cell = [*options, "lineup"] if labels.swept else ["lineup"]
    several = [name for name in ("setting", "seats") if name in frame and frame[name].n_unique() > 1]
    groups = {"setting": setting, "cell": cell, "case": cell if len(findings.run.cells) > 1 else []}
    groups["where"] = [column for name in several for column in groups.get(name, [name])]
    failed = ["failed"] if "failed" in frame and frame["failed"].sum() else []
    groups["n"] = ["games", *failed, "deals"]
    still_open = "needed" in frame and frame["needed"].count()
    one_look = {"low", "fpa_low"} & {*names} and "ever_low" in frame and not findings.run.experiment.adaptive
    groups["verdict"] = ["verdict", "needed"] if still_open else ["verdict"]
    if one_look and findings.run.judged and "verdict" in names:
        groups |= {end: [end, "ever_low", "ever_high"] for end in ("high", "fpa_high")}
    if not findings.run.judged:
        groups |= {"verdict": [], "fair": []}
    for name in names:
        yield from (column for column in groups.get(name, [name]) if name not in groups or column in frame)


def _with_options(findings: Findings, frame: pl.DataFrame) -> pl.DataFrame:
    """Add the varied options, and whether a row is of the baseline, to a frame that has settings."""
    new = [name for name in (*labels_of(findings).columns, "baseline") if name not in frame.columns]
    if "setting" not in frame.columns or not new:
        return frame
    settings = cells(findings).select("setting", *new).unique("setting")
    return frame.join(settings, on="setting", how="left", maintain_order="left")


def _show(name: str, labels: Labels, form: Form, given: str | Show) -> Show:
    """Return the heading, format and meaning of a column."""
    if isinstance(given, Show):
        return given
    end = name.rpartition("_")[2]
    if end in ENDS and name not in COLUMNS:
        head, end_name = ENDS[end]
        return Show(given or head, form, f"{end_name} end of the 95 % interval")
    if name == "baseline":
        return Show(labels.base, lambda baseline: "yes" if baseline else "")
    entry = COLUMNS.get(name, Show(labels.option(name), "{}", labels.meaning(name)))
    called = partial(labels.in_column, name) if name in labels.columns else labels.of_column(name)
    return Show(given or entry.heading, called or entry.form, entry.meaning)

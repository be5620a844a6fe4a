"""The vocabulary of columns: how each is headed and written, what it means; a table is a list of names."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from simkit import report
from simkit.analysis import Findings, axes
from simkit.report import Show, Table
from simkit.report.tables import Form
from simkit.words.changes import p_value
from simkit.words.labels import Labels, labels_of


def points(share: float) -> str:
    """A difference of shares in percentage points.

    >>> points(0.0123), points(-0.0001)
    ('+1.2', '0.0')
    """
    text = f"{100 * share:+.1f}"
    return text if float(text) else "0.0"


def evidence(value: float) -> str:
    """An e-value, which may be huge.

    >>> evidence(3.21), evidence(3e9)
    ('3.2', 'over 1,000,000')
    """
    return "over 1,000,000" if value > 1e6 else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def spaced(name: Any) -> str:
    """An identifier as words."""
    return str(name).replace("_", " ")


FORMS: dict[str, Form] = {
    "": "{}",
    "percent": "{:.1%}",
    "whole percent": "{:.0%}",
    "count": "{:,}",
    "whole count": "{:,.0f}",
    "tenth": "{:.1f}",
    "hundredth": "{:.2f}",
    "number": "{:g}",
    "signed": "{:+.0f}",
    "gain": "× {:.1f}",
    "points": points,
    "gap": lambda share: f"{100 * share:.1f}",
    "p": p_value,
    "evidence": evidence,
    "spaced": spaced,
}
# Name of the column | head | form | meaning. A column that is missing here is headed by its name.
VOCABULARY = """
against_nash     | against the mix | percent | its share against the Nash mix
adjusted         | adjusted | percent | less the bias of stopping
alpha_rank       | α-rank | whole percent
apart            | as good as deals apart | whole count | gain × deals
base_share       | first seat at the baseline | percent
before           | verdict at the baseline
behind           | behind in the score
best             | strongest
beyond_noise     | real? || yes: beyond noise, its adjusted p-value is below 0.05; unsure: it may be luck
branching        | possibilities | tenth
choice           | choices | percent
column           | against
compared         | measure
correlation      | decided by the deal | hundredth
deals            | deals | count | independent deals that the games were played on; the unit of the interval
dominated_by     | because of
e_value          | evidence | evidence | e-value of the stronger claim: 20 and more settles a single case
elo              | Elo | signed | 70 points above another: 60 % against it; 191 points 75 %, 400 points 91 %
end_reason       | ends by | spaced
factor           | gain | gain | variance on independent deals ÷ variance on the same deals
fair             | fair | percent
farthest         | farthest from fair
farthest_share   | its share | percent | share of that seat
fpa              | percentage points | points | share of the first seat less the fair one; a fraction in data
games            | games | count | games counted
gap              | gap of seats | gap | largest less smallest share of a seat, less luck, in percentage points
interval         | 95 % interval
looks            | looks | count | trailing seats at the end of a turn
loses            | loses to
not_settled      | not settled
meaning          | how it plays
name             | in commands
weights          | its weights here
why              | stopped because
mean             | mean | tenth
nash             | Nash weight | whole percent
nearest          | nearest to fair
nearest_interval | 95 % interval
nearest_share    | first seat there | percent | share of the first seat
nearest_verdict  | verdict there
off              | farthest from fair | gap | of these lineups, in percentage points
opponents        | opponents | count | other strategies met
owners           | seats owning one | percent
p5               | 5 % | number
p50              | 50 % | number
p95              | 95 % | number
p_adjusted       | adjusted p-value | p | chance of as great a difference by luck, allowing for all (Holm)
pairs            | pairs | count | pairs of strategies that met
per_turn         | decisions in a turn | hundredth
plays            | games per deal
premium          | above it | tenth | mean winning bid less the printed cost, credits
price            | mean price | tenth
printed          | printed cost | tenth
row              | strategy
rungs            | rungs || strategies that each rate a whole step above the next, from the best down
sd               | sd | tenth | standard deviation
share            | share | percent | wins divided by games; a win shared by k seats counts 1/k for each
sold             | sold a game | hundredth
span             | Elo apart | signed
stage            | part of the game
step             | change
steps            | steps of 60:40 | tenth
strength         | wins against others | percent
thing            | upgrade
wait             | others between | tenth
wait_p95         | 95 % | number
with_games       | n | count | such seats, as far as compared
with_share       | win | percent | share won by those with much, in the same seats with the same strategies
without          | share without | percent | share of the wins of a seat that owns none at the end
without_games    | n | count | such seats, as far as compared
without_share    | win | percent | share won by those with little, in the same seats with the same strategies
worst            | weakest
"""


def _read(line: str) -> tuple[str, Show]:
    name, head, form, meaning = ([part.strip() for part in line.split("|")] + ["", ""])[:4]
    return name, Show(head, FORMS[form], meaning)


COLUMNS = dict(map(_read, VOCABULARY.strip().splitlines()))
ENDS = {
    "low": ("95 % from", "lower end of the 95 % interval"),
    "high": ("to", "upper end of the 95 % interval"),
}


def table(
    found: Findings, frame: pl.DataFrame, names: str | list[str], caption: str = "", **shows: Any
) -> Table:
    """The columns named, as the vocabulary shows them; `shows` gives some another head, or another Show.

    `cell` stands for the options varied and the lineup, `where` for setting and seats if there are several,
    `n` for games and deals. The ends of an interval (`…low`, `…high`) are written as the number before them.
    """
    if frame.is_empty():
        return Table([], [], [], caption)
    labels, shown = labels_of(found), dict[str, Show]()
    form: Form = "{}"
    for name in _columns(found, frame, names.split() if isinstance(names, str) else names):
        shown[name] = _show(name, labels, form, shows.get(name, ""))
        form = form if name.endswith(tuple(ENDS)) else shown[name].form
    return report.table(frame, shown, caption)


def _columns(found: Findings, frame: pl.DataFrame, names: list[str]) -> Iterator[str]:
    varied = [name for axis in axes(found.run) for name in axis.options]
    groups = {"cell": [*varied, "lineup"], "where": ["setting", "seats"], "n": ["games", "deals"]}
    for name in names:
        for one in groups.get(name, [name]):
            known = name not in groups or one in frame.columns
            if known and (name != "where" or frame[one].n_unique() > 1):
                yield one


def _show(name: str, labels: Labels, form: Form, given: str | Show) -> Show:
    """How a column is shown: as given, as an end of an interval, in labels, or as the vocabulary says."""
    if isinstance(given, Show):
        return given
    end = name.rpartition("_")[2]
    if end in ENDS:
        head, meaning = ENDS[end]
        return Show(given or head, form, meaning)
    known = COLUMNS.get(name, Show(labels.option(name), "{}", labels.meaning(name)))
    return Show(given or known.heading, labels.of_column(name) or known.form, known.meaning)

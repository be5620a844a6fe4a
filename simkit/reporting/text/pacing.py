"""The pace of games: their duration, what there is to decide, and leads."""

from collections.abc import Iterator

from simkit.analysis import Findings, cells_to_look_at
from simkit.reporting.text.groups import of_first, over
from simkit.reporting.text.numbers import ends, number, whole

EVEN = 0.05  # distance of a slope from 1 within which leads stay as they are


def at_the_table(findings: Findings) -> Iterator[str]:
    """Yield a sentence on the duration of games and waits, if seconds per decision were given."""
    minutes = findings.at_baseline().minutes  # reads no trace of other cells
    rows = minutes.filter(cell=cells_to_look_at(findings.run)[0]) if minutes.width else minutes
    for row in rows.rows(named=True):
        wait = "" if row["wait"] is None else f"; between two turns one waits {row['wait']:.0f} seconds"
        yield f"""At {row["seconds"]:g} seconds per decision a game takes about {in_minutes(row["p50"])} (nine
            of ten games {row["p5"]:.0f} to {row["p95"]:.0f}), if all decide one after the
            other{wait}{of_first(findings)}."""


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


def of_leads(slope: float | None, low: float | None, high: float | None) -> str:
    """Return what becomes of leads by the next round; empty where that is unknown.

    >>> of_leads(0.51, 0.48, 0.54), of_leads(1.2, 1.15, 1.25)
    ('leads shrink by 49 % a round', 'leads grow by 20 % a round')
    >>> of_leads(1.01, 0.9, 1.1), of_leads(0.9, 0.7, 1.1), of_leads(None, None, None)
    ('leads stay as they are', 'whether leads grow or shrink is not settled', '')
    """
    if slope is None or low is None or high is None:
        return ""
    if low <= 1 <= high:
        even = abs(slope - 1) <= EVEN
        return "leads stay as they are" if even else "whether leads grow or shrink is not settled"
    return f"leads {'grow' if slope > 1 else 'shrink'} by {whole(min(1.0, abs(slope - 1)))} % a round"


def load_sentence(findings: Findings) -> str:
    """Return the decisions per turn and the options per decision, over all lineups in view."""
    rows = findings.at_baseline().load.drop_nulls("branching")
    turns, wide = rows["per_turn"].drop_nulls().to_list(), rows["branching"].to_list()
    decisions = f"{ends(number(min(turns)), number(max(turns)))} decisions in a turn, " if turns else ""
    among = f"among {ends(number(min(wide), 0), number(max(wide), 0))} possibilities"
    return f"What a player decides: {decisions}{among}{over(findings, rows['cell'].to_list())}"

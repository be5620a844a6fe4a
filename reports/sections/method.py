"""The takeaways, how the numbers were computed, and what the words mean."""

from __future__ import annotations

from reports.sections.common import query
from simkit import analysis
from simkit.report import Takeaway
from simkit.runlog import Run


def takeaways(run: Run, answer: analysis.Answer) -> list[Takeaway]:
    """The sentences of the answer, each with a query for the rows that it rests upon."""
    sentences = [answer.sentence, *answer.details]
    if answer.ranking or len(sentences) != len(answer.first_seat):
        tables = ["ranking(run)"] if answer.ranking else []
        return [Takeaway(sentence, query(run, *tables, "first_player_advantage(run)")) for sentence in sentences]
    rows = [f"first_player_advantage(run).filter(lineup={row['lineup']!r})" for row in answer.first_seat]
    return [Takeaway(sentence, query(run, row)) for sentence, row in zip(sentences, rows, strict=True)]


def facts(run: Run) -> list[tuple[str, str]]:
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


def versions(run: Run) -> dict[str, str]:
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

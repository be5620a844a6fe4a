"""The takeaways, how the numbers were computed, and what the words mean."""

from __future__ import annotations

from typing import Any

import polars as pl

from reports.sections.common import PERCENT, WINS, N, margin_points, query
from simkit import analysis, catalogue
from simkit.errors import UsageError
from simkit.report import Show, Table, Takeaway, table
from simkit.runlog import Run

MOST_SIDE_BY_SIDE = 4  # lineups whose shares stand beside each other


def takeaways(run: Run, answer: analysis.Answer, after: str = "") -> list[Takeaway]:
    """The answer with a query for the rows that it rests upon; of several lineups together, with a row for each. `after` ends the query."""
    if answer.ranking:
        return [
            Takeaway(text, query(run, "ranking(run)", "first_player_advantage(run)"))
            for text in [answer.sentence, *answer.details]
        ]
    source = query(run, "first_player_advantage(run)") + after
    if 2 <= len(answer.first_seat) <= MOST_SIDE_BY_SIDE and answer.settings:
        return [Takeaway(answer.sentence, source, settings_table(run, answer), answer.lead)]
    rows = None if len(answer.first_seat) < 2 else lineup_table(answer)
    return [Takeaway(answer.sentence, source, rows, answer.lead)]


def settings_table(run: Run, answer: analysis.Answer) -> Table:
    """The settings nearest to fair and the baseline: the first seat's share, interval and verdict with each lineup."""
    rows = [
        {"setting": row["setting"] + " (baseline)" * row["baseline"], "off": row["off"]}
        | {
            one["lineup"]: f"{100 * one['share']:.1f} % ({_interval(one)}) {one['verdict']}"
            for one in row["lineups"]
        }
        for row in answer.settings
    ]
    lineups = {one["lineup"]: Show(one["lineup"]) for one in answer.settings[0]["lineups"]}
    shown = {"setting": Show("setting")} | lineups
    shown |= {"off": Show("farthest from fair", _points_off, "of these lineups, in percentage points")}
    caption = (
        f"The first seat wins (95 % interval), at the settings nearest to fair for all lineups. FAIR: surely within {margin_points(run)} of fair; "
        "UNFAIR: surely not; UNDECIDED: these games are too few to be sure"
    )
    return table(pl.DataFrame(rows), shown, caption)


def _points_off(share: float) -> str:
    return f"{100 * share:.1f} points"


def lineup_table(answer: analysis.Answer) -> Table:
    """Each lineup: the first seat where it was looked at, and at the setting nearest to fair."""
    nearest = {row["lineup"]: row for row in answer.nearest}
    rows = [_lineup_row(row) | _nearest_row(nearest.get(row["lineup"])) for row in answer.first_seat]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    several = {
        name: Show(head)
        for name, head in (("setting", "setting"), ("seats", "seats"))
        if frame[name].n_unique() > 1
    }
    shown = (
        {"lineup": Show("lineup")}
        | several
        | {"share": Show("first seat wins", PERCENT, WINS), "interval": Show("95 % interval")}
    )
    shown |= {"games": N["games"], "verdict": Show("verdict")}
    if nearest:
        there = {"nearest": Show("nearest to fair"), "nearest_share": Show("first seat there", PERCENT, WINS)}
        shown |= there | {"nearest_interval": Show("95 % interval"), "nearest_verdict": Show("verdict there")}
    return table(frame, shown, "Lineup by lineup")


def _lineup_row(row: dict[str, Any]) -> dict[str, Any]:
    return {key: row[key] for key in ("lineup", "setting", "seats", "share", "games", "verdict")} | {
        "interval": _interval(row)
    }


def _nearest_row(row: dict[str, Any] | None) -> dict[str, Any]:
    """The setting nearest to fair, where settings were tried."""
    if row is None:
        return {}
    found = {"nearest": row["setting"], "nearest_share": row["share"], "nearest_interval": _interval(row)}
    return found | {"nearest_verdict": row["verdict"]}


def _interval(row: dict[str, Any]) -> str:
    return f"{analysis.span(row['low'], row['high'], scale=100)} %"


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
        (
            "Games",
            f"{games:,} in {len(run.cells)} cells of {_numbers(deals)} deals; games per deal (rotations): {_numbers(rotated)}",
        ),
        (
            "Margin",
            f"fair means within {margin_points(run)} of the fair share; of the verdicts given together, at most 5 in 100 are expected to be wrong",
        ),
        *_stops(run),
        *_provenance(run),
        (
            "Luck",
            f"seed {made.get('seed', keys.seed)}; every cell is played on the same deals, so cells can be compared deal by deal",
        ),
        ("Played", f"{made.get('finished') or made.get('started')}, in {made.get('seconds', 0.0):.0f} s"),
    ]


def _stops(run: Run) -> list[tuple[str, str]]:
    """What a run that stops by itself was asked for."""
    keys = run.experiment
    if not keys.adaptive:
        return []
    aims = ["a verdict"] if keys.until_verdict else []
    aims += [f"an interval of {analysis.distance(keys.until_width)}"] if keys.until_width else []
    return [
        (
            "Stopping",
            f"each cell played until {' and '.join(aims)}, at most {keys.deals:,} deals; intervals hold at every look",
        )
    ]


def _provenance(run: Run) -> list[tuple[str, str]]:
    """Where the component data come from; reconstructed data are named so."""
    keys = run.experiment
    if keys.files:
        return [
            (
                "Component data",
                f"the designer's own cards, kept in the run folder: {keys.files['cards'].rpartition('/')[2]}",
            )
        ]
    try:
        game = catalogue.game(keys.game)
    except UsageError:  # a game that is no longer there
        return []
    if game.words.provenance is None:
        return []
    said = [line for cell in run.cells for line in game.words.provenance(game.resolve(cell.options))]
    return [("Component data", "; ".join(dict.fromkeys(said)))]


def versions(run: Run) -> dict[str, str]:
    """Of the programs that played, and the digest of all sources."""
    keys = {
        "simkit": "simkit",
        "Python": "python",
        "numpy": "numpy",
        "numba": "numba",
        "sources (SHA-256)": "sources",
    }
    return {name: str(run.manifest[key]) for name, key in keys.items() if run.manifest.get(key)}


def _varied(run: Run) -> str:
    said = [
        f"{axis.label} = {', '.join('/'.join(map(str, value)) for value in axis.values)}"
        for axis in analysis.axes(run)
    ]
    return "; ".join(said) or "nothing"


def _numbers(values: list[int]) -> str:
    return ", ".join(f"{value:,}" for value in values)


WORDS = [
    (
        "Share",
        "wins divided by games; a win shared by several seats counts 1/2, 1/3 … for each. No game is left out.",
    ),
    (
        "First seat",
        "the first in the order of play; the second seat comes next, and so on. In saved data seats are numbers, from 0.",
    ),
    (
        "First-player advantage",
        "the share of the first seat less the fair share (1 divided by the number of seats), in percentage points.",
    ),
    (
        "95 % interval",
        "the range in which the true value may be expected: were the whole experiment repeated on new deals, about 19 of 20 such "
        "intervals would contain it. For shares it is Wilson's interval with the effective number of games, for scores Student's t. "
        "It says how well these strategies under these rules are measured, not how people would play.",
    ),
    (
        "Deal",
        "one shuffle of all luck in the game. All games on one deal count as one observation, since they share their luck.",
    ),
    (
        "Rotation",
        "a deal is played once for each way of moving the strategies round the seats, so that no strategy profits from a seat.",
    ),
    (
        "Mirror",
        "a lineup in which the same strategy sits in every seat: what remains is the effect of the seats.",
    ),
    ("Baseline", "the setting that the others are compared with."),
    (
        "FAIR, UNFAIR, UNDECIDED",
        "every seat is within the margin of its fair share (the margin stands under How it was computed); some seat is farther off; or more "
        "deals are needed. Of the verdicts given together, at most 5 in 100 are expected to be wrong, also if one looks again and again while a run grows.",
    ),
    (
        "Evidence (e-value)",
        "how strongly the games speak for the verdict: what a bet against it would have multiplied its stake by. A single case is settled "
        "at 20 (5 % error); where there are many cases, the bar rises with their number.",
    ),
    (
        "At any look",
        "such an interval is wider than the ordinary one, since it holds however often one looks and whenever one stops.",
    ),
    (
        "Gap of seats",
        "the share of the most favoured seat less that of the least favoured, corrected for luck: by luck alone the shares of a fair game "
        "differ a little too.",
    ),
    (
        "Elo",
        "a difference in winning chances on the scale of chess ratings: +35 is about 55 %, +70 about 60 %, +191 is 75 %.",
    ),
    ("Predictability", "how often the seat in the lead at some moment of the game goes on to win it."),
    (
        "Comeback",
        "a win by a seat that was behind. Behind and ahead go by the scores at the end of each turn.",
    ),
    ("Decided", "the part of the game after which its winner is in the lead for good."),
    (
        "Runaway slope",
        "what becomes of a lead by the next round of the table: 1, it stays; above 1 it grows; below 1 it shrinks.",
    ),
    ("Noise", "what luck alone adds or takes. Beyond noise: luck alone would hardly make such a difference."),
    (
        "Decision",
        "an action with at least two possibilities. An action without an alternative is carried out, but not counted.",
    ),
    (
        "Correlational, not causal",
        "goes together with winning; whether it brings about the win cannot be seen from that.",
    ),
    (
        "Nearest to fair",
        "picked as the best of the settings tried, so it may look a little better than it is: play it with another seed to confirm.",
    ),
]

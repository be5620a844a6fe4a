"""Questions: Compare games that people played with simulated ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Unpack

from simkit.analysis.playtests import contradictory_rows
from simkit.api.arguments import Common, Lineup, Location, Shell, Word
from simkit.api.execution import Execution, carry_out
from simkit.api.question import question
from simkit.api.requests import ask
from simkit.api.results import Result, record
from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.reporting.text.phrases import join_names
from simkit.runs.experiment import Deals
from simkit.runs.extras.playtests import read_games
from simkit.runs.folder import PLAYTESTS
from simkit.runs.storage import checksums
from simkit.runs.storage.downloads import local_copy
from simkit.studies.study import tied

MOST_ROWS = 10  # rows of a sheet that one warning names


@question()
def playtests(
    execution: Execution,
    game: Word,
    file: Annotated[Location, Shell(positional=True, default="")],
    strategies: Annotated[Lineup, Shell(metavar="A,B,...")] = "",
    *,
    deals: Deals = 2_000,
    **keywords: Unpack[Common],
) -> Result:
    """Compare games that people played with simulated ones.

    You get the simulated players that fit, the share of each seat, and how many more games would tell more.
    `file` is a sheet (CSV, TSV or XLSX) with a row for each game; without it the command prints its possible
    columns.

    Args:
        game: Name of the game.
        file: Path or address of a sheet, a row per game. Columns, as far as you have them: date, players,
            seat_1, … (names), score_1, …, winner, turns, minutes, and options of the game.
        strategies: Simulated players, each in all seats; by default all of the game that do not search.
        deals: Simulated games of each player and setting.
        options: Values of rule options where a cell of the sheet is empty, or has no column for them.

    Returns:
        The findings: `result.playtests` (people's games), `playtest_seats` and `playtest_fits`.

    Example:
        >>> playtests("pig", "nowhere.csv")
        Traceback (most recent call last):
        simkit.errors.UsageError: nowhere.csv: no such file; name a sheet (.csv, .tsv or .xlsx)

    Command line::

        simkit playtests pig > table.csv
    """
    definition, given = registry.game(game), {**keywords.get("options", {})}
    sheet = Path(local_copy(str(file)))
    people, note = read_games(definition, sheet, given, given.pop("players", definition.default_seats))
    execution.say(f"{sheet}: {note}")
    names = [*map(str, parse_lineup(str(strategies) or ",".join(registry.scripted(definition))))]
    varied = [option.name for option in definition.options if option.name in people.columns]
    settings = people.select(varied).unique(maintain_order=True).rows()
    keys = {**keywords, "deals": deals, "confirm": False, "report": "playtests"}
    keys |= {"lineups": [[name] * seats for seats in sorted({*people["seats"]}) for name in names]}
    keys |= {"options": {name: value for name, value in given.items() if name not in varied}}
    keys |= {"sweep": tied(varied, settings) if varied else {}}
    run = carry_out(execution, ask(game, f"Who plays {definition.title} as people do?", keys))
    checksums.attach(run.folder, PLAYTESTS, people, sheet=sheet.name, sha256=checksums.digest(sheet))
    result = record(Result(run))
    if rows := contradictory_rows(result):
        places = f"{'rows' if rows[1:] else 'row'} {join_names(map(str, rows), most=MOST_ROWS)}"
        execution.say(f"{sheet}, {places}: the winner has a worse score than another player")
    return result

"""Games that people played beside simulated ones."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from simkit.analysis.playtests import contradictory_rows
from simkit.api.execution import call_of, carry_out
from simkit.api.requests import Common, Lineup, Location, ask
from simkit.api.results import Result, recorded
from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.reporting.text.phrases import join_names
from simkit.runs.extras.playtests import read_games
from simkit.runs.folder import PLAYTESTS
from simkit.runs.storage import checksums
from simkit.runs.storage.downloads import local_copy
from simkit.studies.study import tied

MOST_ROWS = 10  # rows of a sheet that one warning names


def playtests(
    game: str, file: Location, strategies: Lineup = "", *, deals: int = 2_000, **keywords: Unpack[Common]
) -> Result:
    """Compare games that people played with simulated ones.

    Args:
        game: Name of the game.
        file: Path or address of a sheet, a row per game. Columns, as far as you have them: date, players,
            seat_1, … (names), score_1, …, winner, turns, minutes, and options of the game.
        strategies: Simulated players, each in all seats; by default all of the game that do not search.
        deals: Simulated games of each player and setting.
        keywords: seed, options (where a cell is empty), files, margin, target, keep_going, out, jobs,
            backend, scheduler, batch_timeout and progress; the manual of the API has a table.

    Returns:
        The findings: `result.playtests` (people's games), `playtest_seats` and `playtest_fits`.

    Example:
        >>> playtests("pig", "nowhere.csv")
        Traceback (most recent call last):
        simkit.errors.UsageError: nowhere.csv: no such file; name a sheet (.csv, .tsv or .xlsx)
    """
    how, keys = call_of(playtests, locals())
    definition, given = registry.game(game), keys.pop("options", {})
    sheet = Path(local_copy(keys.pop("file")))
    people, note = read_games(definition, sheet, given, given.pop("players", definition.default_seats))
    how.say(f"{sheet}: {note}")
    names = [*map(str, parse_lineup(keys.pop("strategies") or ",".join(registry.scripted(definition))))]
    varied = [option.name for option in definition.options if option.name in people.columns]
    settings = people.select(varied).unique(maintain_order=True).rows()
    keys |= {"lineups": [[name] * seats for seats in sorted({*people["seats"]}) for name in names]}
    keys |= {"options": {name: value for name, value in given.items() if name not in varied}}
    keys |= {"sweep": tied(varied, settings) if varied else {}, "confirm": False, "report": "playtests"}
    run = carry_out(how, ask(game, f"Who plays {definition.title} as people do?", keys))
    checksums.attach(run.folder, PLAYTESTS, people, sheet=sheet.name, sha256=checksums.digest(sheet))
    result = recorded(run)
    if rows := contradictory_rows(result):
        places = f"{'rows' if rows[1:] else 'row'} {join_names(map(str, rows), most=MOST_ROWS)}"
        how.say(f"{sheet}, {places}: the winner has a worse score than another player")
    return result

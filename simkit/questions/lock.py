"""Questions: Write down the balance targets of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, Unpack

from simkit.ask import lock_file as locks
from simkit.ask.arguments import Basics, Lineup, Location, Shell, Texts
from simkit.ask.execution import Execution
from simkit.ask.gate import Gated, judge_lock
from simkit.ask.lock_file import DealsOfTest
from simkit.ask.question import question
from simkit.ask.requests import lineups_of
from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.toml_files import read_toml
from simkit.errors import UsageError
from simkit.runs import experiment
from simkit.runs.plan import load, make_plan
from simkit.system import relative


@question()
def lock(
    execution: Execution,
    game: Annotated[str, Shell(metavar="GAME_OR_EXPERIMENT", positional=True)],
    claims: Annotated[Texts, Shell("--claim", metavar="TEXT", repeatable=True)] = (),
    *,
    file: Annotated[Location, Shell("-o --out", metavar="FILE")] = "balance.lock",
    lineup: Annotated[Lineup, Shell(metavar="A,B,...")] = "",
    deals: DealsOfTest = 20_000,
    rotate: Literal["roles"] | None = None,
    **keywords: Unpack[Basics],
) -> Gated:
    """Write down the balance targets of a game.

    You get a lock file with each claim, its measured value and interval, the players, the seed, and digests
    of rules, players and cards. Edit its claims as you like; `simkit gate` tests changed rules against them.

    Args:
        game: Name of the game, or an experiment file, whose game, options, files and first lineup count.
        claims: Target, such as "first player wins 48 to 52", "no faction is off by more than 3 games in 100"
            (where faction is a column of roles), "better player wins 60 to 70 with PLAYER over
            PLAYER" or "turns 25 to 35 with PLAYER in OPTION VALUE"; by default that the first player wins
            (the team: half of the games) within 2 games in 100 of fair.
        file: Lock file to write; it must not exist yet.
        lineup: Players of claims that name none, by seat; by default the game's reference strategy.
        deals: Deals that a test may take.
        rotate: "roles": play each deal once for each place of its roles round the table.
        seed: Seed of the deals that accepted and changed rules share; 1 by default.
        out: Folder that keeps the runs.

    Returns:
        The results of the claims; `result.broken` lists those that do not hold.

    Example:
        >>> lock("pig", ["turns 10 to 40"], deals=1000)
        The claim holds. 2,000 games played.

    Command line::

        simkit lock pig --claim "first player wins 50 to 60" --claim "turns 10 to 40"
    """
    place = Path(file)
    if place.exists():
        raise UsageError(f'{place} exists; edit its claims and give: simkit gate {place} --accept "reason"')
    keys: dict[str, Any] = {**keywords, "game": game, "deals": deals, "rotate": rotate or ""}
    options, files = keys.get("options", {}), keys.get("files", {})
    if game.endswith(".toml"):
        request = load(game)
        raw = experiment.resolve_files(experiment.experiment_of(read_toml(Path(game))), Path(game).parent)
        keys["game"], lineup = request.game, lineup or make_plan(request).cells[0].labels
        options, files = request.options | options, raw.files | files
        keys["rotate"] = rotate or ("roles" if request.rotate == "roles" else "")
    lineup = lineup or lineups_of(keys["game"], ())[0]
    keys |= {"lineup": lineup if isinstance(lineup, str) else ", ".join(lineup), "options": options}
    own = {name: path for name, path in files.items() if "://" not in path}
    keys["files"] = files | {name: relative(path, place.parent) for name, path in own.items()}
    definition = registry.game(keys["game"])
    side, fair = (
        ("team", 50.0) if definition.team else ("first player", 100 / len(parse_lineup(keys["lineup"])))
    )
    if definition.rival_sides:
        side, fair = f"the {definition.words.side(definition.rival_sides[0])}", 50.0
    keys["claims"] = claims or [f"{side} wins {fair - 2:.1f} to {fair + 2:.1f}"]
    return judge_lock(execution, place, locks.lock_from_keys(place, keys), "first lock")

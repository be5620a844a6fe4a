"""Requests: the keywords that questions share, and the experiments and studies that they describe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.runs import experiment
from simkit.runs.experiment import Experiment
from simkit.runs.player_counts import with_players

if TYPE_CHECKING:  # telling a game needs no statistics
    from simkit.api.execution import Execution

Lineup = str | Sequence[str]  # "greedy, random", "greedy*2" or ["greedy", "random"]
Values = Iterable[Any]  # of a rule option
STUDY_KEYS = ("options", "files", "target", "keep_going")  # of experiments that a study passes on


class How(TypedDict, total=False):
    """Where and how games are played; none of it changes a result."""

    out: str | Path  # run folder or address; by default one below runs/ that is named by the question
    jobs: int  # workers; −1, the default, is one per processor
    backend: str  # of joblib: "threading" (the default), "loky", "dask" or "ray"
    scheduler: str  # address of a cluster of dask or ray
    batch_timeout: float  # seconds after which a batch of games (0.2 s, one game at least) is given up
    progress: bool  # whether to show progress; True by default
    execution: Execution  # in place of all of these


class Keywords(How, total=False):
    """What all questions take besides their own arguments."""

    lineups: Sequence[Lineup]  # strategies by seat; by default the reference strategy of the game
    seed: int  # of all luck; 1 by default
    options: Mapping[str, Any]  # rule options that hold in all cells; "players" is the number of seats
    files: Mapping[str, str]  # table of components -> your own CSV file: {"cards": "mine.csv"}
    margin: float  # shares this close to fair count as fair; 0.02 by default
    target: float  # win rate that a co-operative game aims at
    keep_going: bool  # count failed games as losses of the strategy that failed


class Logging(Keywords, total=False):
    """What questions take whose games can be logged more closely."""

    trace: int  # deals of each cell that are logged turn by turn
    beginners: Sequence[float]  # error rates of a beginner in a side run
    kingmaking: int  # deals whose late decisions are varied


class Stopping(Logging, total=False):
    """What questions take whose cells can stop by themselves."""

    until_width: float  # stop a cell when its intervals are this wide
    until_verdict: bool  # stop a cell at its verdict
    confirm: bool  # whether to check the settings nearest to fair on fresh deals


class Changes(Stopping, total=False):
    """What replaces keys of an experiment file."""

    deals: int


def keys_of(keywords: Mapping[str, Any], form: Any) -> dict[str, Any]:
    """Return the keywords that are keys of an experiment; TypeError for one that is not in the form."""
    if unknown := keywords.keys() - form.__annotations__.keys():
        allowed = ", ".join(form.__annotations__)
        raise TypeError(f"unexpected keyword argument '{min(unknown)}'; known: {allowed}")
    return {key: _plain(value) for key, value in keywords.items() if key not in How.__annotations__}


def _plain(value: Any) -> Any:
    """Return a value as a file would state it: lists and dictionaries."""
    if isinstance(value, Mapping):
        return {name: _plain(entry) for name, entry in value.items()}
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value


def ask(game: str, question: str, keys: Mapping[str, Any]) -> Experiment:
    """Return the experiment that keys of it describe; without lineups it has the game's usual one."""
    front = {"question": question, "game": game}
    return experiment.parse(front | dict(keys) | {"lineups": lineups_of(game, keys.get("lineups", ()))})


def lineups_of(game: str, lineups: Sequence[Lineup]) -> list[list[str]]:
    """Return lineups by seat; the default is the game's reference, its first own strategy, or random."""
    if lineups:
        texts = [lineup if isinstance(lineup, str) else ", ".join(lineup) for lineup in lineups]
        return [[str(named) for named in parse_lineup(text)] for text in texts]
    definition = registry.game(game)
    own = [name for name, strategy in registry.strategies(definition).items() if strategy.game is not None]
    name = "reference_greedy" if "reference_greedy" in own else own[0] if own else "random"
    return [[name] * definition.default_seats]


def seated(
    game: str, keys: Mapping[str, Any], sweep: Mapping[str, Values]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return keys and sweep with the number of players, if they have one, turned into lineups."""
    lineups = lineups_of(game, keys.get("lineups", ()))
    front = {"game": game, "lineups": lineups, "options": keys.get("options", {})}
    full = with_players(front | {"sweep": {name: list(values) for name, values in sweep.items()}})
    return {**keys, "lineups": full["lineups"], "options": full["options"]}, full["sweep"]


def study_keys(game: str, deals: int, keys: Mapping[str, Any], margin: float = 0.02) -> dict[str, Any]:
    """Return the fields that all studies have."""
    keys, _ = seated(game, keys, {})
    more = {name: keys[name] for name in STUDY_KEYS if keys.get(name)}
    front = {"game": game, "lineups": keys["lineups"], "deals": deals, "more": more}
    return front | {"seed": keys.get("seed", 1), "margin": keys.get("margin", margin)}


def say_files(request: Experiment, say: Callable[[str], None]) -> None:
    """Report what was read from the designer's files; faults of the experiment come first."""
    if request.every_file():
        checked = experiment.check(request)
        read = [experiment.read_files(request, cell.varied).values() for cell in checked]
        for line in dict.fromkeys(table.summary for tables in read for table in tables):
            say(line)

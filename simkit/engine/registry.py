"""Registry of content: finds games, strategies, experiments and report recipes by name.

Content lies in `simkit/games`, in the folders `strategies`, `experiments` and `reports` of `simkit.content`,
and in the same folders (`games`, ...) of each added project. The file or folder of a game has its name. A
file or folder of strategies may have any name; one with the name of a game is read for that game only.
"""

import hashlib
import importlib.machinery
import importlib.util
import itertools
import json
import os
import shutil
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from simkit import system
from simkit.content import FOLDER as CONTENT
from simkit.engine import lineups
from simkit.engine import strategy as general
from simkit.engine.compile.fingerprint import source_digest
from simkit.engine.game import Game
from simkit.engine.learned.file import BASE, Meta, TrainedPlayer, load, pack, refusal
from simkit.engine.lineups import Named, parse_strategy
from simkit.engine.strategy import (
    BEST,
    LEARNED,
    NO_PLAYER,
    PERSON,
    POLICY,
    RANDOM,
    AnyWeight,
    Policy,
    Strategy,
)
from simkit.engine.table import NO_NET, Lineup, Player
from simkit.errors import UsageError, closest, look_up, unknown

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parent
NO_PROJECT = "change to your project folder, or name it: --project DIR, in Python simkit.add_project(DIR)"
STRONG = "strong"  # the strongest sensible search
STRONG_SEARCH = "search(budget=200)"  # where no player has learned the game
_projects: list[Path] = []


def projects() -> list[str]:
    """Return the added project folders, for worker processes to add them too."""
    return list(map(str, _projects))


def add_project(path: str | Path) -> None:
    """Add a project folder to the folders with content; UsageError if it does not exist.

    Add it again to read its files anew after an edit.

    >>> add_project("nowhere")
    Traceback (most recent call last):
    simkit.errors.UsageError: project folder nowhere does not exist
    """
    if not os.path.isdir(path):
        raise UsageError(f"project folder {path} does not exist")
    folder = Path(path).resolve()
    if folder != ROOT:
        others = [each for each in projects() if each != str(folder)]
        set_projects(others)  # forgets the modules of projects
        set_projects([*others, str(folder)])


def _is_own_module(folder: Path, name: str, module: Any) -> bool:
    """Return whether a module lies in a project folder by its name; installed packages lie deeper."""
    place = folder.joinpath(*name.split("."))
    file = getattr(module, "__file__", None)
    return file in (f"{place}.py", str(place / "__init__.py"))


def set_projects(paths: list[str]) -> None:
    """Look for content in exactly these project folders, besides the checkout."""
    if paths == projects():
        return
    for name, module in list(sys.modules.items()):
        if name.startswith("project_") or any(_is_own_module(folder, name, module) for folder in _projects):
            del sys.modules[name]
    others = [entry for entry in sys.path if entry not in projects()]
    sys.path[:] = [*others, *paths]  # last, so that a project never hides a module of simkit
    _projects[:] = [Path(path) for path in paths]
    importlib.invalidate_caches()
    for looked_up in (_game_paths, _strategies, _presets, _load_player, game):
        looked_up.cache_clear()


def games() -> dict[str, Game]:
    """Return all games by name."""
    return {name: loaded for name, path in _game_paths().items() if (loaded := _game_in(path))}


@cache
def game(name: str) -> Game:
    """Return the game of this name; UsageError, with the closest name, if there is none."""
    path = _game_paths().get(name)
    if path and (loaded := _game_in(path)):
        return loaded
    error = unknown("game", name, games())
    raise error if _projects or closest(name, games()) else UsageError(f"{error}; {NO_PROJECT}")


def game_path(name: str) -> Path:
    """Return the file or folder with the rules of a game."""
    return _game_paths()[name]


@cache
def _game_paths() -> dict[str, Path]:
    folders = [PACKAGE / "games", PACKAGE / "games" / "reference", *(p / "games" for p in _projects)]
    return _unique_paths("game", map(_modules, folders))


def _game_in(path: Path) -> Game | None:
    """Return the game that a file or folder defines, or None; UsageError if it has another name."""
    content = getattr(_load(path), "game", None)
    if not isinstance(content, Game):
        return None
    if content.name != path.stem:
        cure = f"name the file {content.name}.py or the game '{path.stem}'"
        raise UsageError(f"{path}: the game calls itself '{content.name}'; {cure}")
    return content


def strategies(game: Game) -> dict[str, Strategy]:
    """Return the strategies that play a game, by name; those that need a learned player if there is one."""
    every = _every_strategy(game)
    return {name: own for name, own in every.items() if not own.learns or learned_files(game)}


def _every_strategy(game: Game) -> dict[str, Strategy]:
    """Return all strategies for a game, by name; its own replace general ones of the same name."""
    owned = [(entry.game.name if entry.game else "", entry) for entry in _strategies(game.name)]
    return {entry.name: entry for owner in ("", game.name) for name, entry in owned if name == owner}


def scripted(game: Game) -> dict[str, Strategy]:
    """Return the strategies of a game that neither search nor have learned it, by name."""
    return {name: own for name, own in strategies(game).items() if not (own.searches or own.learns)}


def strategy(game: Game, name: str) -> Strategy:
    """Return a strategy of a game; UsageError, with the closest name, if there is none."""
    return PERSON if name == PERSON.name else look_up(f"strategy of {game.name}", name, _every_strategy(game))


def players(game: Game, lineup: Sequence[Named]) -> Lineup:
    """Return the players of a lineup as written, by seat."""
    return [player(game, named, len(lineup)) for named in lineup]


def player(game: Game, named: Named, seats: int) -> Player:
    """Return the player for a strategy as written, at a table with this number of seats.

    It is compiled on first use. UsageError if it needs a learned player that there is not for these seats.
    """
    full = written_out(game, named, seats)
    chosen, name = strategy(game, full.name), trained_name(game, full)
    policy = _policy(game, full, seats) if chosen.searches else None
    trained = learned_player(game, name, seats) if name else None
    base = trained.meta.base if trained and chosen.makes else ""
    improved = player(game, parse_strategy(base)[0], seats) if base else None
    own = chosen.player(game, full.weights, policy, pack(trained, game) if trained else NO_NET, improved)
    return replace(own, label=str(named))


# Learned players: files strategies/GAME/learned/NAME-SEATS.npz of the checkout and of projects.


def learned_file(folder: Path, game: str, name: str, seats: int) -> Path:
    """Return the file of a learned player in a project folder."""
    return folder / "strategies" / game / LEARNED / f"{name}-{seats}.npz"


def learned_files(game: Game) -> dict[tuple[str, int], Path]:
    """Return the files of learned players by name and number of seats; the last project's win."""
    pattern = f"strategies/{game.name}/{LEARNED}/*-*.npz"
    paths = [path for owner in (CONTENT, *_projects) for path in sorted(owner.glob(pattern))]
    files = {}
    for path in paths:
        name, _, seats = path.stem.rpartition("-")
        if seats.isdigit():
            files[name, int(seats)] = path
    return files


def learned_player(game: Game, name: str, seats: int) -> TrainedPlayer:
    """Return the learned player of this name for a number of seats.

    UsageError, with the command that trains it, if there is none; and if it does not fit the game.
    """
    files = learned_files(game)
    if path := files.get((name, seats)):
        return _load_player(game, path, seats, path.stat().st_mtime_ns)
    numbers = " and ".join(str(number) for other, number in sorted(files) if other == name)
    if files and not numbers:
        raise unknown(f"learned player of {game.name}", name, {other for other, _ in files})
    command = _training_command(game, name, seats)
    if not files:
        raise UsageError(f"{game.name} has no learned player; train one: {command}")
    called = f" '{name}'" if name != BEST else ""
    raise UsageError(f"{game.name} has learned players{called} for {numbers} seats, not {seats}: {command}")


def _training_command(game: Game, name: str, seats: int) -> str:
    players = f" --players {seats}" if seats != game.default_seats else ""
    return f"simkit learn {game.name}{players}" + (f" --name {name}" if name != BEST else "")


@cache
def _load_player(game: Game, path: Path, seats: int, changed: int) -> TrainedPlayer:
    """Return the player in a file that was changed at this time; UsageError if it does not fit the table."""
    player = load(path)
    if fault := refusal(player, game, seats) or _other_base(game, player.meta):
        raise UsageError(f"{path}: {fault}; train it again: {player.meta.command}")
    return player


def _other_base(game: Game, meta: Meta) -> str:
    """Return why a player cannot improve on its base, or "" if it can, or improves on none."""
    if not meta.base:
        return ""
    try:
        same = base_digest(game, meta.base) == meta.digests.get(BASE)
    except UsageError as error:
        return str(error)
    return "" if same else f"{meta.base}, on which it improves, has changed since it was trained"


def base_digest(game: Game, base: str) -> str:
    """Return a digest of a strategy as written: its sources and its weights."""
    (named,) = parse_strategy(base)
    chosen, given = strategy(game, named.name), without_preset(game, named).weights
    bodies = [chosen.body, *([chosen.at_default[1]] if chosen.at_default else [])]
    parts = [source_digest(*bodies), chosen.player(game, given).weights.tolist()]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def trained_name(game: Game, named: Named) -> str:
    """Return the name of the learned player that a strategy as written uses; empty for none.

    A search names it as a lineup does: `leaf=learned`, `leaf=learned(name=late)`.
    """
    chosen = strategy(game, named.name)
    if not chosen.trained:
        return ""
    text = named.weights.get(chosen.trained, shown_default(game, chosen.weights[chosen.trained]))
    if chosen.learns or text == NO_PLAYER:
        return "" if text == NO_PLAYER else text
    others = parse_strategy(text)
    if len(others) != 1 or not strategy(game, others[0].name).learns:
        raise UsageError(f"{named.name}({chosen.trained}) takes a learned player, not '{text}'")
    return trained_name(game, others[0])


def trained_players(game: Game, named: Named, seats: int) -> list[TrainedPlayer]:
    """Return the learned players of a strategy as written at a table: its own, and that of its policy."""
    full = written_out(game, named, seats)
    policy = full.weights.get(POLICY, default_policy(game)) if strategy(game, full.name).searches else ""
    names = [trained_name(game, each) for each in (full, *(parse_strategy(policy) if policy else []))]
    return [learned_player(game, name, seats) for name in dict.fromkeys(filter(None, names))]


def written_out(game: Game, named: Named, seats: int) -> Named:
    """Return a strategy with the weights of its preset, and `strong` as the search that it stands for.

    This uses the game's learned player for these seats if there is one, as its training chose.
    """
    named = without_preset(game, named)
    if named.name != STRONG:
        return named
    learned = (BEST, seats) in learned_files(game)
    chosen = learned_player(game, BEST, seats).meta.strong if learned else ""
    (search,) = parse_strategy(chosen or STRONG_SEARCH)
    return search._replace(weights={**search.weights, **named.weights})


def install_learned(path: Path) -> Path:
    """Copy the file of a learned player to the last project or the checkout; return the copy."""
    target = own_folder("learned players") / path.relative_to(path.parents[3])
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    shutil.copyfile(path, part)
    system.replace(part, target)
    return target


def own_folder(what: str) -> Path:
    """Return the last project, or the checkout; UsageError if there is none to write to."""
    if not (_projects or CONTENT == ROOT):
        raise UsageError(f"there is no folder for {what}: {NO_PROJECT}")
    return (CONTENT, *_projects)[-1]


@contextmanager
def also(folder: Path) -> Iterator[None]:
    """Look for content in a further project folder, too, which comes last."""
    before = projects()
    set_projects([*before, str(folder.resolve())])
    try:
        yield
    finally:
        set_projects(before)


def presets_of(game: Game, name: str) -> dict[str, lineups.Weights]:
    """Return the presets of a strategy by name; those of a project replace those of the checkout."""
    own = {key[2]: weights for key, weights in _presets().items() if key[:2] == (game.name, name)}
    return dict(sorted(own.items()))


@cache
def _presets() -> dict[lineups.PresetKey, lineups.Weights]:
    loaded = [lineups.load_presets(folder / lineups.PRESETS_FILE) for folder in _folders("strategies")]
    return {key: weights for each in loaded for key, weights in each.items()}


def without_preset(game: Game, named: Named) -> Named:
    """Return a strategy with the weights of its preset written out; given weights win over these."""
    if not named.preset:
        return named
    own = look_up(f"preset of {named.name}", named.preset, presets_of(game, named.name))
    return Named(named.name, {**own, **named.weights})


def save_preset(game: Game, preset: str, named: Named) -> Path:
    """Write the given weights of a strategy as a preset of the last project or the checkout; return the file.

    UsageError if a preset with this name has other weights.
    """
    path = own_folder("presets") / "strategies" / lineups.PRESETS_FILE
    weights = dict(without_preset(game, named).weights)
    existing = presets_of(game, named.name).get(preset)
    if existing is not None and existing != weights:
        raise UsageError(
            f"{named.name}@{preset} exists with other weights: save under another name (--save NAME)"
        )
    if existing is None:
        lineups.append_preset(path, (game.name, named.name, preset), weights)
        _presets.cache_clear()
    return path


def shown_default(game: Game, weight: AnyWeight) -> str:
    """Return the default of a weight as a person writes it; that of a policy depends on the game."""
    return default_policy(game) if isinstance(weight, Policy) else weight.default_text


def default_policy(game: Game) -> str:
    """Return the policy of searches in a game: the one declared, else the reference player, else `random`."""
    declared = [name for name, entry in strategies(game).items() if entry.plays_on]
    return [*declared, "reference_greedy" if "reference_greedy" in strategies(game) else RANDOM][0]


def _policy(game: Game, named: Named, seats: int) -> Player:
    """Return the policy of a search; UsageError unless it is one strategy that does not search."""
    text = named.weights.get(POLICY, default_policy(game))
    policies = parse_strategy(text)
    if len(policies) != 1 or strategy(game, policies[0].name).searches:
        raise UsageError(f"{named.name}(policy) takes one strategy that does not search, not '{text}'")
    return player(game, policies[0], seats)


def same_player(game: Game, named: Named, other: Named, seats: int) -> bool:
    """Return whether two strategies are the same player at a table: one function with the same weights."""
    first, second = player(game, named, seats), player(game, other, seats)
    return _described(first) == _described(second)


def _described(player: Player) -> tuple[Any, ...]:
    parts = [part for part in (player, player.search) if part]
    return player.blunder, *((part.decide, part.weights.tolist(), part.net.tobytes()) for part in parts)


@cache
def _strategies(game_name: str) -> list[Strategy]:
    """Return the strategies in the files that are read for a game; UsageError for a name defined twice."""
    others = _game_paths().keys() - {game_name}
    entries = [path for folder in _folders("strategies") for path in sorted(folder.glob("*"))]
    mine = [path for path in entries if path.stem not in others]
    paths = [path for entry in mine for path in ([entry] if entry.is_file() else sorted(entry.glob("*.py")))]
    files = [path for path in paths if path.suffix == ".py" and not path.name.startswith(("_", "."))]
    places: dict[tuple[str, str], tuple[Strategy, ModuleType]] = {}
    for module in [general, *map(_load, files)]:
        for current in [
            value for value in vars(module).values() if isinstance(value, Strategy) and value is not PERSON
        ]:
            key = (current.game.name if current.game else "", current.name)
            earlier, place = places.setdefault(key, (current, module))
            if earlier is not current:
                both = f"{place.__file__} and {module.__file__}"
                raise UsageError(f"strategy '{current.name}' is defined twice: {both}")
    return [defined for defined, _ in places.values()]


def experiments() -> dict[str, Path]:
    """Return the files of all experiments by name."""
    return _unique_paths("experiment", (sorted(folder.glob("*.toml")) for folder in _folders("experiments")))


def recipes() -> dict[str, Path]:
    """Return the files of all report recipes by name."""
    return _unique_paths("report recipe", map(_modules, _folders("reports")))


def recipe(name: str) -> Any:
    """Return a report recipe, an object with `build(run)`: `recipe` in its file, or else its module."""
    path = look_up("report recipe", name, recipes())
    module = _load(path)
    content = getattr(module, "recipe", module)
    if not callable(getattr(content, "build", None)):
        raise UsageError(f"{path}: a report recipe needs a function build(run), or recipe = Recipe(...)")
    return content


def _folders(part: str) -> list[Path]:
    return [owner / part for owner in (CONTENT, *_projects)]


def _modules(folder: Path) -> list[Path]:
    paths = [*folder.glob("*.py"), *(init.parent for init in folder.glob("*/__init__.py"))]
    return sorted(path for path in paths if not path.name.startswith(("_", ".")))


def _unique_paths(kind: str, paths: Iterable[list[Path]]) -> dict[str, Path]:
    """Return paths by name; UsageError if two paths have the same name."""
    by_name: dict[str, Path] = {}
    for path in itertools.chain.from_iterable(paths):
        if path.stem in by_name:
            raise UsageError(f"{kind} '{path.stem}' is defined twice: {by_name[path.stem]} and {path}")
        by_name[path.stem] = path
    return by_name


def _load(path: Path) -> ModuleType:
    """Import a content file; UsageError, in one line with FILE:LINE, if the import fails."""
    name = _module_name(path)
    if name in sys.modules:
        return sys.modules[name]
    try:
        _make_package(name.rpartition(".")[0], path.parent)
        return importlib.import_module(name)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    except Exception as error:
        raise UsageError(_fault(path, error)) from error


def _module_name(path: Path) -> str:
    """Return the module name of a content file.

    Content of simkit lies in `simkit.games` and `simkit.content`. Games of a project are `games.X`; its other
    content lies in packages named with a digest of the project's path, so that two projects do not clash.
    """
    if path.is_relative_to(PACKAGE / "games"):
        return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    owner = _owner(path) or CONTENT
    *folders, last = path.relative_to(owner).with_suffix("").parts
    if owner == CONTENT:
        return ".".join(["simkit.content", *folders, last])
    if folders[0] == "games":
        return ".".join([*folders, last])
    digest = hashlib.sha256(str(owner).encode()).hexdigest()[:8]
    return f"project_{digest}_{'_'.join(folders)}.{last}"


def within(line: str) -> str:
    """Return FILE:LINE relative to its project or the checkout; a file elsewhere without its folders."""
    path = Path(line)
    return path.relative_to(_owner(path) or path.parent).as_posix() if line else ""


def _owner(path: Path) -> Path | None:
    """Return the project folder, or the checkout, in which a file lies; of nested ones the innermost."""
    owners = [folder for folder in (*_projects, ROOT, CONTENT) if path.is_relative_to(folder)]
    return max(owners, key=lambda folder: len(folder.parts), default=None)


def _make_package(name: str, folder: Path) -> None:
    """Create the package of a folder of a project's content, unless it exists."""
    if name.startswith("project_") and name not in sys.modules:
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
        sys.modules[name] = importlib.util.module_from_spec(spec)


def _fault(path: Path, error: Exception) -> str:
    """Return the error of an import in one line, with the innermost FILE:LINE of the content."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}: {type(error).__name__}: {error.msg}"
    inside = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).is_relative_to(path)]
    message = (str(error).splitlines() or [""])[0]
    place = f"{inside[-1].filename}:{inside[-1].lineno}" if inside else str(path)
    return f"{place}: {type(error).__name__}: {message}"

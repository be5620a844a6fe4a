"""From a name to a game, strategy, experiment or report recipe: the only place that looks names up.

Content is what lies in `simkit/games`, `strategies`, `experiments` and `reports` of the checkout, and in the
same folders (`games`, ...) of each added project. A game's file or folder has the name of the game; one of
strategies may have any name, but with the name of a game it is read for that game only.
"""

import hashlib
import importlib.machinery
import importlib.util
import itertools
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from simkit.engine import strategy as general
from simkit.engine.game import Game
from simkit.engine.kernel import Player
from simkit.engine.strategy import Named, Strategy
from simkit.errors import UsageError, closest, look_up, unknown

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parent
NO_PROJECT = "change to your project folder, or name it with --project DIR"
_projects: list[Path] = []


def projects() -> list[str]:
    """The project folders added, so that worker processes can be given the same."""
    return list(map(str, _projects))


def add_project(path: str | Path) -> None:
    if not os.path.isdir(path):
        raise UsageError(f"project folder {path} does not exist")
    folder = Path(path).resolve()
    if folder != ROOT and str(folder) not in projects():
        set_projects([*projects(), str(folder)])


def _is_own_module(folder: Path, name: str, module: Any) -> bool:
    """Whether a module is one of a project, imported by its place there: packages installed lie deeper."""
    place = folder.joinpath(*name.split("."))
    file = getattr(module, "__file__", None)
    return file in (f"{place}.py", str(place / "__init__.py"))


def set_projects(paths: list[str]) -> None:
    """Look for content in exactly these folders (and our own)."""
    if paths == projects():
        return
    for name, module in list(sys.modules.items()):
        if name.startswith("project_") or any(_is_own_module(folder, name, module) for folder in _projects):
            del sys.modules[name]
    others = [entry for entry in sys.path if entry not in projects()]
    sys.path[:] = [*others, *paths]  # last, so that a project never hides a module of ours
    _projects[:] = [Path(path) for path in paths]
    importlib.invalidate_caches()
    for looked_up in (_game_paths, _strategies, game):
        looked_up.cache_clear()


def games() -> dict[str, Game]:
    return {name: one for name, path in _game_paths().items() if (one := _game_in(path))}


@cache
def game(name: str) -> Game:
    path = _game_paths().get(name)
    if path and (found := _game_in(path)):
        return found
    error = unknown("game", name, games())
    raise error if _projects or closest(name, games()) else UsageError(f"{error}; {NO_PROJECT}")


def game_path(name: str) -> Path:
    """The file or folder with the rules of a game."""
    return _game_paths()[name]


@cache
def _game_paths() -> dict[str, Path]:
    folders = [PACKAGE / "games", PACKAGE / "games" / "reference", *(p / "games" for p in _projects)]
    return _once("game", map(_modules, folders))


def _game_in(path: Path) -> Game | None:
    found = getattr(_load(path), "game", None)
    if not isinstance(found, Game):
        return None
    if found.name != path.stem:
        cure = f"name the file {found.name}.py or the game '{path.stem}'"
        raise UsageError(f"{path}: the game calls itself '{found.name}'; {cure}")
    return found


def strategies(of: Game) -> dict[str, Strategy]:
    """The strategies that play a game, by name; its own come before a general one of the same name."""
    found = [(one.game.name if one.game else "", one) for one in _strategies(of.name)]
    return {one.name: one for owner in ("", of.name) for name, one in found if name == owner}


def strategy(of: Game, name: str) -> Strategy:
    return look_up(f"strategy of {of.name}", name, strategies(of))


def player(of: Game, named: Named) -> Player:
    """A strategy as written in a lineup, compiled and ready to play."""
    return strategy(of, named.name).player(of, named.weights)


def same_player(of: Game, one: Named, other: Named) -> bool:
    """Whether two strategies decide alike however they are written: one function, the same weights."""
    first, second = player(of, one), player(of, other)
    alike = first.decide == second.decide and first.blunder == second.blunder
    return alike and first.weights.tolist() == second.weights.tolist()


@cache
def _strategies(game_name: str) -> list[Strategy]:
    """The strategies in the files that may concern a game, each name once per game."""
    others = _game_paths().keys() - {game_name}
    entries = [path for folder in _folders("strategies") for path in sorted(folder.glob("*"))]
    mine = [path for path in entries if path.stem not in others]
    paths = [path for one in mine for path in ([one] if one.is_file() else sorted(one.glob("*.py")))]
    files = [path for path in paths if path.suffix == ".py" and not path.name.startswith(("_", "."))]
    places: dict[tuple[str, str], tuple[Strategy, ModuleType]] = {}
    for module in [general, *map(_load, files)]:
        for one in [value for value in vars(module).values() if isinstance(value, Strategy)]:
            key = (one.game.name if one.game else "", one.name)
            known, place = places.setdefault(key, (one, module))
            if known is not one:
                both = f"{place.__file__} and {module.__file__}"
                raise UsageError(f"strategy '{one.name}' is defined twice: {both}")
    return [one for one, _ in places.values()]


def experiments() -> dict[str, Path]:
    return _once("experiment", (sorted(folder.glob("*.toml")) for folder in _folders("experiments")))


def recipes() -> dict[str, Path]:
    return _once("report recipe", map(_modules, _folders("reports")))


def recipe(name: str) -> Any:
    """A report recipe, which has `build(run)`: what its file calls `recipe`, or else the file itself."""
    path = look_up("report recipe", name, recipes())
    module = _load(path)
    found = getattr(module, "recipe", module)
    if not callable(getattr(found, "build", None)):
        raise UsageError(f"{path}: a report recipe needs a function build(run), or recipe = Recipe(...)")
    return found


def section(name: str) -> Callable[..., Any]:
    """The function of a section of reports, by the name of its file in `reports/sections`."""
    kind = "section of reports"
    path = look_up(kind, name, _once(kind, map(_modules, _folders("reports/sections"))))
    found = getattr(_load(path), "section", None)
    if not callable(found):
        raise UsageError(f"{path}: a section needs a function section(found)")
    return cast(Callable[..., Any], found)


def _folders(part: str) -> list[Path]:
    return [owner / part for owner in (ROOT, *_projects)]


def _modules(folder: Path) -> list[Path]:
    found = [*folder.glob("*.py"), *(init.parent for init in folder.glob("*/__init__.py"))]
    return sorted(path for path in found if not path.name.startswith(("_", ".")))


def _once(kind: str, paths: Iterable[list[Path]]) -> dict[str, Path]:
    """Paths by name; the same name in two places is refused."""
    found: dict[str, Path] = {}
    for path in itertools.chain.from_iterable(paths):
        if path.stem in found:
            raise UsageError(f"{kind} '{path.stem}' is defined twice: {found[path.stem]} and {path}")
        found[path.stem] = path
    return found


def _load(path: Path) -> ModuleType:
    """Import a content file; what goes wrong in it is told in one line with file and line."""
    name = _module_name(path)
    if name in sys.modules:
        return sys.modules[name]
    if str(ROOT) not in sys.path:  # a project may build on our strategies
        sys.path.insert(0, str(ROOT))
    try:
        if "." in name:
            _package_of(name, path)
            return importlib.import_module(name)
        return _from_file(name, path)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    except Exception as error:
        raise UsageError(_fault(path, error)) from error


def _module_name(path: Path) -> str:
    """Our content has its dotted name; a project's games are `games.X`, its strategies packages."""
    owner = _owner(path) or ROOT
    *folders, last = path.relative_to(owner).with_suffix("").parts
    if owner == ROOT or folders[0] == "games":
        return ".".join([*folders, last])
    digest = hashlib.sha256(str(owner).encode()).hexdigest()[:8]
    front = f"project_{digest}_{'_'.join(folders)}"
    return f"{front}.{last}" if len(folders) > 1 else f"{front}_{last}"


def within(line: str) -> str:
    """A FILE:LINE within its project (or ours), the same wherever that lies; of elsewhere without folders."""
    path = Path(line)
    return path.relative_to(_owner(path) or path.parent).as_posix() if line else ""


def _owner(path: Path) -> Path | None:
    """The project (or ours) in which a file lies, the innermost if they lie within each other."""
    owners = [one for one in (*_projects, ROOT) if path.is_relative_to(one)]
    return max(owners, key=lambda one: len(one.parts), default=None)


def _package_of(name: str, path: Path) -> None:
    """Make a project's folder of strategies a package."""
    package = name.rpartition(".")[0]
    if package.startswith("project_") and package not in sys.modules:
        spec = importlib.machinery.ModuleSpec(package, None, is_package=True)
        spec.submodule_search_locations = [str(path.parent)]
        sys.modules[package] = importlib.util.module_from_spec(spec)


def _from_file(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path / "__init__.py" if path.is_dir() else path)
    assert spec is not None and spec.loader is not None, "a Python file always has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _fault(path: Path, error: Exception) -> str:
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}: {type(error).__name__}: {error.msg}"
    inside = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).is_relative_to(path)]
    said = (str(error).splitlines() or [""])[0]
    place = f"{inside[-1].filename}:{inside[-1].lineno}" if inside else str(path)
    return f"{place}: {type(error).__name__}: {said}"

"""Commands to run next: to answer what a run cannot, and to confirm what it says."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from simkit.engine.rng import sub_seed
from simkit.page.words.labels import Labels
from simkit.runs.experiment import USUAL_MARGIN
from simkit.runs.folder import Run
from simkit.runs.table_files import HEAD, has_own_files, is_file
from simkit.system import command_line
from simkit.tables.findings import axes, setting_words, written_value

REACH = 10  # of the search for the fair value of an option that treats a role
MAX_DEALS = 2_000  # of a sweep that compensates a player
MIN_VERDICT_DEALS = 20_000  # deals that usually settle a margin of 2 percentage points


def command_again(run: Run, *words: str) -> str:
    """Return a simkit command with the project folders of the run's own command."""
    given_words, project = shlex.split(run.manifest.command or "")[1:], list[str]()
    while given_words[:1] == ["--project"]:
        project, given_words = [*project, *given_words[:2]], given_words[2:]
    return command_line(["simkit", *project, *words])


def lineups(run: Run) -> list[list[str]]:
    """Return the distinct lineups of a run."""
    return [list(labels) for labels in dict.fromkeys(tuple(cell.labels) for cell in run.cells)]


def game_words(
    run: Run, lineups: list[list[str]], varied: Mapping[str, Any] = {}, free: str = ""
) -> list[str]:
    """Return the command options that play the same game with these lineups, at a setting of the run.

    free: option that the command varies.
    """
    options = run.experiment.options | {name: varied[name] for name in varied if not is_file(name)}
    options.pop(free, None)
    fixed = [word for text in setting_texts(options) for word in ("--set", text)]
    own = run.experiment.files_of(varied).items()
    files = [word for file in own for word in ("--cards", "=".join(file))]
    played = [word for lineup in lineups for word in ("--lineup", ",".join(lineup))]
    return [*fixed, *files, *played, *([*role_words(run), *target_words(run)] if lineups else [])]


def role_words(run: Run) -> list[str]:
    """Return the options for the role whose wins are judged, and for roles that move round the seats."""
    keys = run.experiment
    role = ["--role", keys.role] if keys.role else []
    return [*role, *(["--rotate", "roles"] if keys.rotate == "roles" else [])]


def own_files(run: Run) -> list[str]:
    """Return the command options for the first of the designer's files that are compared."""
    keys, own = run.experiment, (cell.varied for cell in run.cells if has_own_files(cell.varied))
    files = [file for file in keys.files_of(next(own, {})).items() if file[0] not in keys.files]
    return [word for file in files for word in ("--cards", "=".join(file))]


def setting_texts(varied: Mapping[str, Any]) -> list[str]:
    """Return options as `name=value` words."""
    return [f"{name}={written_value(value)}" for name, value in varied.items()]


def stored_texts(run: Run, varied: Mapping[str, Any]) -> list[str]:
    """Return the setting of a cell as `name=value` words, with the stored paths of the designer's files."""
    stored = {HEAD + table: path for table, path in run.experiment.files_of(varied).items()}
    return setting_texts({name: stored.get(name, value) for name, value in varied.items()})


def target_words(run: Run) -> list[str]:
    """Return the option for the target of a run, or nothing where it is the default."""
    target = run.experiment.target
    return [] if target is None else ["--target", f"{target:g}"]


def fair_command(run: Run, chosen: list[list[str]] | None = None) -> str | None:
    """Return the command that searches for the fair value of the only swept option, a whole number."""
    chosen = chosen or lineups(run)
    swept = [axis for axis in axes(run) if len(axis.options) == 1 and axis.whole_numbers]
    if len(swept) != 1 or len(axes(run)) != 1 or len({len(labels) for labels in chosen}) > 1:
        return None
    (name,), values = swept[0].options, [value for (value,) in swept[0].values]
    if Labels(run).is_seat(name):
        return None
    margin = ["--margin", f"{run.experiment.margin:g}"] if run.experiment.margin != USUAL_MARGIN else []
    vary = ["--vary", f"{name}={min(values)}:{max(values)}"]
    return command_again(run, "fair", run.experiment.game, *vary, *game_words(run, chosen), *margin)


def role_command(run: Run, role: str, index: int) -> str | None:
    """Return the search for the fair value of an option that treats a role, a whole number; None without one.

    index: the cell whose setting and lineup are played.
    """
    (cell,) = (cell for cell in run.cells if cell.index == index)
    for name, option in run.words.options.items():
        if role in option.treats and option.kind == "integer":
            ends = sorted((int(cell.options.get(name, option.default)), int(option.default)))
            low, high = max(option.low, ends[0] - REACH), min(option.high, ends[1] + REACH)
            words = ["--vary", f"{name}={low}:{high}"]
            words += game_words(run, [list(cell.labels)], cell.varied, free=name)
            return command_again(run, "fair", run.experiment.game, *words, "--role", role)
    return None


def compensations(run: Run) -> dict[str, str]:
    """Return for each further option that favours or handicaps a seat the sweep that tries its values.

    There is none for a team, after a sweep of several options or of one that treats all seats alike.
    """
    swept = [name for axis in axes(run) for name in axis.options if not is_file(name)]
    of_seats = {name: option for name, option in run.words.options.items() if option.seats}
    if run.team or run.role or len(swept) > 1 or not of_seats.keys() >= set(swept):
        return {}
    fixed, commands = {*swept, *run.experiment.options}, dict[str, str]()
    for name, option in of_seats.items():
        if len(option.tries) > 1 and name not in fixed:
            needed = setting_texts(run.words.unmet(name, run.experiment.options))
            words = [f"{name}={','.join(map(written_value, option.tries))}"]
            words += [word for text in needed for word in ("--set", text)]
            words += [*own_files(run), *game_words(run, lineups(run))]
            words += ["--deals", str(min(MAX_DEALS, run.experiment.deals))]
            commands[name] = command_again(run, "sweep", run.experiment.game, *words)
    return commands


def ladder_command(run: Run, settings: Sequence[Mapping[str, Any]] = ()) -> str:
    """Return the ladder at the last of some settings, or at all values of the only option that they vary."""
    chosen, words = dict(settings[-1]) if settings else {}, list[str]()
    varied = [name for name in chosen if any(setting[name] != chosen[name] for setting in settings)]
    if len(varied) == 1 and not is_file(varied[0]):
        values = dict.fromkeys(written_value(setting[varied[0]]) for setting in settings)
        words = ["--vary", f"{varied[0]}={'/'.join(values)}"]
        del chosen[varied[0]]
    words += ["--seats", f"{max(cell.seats for cell in run.cells)}"]
    return command_again(run, "ladder", run.experiment.game, *game_words(run, [], chosen), *words)


def compare_command(run: Run, setting: str, chosen: list[list[str]]) -> str:
    """Return the comparison of a setting of a run with its baseline, by some lineups or those of the run."""
    varied = {setting_words(cell.varied): ",".join(stored_texts(run, cell.varied)) for cell in run.cells}
    base = next((cell.varied for cell in run.cells if cell.baseline), {})
    words = list[str]()
    if not Labels(run).is_printed(base):
        words = [word for text in stored_texts(run, base) for word in ("--base", text)]
    words += ["--to", varied[setting], *game_words(run, chosen or lineups(run))]
    return command_again(run, "compare", run.experiment.game, *words)


def fresh_command(run: Run, index: int, chosen: list[list[str]] | None = None) -> str:
    """Return the command that plays a cell's setting on fresh deals until a verdict, with all its lineups."""
    (cell,) = (cell for cell in run.cells if cell.index == index)
    keys = run.experiment
    words = [*stored_texts(run, cell.varied), *game_words(run, chosen or lineups(run))]
    deals = max(MIN_VERDICT_DEALS, cell.deals)
    words += ["--until-verdict", "--margin", f"{keys.margin:g}", "--deals", f"{deals}"]
    words += ["--seed", f"{sub_seed(keys.seed, 'confirm')}"]
    return command_again(run, "sweep", run.experiment.game, *words)


def trace_command(run: Run) -> str:
    """Return the command that repeats the run with a turn trace."""
    traced = ["--trace", "1000", "-o", f"{run.place}-traced"]
    return command_again(run, "run", f"{run.place}/experiment.toml", *traced)


def more_command(run: Run, option: str, value: object) -> str:
    """Return the run's own command with another value of an option, into a folder of its own."""
    words = shlex.split(run.manifest.command or shlex.join(["simkit", "run", f"{run.place}/experiment.toml"]))
    for name, new in ((option, f"{value}"), ("-o", f"{run.place}-more")):
        if name in words:
            words[words.index(name) + 1] = new
        else:
            words += [name, new]
    return command_line(words)

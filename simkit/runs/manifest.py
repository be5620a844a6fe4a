"""The manifest of a run folder: experiment, cells, versions and digests, progress, answer.

`stored` is the manifest in the folder, `requested` that of the run which the caller wants to play there.

| state | `finished` | `games`, `seconds` | written by |
| --- | --- | --- | --- |
| begun | null | 0 | `begin`, before the first game |
| stopped or extended | null | as far as played | `note`, when the runner stops; `with_deals` |
| finished | time, also while damaged tables are played again | all | `finish`, after all that is played |

`outstanding` names the folders of what is played after a finished run (its ladder, its check on fresh deals),
from the end of the run until the last of them is finished.
"""

import hashlib
import json
import os
import platform
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, PlainSerializer, ValidationError

from simkit.engine import registry
from simkit.engine.ablation import ablation_rules
from simkit.engine.families import family_of
from simkit.engine.game import Game
from simkit.engine.lineups import parse_strategy
from simkit.errors import OtherRun, UsageError
from simkit.runs import log, source_digests, table_files
from simkit.runs.experiment import Experiment, experiment_of, replace_paths
from simkit.runs.plan import Cell, Layout, Plan, make_plan, read_files
from simkit.runs.run_metadata import AblationWords, PieceWords, RunWords, in_cells, pieces_of, words_of
from simkit.runs.source_digests import Origin
from simkit.runs.storage import atomic, checksums

FORMAT = 3  # of run folders; a folder whose manifest has no number has format 1
Count = Annotated[int, Field(ge=1, lt=2**63)]
RESTORE = "restore it from a copy, or play into another folder"
MAX_VALUE_LENGTH = 60  # characters of a value in a message


def _own_experiment(keys: Any) -> Experiment:
    """Return the experiment of a run; refuse one whose files are not copies in the run folder."""
    experiment: Experiment = experiment_of(keys) if isinstance(keys, dict) else keys
    for path in experiment.every_file().values():
        if not path.startswith("files/") or ".." in re.split(r"[/\\]", path):
            raise UsageError(f"its file {path} does not lie in the run folder")
    return experiment


class Manifest(Origin):
    """All that explains a run, except source code."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    experiment: Annotated[Experiment, BeforeValidator(_own_experiment), PlainSerializer(Experiment.keys)]
    files: dict[str, str]  # designer's file -> SHA-256
    cells: list[Cell] = Field(min_length=1)
    layout: Layout
    spans: list[Count] = Field(min_length=1)  # numbers of deals at which the run was or will be analysed
    columns: dict[str, dict[str, str]]  # table -> column -> meaning, in the order of the columns
    types: dict[str, dict[str, str]]  # table -> column -> Arrow type
    asked_columns: list[str] = []  # columns of the log to compare
    tables: dict[str, dict[str, list[list[str]]]]  # swept table -> file -> its rows
    words: RunWords
    notes: list[str] = []  # where learned players play rules for which they were not trained
    machine: dict[str, Any]
    command: str | None
    started: str
    finished: str | None = None
    seconds: float = 0.0
    games: int = 0
    answer: str | None = None  # in a sentence
    outstanding: list[str] = []  # folders of the follow-ups that are still to be played


def first_fault(error: Exception) -> str:
    """Return the message of an error; for a `ValidationError` its first key and reason."""
    if not isinstance(error, ValidationError):
        return str(error)
    fault = error.errors()[0]
    key, message = ".".join(map(str, fault["loc"])), fault["msg"].removeprefix("Value error, ")
    return f"{key}: {message}" if key else message


def new(plan: Plan, command: str | None) -> Manifest:
    """Return the manifest of a run about to begin."""
    experiment, cells = plan.experiment, plan.cells
    described, types = log.describe_columns(plan.game, cells[0], experiment.keep_going)
    return Manifest(
        sources=source_digests.digests(plan),
        experiment=with_own_copies(experiment),
        files={name: checksums.digest(Path(path)) for name, path in experiment.every_file().items()},
        cells=cells,
        layout=plan.layout,
        spans=plan.spans,
        columns=described,
        types=types,
        tables=_tables(plan),
        words=_words(plan),
        notes=plan.notes,
        machine={"cpus": os.cpu_count(), "platform": f"{platform.system()} {platform.machine()}"},
        command=command,
        started=_now(),
    )


def columns_of(experiment: Experiment) -> dict[str, dict[str, str]]:
    """Return the meanings of the columns of each table, for an experiment that has not been played."""
    plan = make_plan(experiment)
    return log.describe_columns(plan.game, plan.cells[0], experiment.keep_going)[0]


def with_own_copies(experiment: Experiment) -> Experiment:
    """Return the experiment as the run folder stores it, with its own copies of the designer's files."""

    def within(name: str, path: str) -> str:
        own = f"{table_files.table(name)}/{Path(path).name}"
        return f"files/{own if table_files.is_file(name) else name + Path(path).suffix}"

    return replace_paths(experiment, within)


def _tables(plan: Plan) -> dict[str, dict[str, list[list[str]]]]:
    """Return the rows of every swept table: `files.TABLE` -> file name -> rows."""
    game, rows_by_file = plan.game, dict[str, dict[str, list[list[str]]]]()
    for cell in plan.cells:
        files = read_files(plan.experiment, cell.varied)
        for name in filter(table_files.is_file, cell.varied):
            if rows := table_files.rows(game, name, files, cell.options):
                rows_by_file.setdefault(name, {})[cell.varied[name]] = rows
    return rows_by_file


def _words(plan: Plan) -> RunWords:
    game, experiment, cells = plan.game, plan.experiment, plan.cells
    settings = list({repr(cell.options): cell.options for cell in cells}.values())
    words = words_of(game, plan.strategies, settings, experiment.options, read_files(experiment))
    words.options.update(table_files.words([cell.varied for cell in cells]))
    files = [(name.partition(":")[0], path) for name, path in experiment.every_file().items()]
    own = [f"the designer's own {table_files.table(name)}: {Path(path).name}" for name, path in files]
    changes: dict[str, Any] = {"provenance": own + words.provenance, "preset_weights": _presets(game, cells)}
    changes["families"] = _families(plan)
    if experiment.trace and game.pieces:
        changes["pieces"] = pieces_of(game.pieces, {cell.index: plan.rules(cell) for cell in cells})
    if experiment.ablate:
        changes["ablation"] = _ablation(plan)
    return words.model_copy(update=changes)


def _families(plan: Plan) -> dict[str, str]:
    """Return the family of each player as written in a lineup."""
    players = [(parse_strategy(label)[0], seats) for label, seats in plan.players]
    return {str(named): family_of(registry.player(plan.game, named, seats)) for named, seats in players}


def _presets(game: Game, cells: list[Cell]) -> dict[str, dict[str, str]]:
    """Return the weights of each strategy that is written with a preset."""
    players = {str(named): named for cell in cells for named in cell.lineup if named.preset}
    return {label: dict(registry.without_preset(game, named).weights) for label, named in players.items()}


def _ablation(plan: Plan) -> AblationWords:
    """Return the way of ablation and its components, with the cells whose rules have each component."""
    game, keys, parts = plan.game, plan.experiment, dict[str, PieceWords]()
    for cell in plan.cells:
        rules = plan.rules(cell)
        ablated = ablation_rules(game, rules, keys.ablate, keys.seed).plan
        for part in ablated.parts:
            own = PieceWords(label=part.label, kinds=part.kinds, copies=len(part.numbers))
            parts.setdefault(part.label, own).cells.append(cell.index)
    named = {piece.label for piece in game.pieces.names(rules[0])} if game.pieces else set[str]()
    return AblationWords(
        way=ablated.way.name,
        meaning=ablated.way.meaning,
        unownable=ablated.way.unownable,
        rate=ablated.rate,
        word=game.pieces.word if game.pieces and parts.keys() <= named else "component",
        parts=in_cells(parts.values(), len(plan.cells)),
    )


def read(folder: Path) -> Manifest:
    """Return the manifest of a run folder; refuse one of another format, changed or damaged."""
    path = folder / "manifest.json"
    try:
        keys = json.loads(path.read_bytes())
    except (ValueError, RecursionError, OSError) as error:
        raise UsageError(f"{path}: cannot be read: {error}; {RESTORE}") from None
    if not isinstance(keys, dict):
        raise UsageError(f"{path}: is not the manifest of a run; {RESTORE}")
    if (number := keys.get("format", 1)) != FORMAT:
        writer = f"simkit {keys.get('simkit', 'of an unknown version')}"
        cure = "read it with that version, or play it again into another folder"
        raise OtherRun(f"{folder}: the run has format {number}, written by {writer}, not {FORMAT}; {cure}")
    if keys.pop("checksum", "") != _checksum(keys):
        raise UsageError(f"{path}: was changed or damaged after it was written; {RESTORE}")
    try:
        return Manifest.model_validate(keys)
    except (ValidationError, UsageError) as error:
        raise UsageError(f"{path}: is not the manifest of a run: {first_fault(error)}; {RESTORE}") from None


def begin(folder: Path, experiment: Experiment, manifest: Manifest) -> None:
    """Write a new run folder: the experiment, the designer's files, then the manifest."""
    own, is_run = folder / "experiment.toml", (folder / "manifest.json").is_file()
    if own.is_file() and not is_run and not _is_experiment(folder, manifest):
        cure = "choose another folder"
        raise OtherRun(f"{folder}: holds an experiment.toml, which the one of the run would replace; {cure}")
    restore(folder, experiment, manifest)
    write(folder, manifest)


def restore(folder: Path, experiment: Experiment, manifest: Manifest) -> None:
    """Write the experiment of a manifest and the designer's files where they are missing or have changed."""
    for name, copy in _changed_files(folder, manifest):
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(experiment.every_file()[name], copy)
    if not _is_experiment(folder, manifest):
        atomic.put(folder / "experiment.toml", manifest.experiment.to_toml().encode())


def check_inputs(folder: Path, manifest: Manifest) -> None:
    """Refuse a folder whose experiment or designer's files are not those that were played."""
    cure = "run it again, which restores it"
    if not _is_experiment(folder, manifest):
        raise UsageError(f"{folder / 'experiment.toml'}: is not the experiment that was played; {cure}")
    for _, copy in _changed_files(folder, manifest):
        raise UsageError(f"{copy}: is not the file that was played with; {cure}")


def _changed_files(folder: Path, manifest: Manifest) -> Iterator[tuple[str, Path]]:
    """Yield the designer's files whose copies are missing or have changed: name, path of the copy."""
    for name, path in manifest.experiment.every_file().items():
        copy = folder / path
        if not copy.is_file() or checksums.digest(copy) != manifest.files.get(name):
            yield name, copy


def _is_experiment(folder: Path, manifest: Manifest) -> bool:
    """Return whether experiment.toml holds the experiment of the manifest."""
    file = folder / "experiment.toml"
    return file.is_file() and file.read_text("utf-8", errors="replace") == manifest.experiment.to_toml()


def write(folder: Path, manifest: Manifest) -> None:
    """Write the manifest atomically, with its checksum."""
    keys = manifest.model_dump(mode="json")
    text = json.dumps(keys | {"checksum": _checksum(keys)}, indent=1, ensure_ascii=False)
    atomic.put(folder / "manifest.json", f"{text}\n".encode())


def _checksum(keys: dict[str, Any]) -> str:
    """Return the SHA-256 of the keys of a manifest without its checksum."""
    return hashlib.sha256(json.dumps(keys).encode()).hexdigest()


def note(folder: Path, **changes: Any) -> None:
    """Change keys of the manifest in a folder."""
    stored = read(folder)
    changed = stored.model_copy(update=changes)
    if changed != stored:
        write(folder, changed)


def finish(folder: Path) -> None:
    """Record that the run is complete, unless that is recorded already."""
    note(folder, finished=read(folder).finished or _now())


def is_finished(folder: Path) -> bool:
    """Return whether a folder holds a run that is finished."""
    return (folder / "manifest.json").is_file() and read(folder).finished is not None


def ask(folder: Path, columns: tuple[str, ...]) -> None:
    """Record columns of the log that were requested, in addition to those requested before."""
    note(folder, asked_columns=list(dict.fromkeys([*read(folder).asked_columns, *columns])))


def _now() -> str:
    """Return the current time (UTC) in ISO format, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def differences(stored: Manifest, requested: Manifest) -> list[str]:
    """Return why a folder's run cannot continue as the requested one; more deals alone are no reason."""
    changes = source_digests.others(stored, requested)
    begun = "it was begun with {0.what} {0.was}, this is {0.here}"
    reasons = [begun.format(change) for change in changes if change.was]
    reasons += [*_other_keys(stored, requested)] or [*_other_cells(stored, requested)]
    if not reasons:  # other keys imply other sources, so sources are named only if nothing else differs
        reasons = [f"{change.what} changed since it began" for change in changes[:1]]
    return [*reasons, *(["its log has other columns"] if stored.columns != requested.columns else [])]


def _other_keys(stored: Manifest, requested: Manifest) -> Iterator[str]:
    before, now = stored.experiment.keys(), requested.experiment.keys()
    for key in dict.fromkeys([*before, *now]):
        if key == "confirm":  # is about a run of its own
            continue
        if before.get(key) != now.get(key) and not (key == "deals" and _may_play(stored, requested)):
            yield f"its key '{key}' is {_brief(before.get(key))}, here it is {_brief(now.get(key))}"
    for name in dict.fromkeys([*stored.files, *requested.files]):
        if stored.files.get(name) != requested.files.get(name):
            yield f"it was played with other contents of the designer's file for {name}"


def _other_cells(stored: Manifest, requested: Manifest) -> Iterator[str]:
    """Yield how the numbering of the cells differs: the same sweep may be crossed in another order."""
    before, now = stored.experiment.sweep, requested.experiment.sweep
    if before == now and list(before) != list(now):
        yield f"its [sweep] has the keys in the order {', '.join(before)}, here {', '.join(now)}"


def _may_play(stored: Manifest, requested: Manifest) -> bool:
    """Return whether a run may change its number of deals.

    More deals extend it. Fewer are possible if it has not finished since it was extended from that number.
    Runs with sequential stopping keep their number.
    """
    before, now = stored.experiment.deals, requested.experiment.deals
    back = stored.finished is None and now in stored.spans
    return not requested.experiment.adaptive and (now > before or back)


def with_deals(stored: Manifest, requested: Manifest) -> Manifest:
    """Return the stored manifest with the deals of the requested one."""
    spans, deals = stored.spans, requested.experiment.deals
    if deals not in spans:
        spans = [*(end for end in spans if end <= stored.experiment.deals), deals]
    changes = {name: getattr(requested, name) for name in ("experiment", "cells", "command")}
    return stored.model_copy(update=changes | {"spans": spans, "finished": None})


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False) if value is not None else "not given"
    return text if len(text) <= MAX_VALUE_LENGTH else f"{text[:MAX_VALUE_LENGTH]}…"

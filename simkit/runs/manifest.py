"""The manifest of a run folder: experiment, cells, versions and digests, progress, answer.

`stored` is the manifest in the folder, `requested` that of the run which the caller wants to play there.

| state | `finished` | `games`, `seconds` | written by |
| --- | --- | --- | --- |
| begun | null | 0 | `begin`, before the first game |
| stopped or extended | null | as far as played | `note`, when the runner stops; `with_deals` |
| finished | time | all | `finish`, after games, side run and kingmaking |
"""

import hashlib
import json
import os
import platform
import shutil
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from simkit.engine import registry
from simkit.engine.ablation import dealt_of
from simkit.engine.game import Game
from simkit.errors import OtherRun, UsageError
from simkit.runs import columns, source_digests, table_files
from simkit.runs.experiment import Cell, Experiment, analyses, moved, parse, read_files, settings
from simkit.runs.experiment import cells as cells_of
from simkit.runs.run_metadata import AblationWords, PieceWords, RunWords, pieces_of, words_of
from simkit.runs.schemas import manifest
from simkit.runs.shards import Layout
from simkit.runs.storage import atomic

RESTORE = "restore it from a copy, or play into another folder"
MAX_VALUE_LENGTH = 60  # characters of a value in a message


def new(experiment: Experiment, cells: list[Cell], layout: Layout, command: str | None) -> dict[str, Any]:
    """Return the manifest of a run about to begin: all that explains it later, except source code."""
    return {
        **source_digests.versions(),
        "sources": source_digests.digests(experiment, cells),
        "experiment": with_own_copies(experiment).keys(),
        "files": {name: source_digests.file_digest(path) for name, path in experiment.every_file().items()},
        "seed": experiment.seed,
        "cells": [cell.keys() for cell in cells],
        "layout": layout,
        "spans": analyses(experiment),
        "columns": columns.described(registry.game(experiment.game), cells[0], experiment.keep_going),
        "asked_columns": [],
        "tables": _tables(experiment, cells),
        "words": _words(experiment, cells).model_dump(),
        "machine": {"cpus": os.cpu_count(), "platform": f"{platform.system()} {platform.machine()}"},
        "command": command,
        "started": now(),
        "finished": None,
        "seconds": 0.0,
        "games": 0,
        "answer": None,
    }


def columns_of(experiment: Experiment) -> dict[str, dict[str, str]]:
    """Return the meanings of the columns of each table, for an experiment that has not been played."""
    first = cells_of(experiment)[0]
    return columns.described(registry.game(experiment.game), first, experiment.keep_going)


def with_own_copies(experiment: Experiment) -> Experiment:
    """Return the experiment as the run folder stores it, with its own copies of the designer's files."""

    def within(name: str, path: str) -> str:
        own = f"{name.removeprefix(table_files.HEAD)}/{Path(path).name}"
        return f"files/{own if table_files.is_file(name) else name + Path(path).suffix}"

    return moved(experiment, within)


def _tables(experiment: Experiment, cells: list[Cell]) -> dict[str, dict[str, list[list[str]]]]:
    """Return the rows of every swept table: `files.TABLE` -> file name -> rows."""
    game, rows_by_file = registry.game(experiment.game), dict[str, dict[str, list[list[str]]]]()
    for cell in cells:
        read = read_files(experiment, cell.varied)
        for name in filter(table_files.is_file, cell.varied):
            if rows := table_files.rows(game, name, read, cell.options):
                rows_by_file.setdefault(name, {})[cell.varied[name]] = rows
    return rows_by_file


def _words(experiment: Experiment, cells: list[Cell]) -> RunWords:
    game, names = registry.game(experiment.game), [named.name for cell in cells for named in cell.lineup]
    played = [registry.strategy(game, name) for name in dict.fromkeys(names)]
    words = words_of(game, played, settings(cells), experiment.options, read_files(experiment))
    words.options.update(table_files.words(game, [cell.varied for cell in cells]))
    files = [(name.partition(":")[0], path) for name, path in experiment.every_file().items()]
    own = [
        f"the designer's own {name.removeprefix(table_files.HEAD)}: {Path(path).name}" for name, path in files
    ]
    game = registry.game(experiment.game)
    note = {"piece_note": game.pieces.note} if game.pieces else {}
    pieces = _pieces(experiment, cells) if experiment.trace else note  # narrated games name them in any run
    ablated = {"ablation": _ablation(experiment, cells)} if experiment.ablate else {}
    return words.model_copy(update={"provenance": own + words.provenance} | pieces | ablated)


def _ablation(experiment: Experiment, cells: list[Cell]) -> AblationWords:
    """Return the way of ablation and its components, with the cells whose rules have each component."""
    game, parts = registry.game(experiment.game), dict[str, PieceWords]()
    for cell in cells:
        rules = game.rules(cell.options, read_files(experiment, cell.varied))
        plan = dealt_of(game, rules, experiment.ablate, experiment.seed).plan
        for part in plan.parts:
            own = PieceWords(label=part.label, kinds=part.kinds, copies=len(part.numbers), cells=[])
            parts.setdefault(part.label, own).cells.append(cell.index)
    way, every = plan.way, [cell.index for cell in cells]
    components = [
        component.model_copy(update={"cells": [] if component.cells == every else component.cells})
        for component in parts.values()
    ]
    metadata: dict[str, Any] = {
        "way": way.name,
        "meaning": way.meaning,
        "unownable": way.unownable,
        "rate": plan.rate,
    }
    word = _word(game, rules, {component.label for component in components})
    return AblationWords(**metadata, word=word, parts=components)


def _word(game: Game, rules: Any, labels: set[str]) -> str:
    """Return the word for a component: that of the game's pieces if all components are pieces."""
    named = {piece.label for piece in game.pieces.names(rules[0])} if game.pieces else set[str]()
    return game.pieces.word if game.pieces and labels <= named else "component"


def _pieces(experiment: Experiment, cells: list[Cell]) -> dict[str, Any]:
    """Return the words for the components that the trace records."""
    game = registry.game(experiment.game)
    if game.pieces is None:
        return {}
    rules = {cell.index: game.rules(cell.options, read_files(experiment, cell.varied)) for cell in cells}
    metadata = {"played": game.pieces.played, "piece": game.pieces.word, "piece_note": game.pieces.note}
    metadata["piece_use"] = game.pieces.use
    return {"pieces": pieces_of(game, rules)} | metadata


def read(folder: Path) -> dict[str, Any]:
    """Return the manifest of a run folder; refuses one that was changed, damaged or cannot be a manifest."""
    stored, path = _read(folder), folder / "manifest.json"
    try:
        manifest.RunForm.model_validate(stored)
    except (ValidationError, UsageError) as error:
        why = manifest.first_fault(error)
        raise UsageError(f"{path}: is not the manifest of a run: {why}; {RESTORE}") from None
    return stored


def _read(folder: Path) -> dict[str, Any]:
    path = folder / "manifest.json"
    try:
        stored = json.loads(path.read_bytes())
    except (ValueError, RecursionError, OSError) as error:
        raise UsageError(f"{path}: cannot be read: {error}; {RESTORE}") from None
    if not isinstance(stored, dict):
        raise UsageError(f"{path}: is not the manifest of a run; {RESTORE}")
    if "checksum" not in stored:
        cure = "play it again into another folder (--into DIR)"
        raise OtherRun(f"{folder}: this simkit cannot read the run, an earlier one made it; {cure}")
    if stored.pop("checksum") != _checksum(stored):
        raise UsageError(f"{path}: was changed or damaged after it was written; {RESTORE}")
    return cast(dict[str, Any], stored)


def begin(folder: Path, experiment: Experiment, manifest: dict[str, Any]) -> None:
    """Write a new run folder: the experiment, the designer's files, then the manifest."""
    restore(folder, experiment, manifest)
    write(folder, manifest)


def restore(folder: Path, experiment: Experiment, manifest: Mapping[str, Any]) -> None:
    """Write the experiment of a manifest and the designer's files where they are missing or have changed."""
    copies, toml = with_own_copies(experiment).every_file(), parse(manifest["experiment"]).to_toml()
    for name, path in experiment.every_file().items():
        copy = folder / copies[name]
        if not copy.is_file() or source_digests.file_digest(copy) != source_digests.file_digest(path):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    toml_file = folder / "experiment.toml"
    if not toml_file.is_file() or toml_file.read_text("utf-8", errors="replace") != toml:
        toml_file.write_text(toml, encoding="utf-8")


def check_inputs(folder: Path, manifest: Mapping[str, Any], experiment: Experiment) -> None:
    """Refuse a folder whose experiment or designer's files are not those that were played."""
    cure = "run it again, which restores it"
    toml_file = folder / "experiment.toml"
    if not toml_file.is_file() or toml_file.read_text("utf-8", errors="replace") != experiment.to_toml():
        raise UsageError(f"{toml_file}: is not the experiment that was played; {cure}")
    for name, path in experiment.every_file().items():
        copy = folder / path
        if not copy.is_file() or source_digests.file_digest(copy) != manifest["files"].get(name):
            raise UsageError(f"{copy}: is not the file that was played with; {cure}")


def write(folder: Path, manifest: dict[str, Any]) -> None:
    """Write the manifest atomically, with its checksum."""
    plain = json.loads(json.dumps(manifest))
    text = json.dumps(plain | {"checksum": _checksum(plain)}, indent=1, ensure_ascii=False)
    atomic.put(folder / "manifest.json", f"{text}\n".encode())


def _checksum(manifest: dict[str, Any]) -> str:
    """Return the SHA-256 of a manifest without its checksum."""
    return hashlib.sha256(json.dumps(manifest).encode()).hexdigest()


def note(folder: Path, **changes: Any) -> None:
    """Change keys of the manifest in a folder."""
    stored = _read(folder)
    if stored != stored | changes:
        write(folder, stored | changes)


def finish(folder: Path) -> None:
    """Record that the run is complete, unless that is recorded already."""
    stored = _read(folder)
    if stored["finished"] is None:
        write(folder, stored | {"finished": now()})


def ask(folder: Path, columns: tuple[str, ...]) -> None:
    """Record columns of the log that were requested, in addition to those requested before."""
    note(folder, asked_columns=list(dict.fromkeys([*read(folder)["asked_columns"], *columns])))


def now() -> str:
    """Return the current time (UTC) in ISO format, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def differences(stored: Mapping[str, Any], requested: Mapping[str, Any]) -> list[str]:
    """Return why a folder's run cannot continue as the requested one; more deals alone are no reason."""
    changes = source_digests.others(stored, requested)
    begun = "it was begun with {0.what} {0.was}, this is {0.here}"
    reasons = [begun.format(change) for change in changes if change.was]
    reasons += [*_other_keys(stored, requested)] or [*_other_cells(stored, requested)]
    if not reasons:  # other keys imply other sources, so sources are named only if nothing else differs
        reasons = [f"{change.what} changed since it began" for change in changes[:1]]
    return [*reasons, *(["its log has other columns"] if stored["columns"] != requested["columns"] else [])]


def _other_keys(stored: Mapping[str, Any], requested: Mapping[str, Any]) -> Iterator[str]:
    before, now = stored["experiment"], requested["experiment"]
    for key in dict.fromkeys([*before, *now]):
        if before.get(key) != now.get(key) and not (key == "deals" and _may_play(stored, requested)):
            yield f"its key '{key}' is {_brief(before.get(key))}, here it is {_brief(now.get(key))}"
    for name in dict.fromkeys([*stored["files"], *requested["files"]]):
        if stored["files"].get(name) != requested["files"].get(name):
            yield f"it was played with other contents of the designer's file for {name}"


def _other_cells(stored: Mapping[str, Any], requested: Mapping[str, Any]) -> Iterator[str]:
    """Yield how the numbering of the cells differs: the same sweep may be crossed in another order."""
    before, now = stored["experiment"].get("sweep", {}), requested["experiment"].get("sweep", {})
    if before == now and list(before) != list(now):
        yield f"its [sweep] has the keys in the order {', '.join(before)}, here {', '.join(now)}"
    elif before == now and len(stored["cells"]) == len(requested["cells"]):
        pairs = zip(stored["cells"], requested["cells"], strict=True)
        if any(old | {"deals": 0} != new | {"deals": 0} for old, new in pairs):
            yield "its cells are others"


def _may_play(stored: Mapping[str, Any], requested: Mapping[str, Any]) -> bool:
    """Return whether a run may change its number of deals.

    More deals extend it. Fewer are possible if it has not finished since it was extended from that number.
    Runs with sequential stopping keep their number.
    """
    before, now = stored["experiment"]["deals"], requested["experiment"]["deals"]
    stopping_rules = {"until_width", "until_verdict", "until_elo", "until_outclassed"}
    adaptive = stopping_rules & requested["experiment"].keys()
    back = stored["finished"] is None and now in stored["spans"]
    return not adaptive and bool(now > before or back)


def with_deals(stored: Mapping[str, Any], requested: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stored manifest with the deals of the requested one."""
    changed = {name: requested[name] for name in ("experiment", "cells", "command")}
    spans, deals = stored["spans"], requested["experiment"]["deals"]
    if deals not in spans:
        spans = [*(end for end in spans if end <= stored["experiment"]["deals"]), deals]
    return {**stored, **changed, "spans": spans, "finished": None}


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False) if value is not None else "not given"
    return text if len(text) <= MAX_VALUE_LENGTH else f"{text[:MAX_VALUE_LENGTH]}…"

"""Pages of runs, and the dials on them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from simkit.ask import luck
from simkit.ask.arguments import Location, Shell
from simkit.ask.question import checked
from simkit.ask.results import AnyRun, findings
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.learned.file import file_digests, other_tables
from simkit.engine.lineups import Named, parse_strategy
from simkit.engine.rng import sub_seed
from simkit.engine.strategy import PERSON, Strategy
from simkit.engine.table import Player
from simkit.errors import UsageError, WebError, brief
from simkit.page import document
from simkit.page.document.parts import Report
from simkit.page.recipe import Recipe, recipe_for
from simkit.page.words.commands import command_again
from simkit.page.words.labels import Labels
from simkit.page.words.numbers import seat_name
from simkit.page.words.verdicts import verdict_scale
from simkit.runs import source_digests
from simkit.runs.experiment import Seconds
from simkit.runs.folder import Run, from_here, open_partly
from simkit.runs.plan import Cell, read_files
from simkit.runs.storage import remote
from simkit.runs.table_files import is_file
from simkit.tables.findings import Findings
from simkit.tables.length import lengths
from simkit.tables.rungs import MILLISECONDS, Ladder, ladder_findings
from simkit.web import Start, Training, WebModule, make, page_parts

Form = Literal["html", "md", "json", "pdf"]
PRINTED = "-"  # in place of a file
Tables = dict[tuple[str, int], Named]  # label and number of seats of the players at tables


@dataclass
class Page:
    """A page: the report, the path of its file, and why it has no dials, if so."""

    report: Report
    path: Path
    no_dials: str = ""
    run: Run | None = None  # None for the page of a lock file
    pictures: dict[str, Path] = field(default_factory=dict)
    text: str = ""  # of a page without a file

    def __repr__(self) -> str:
        return from_here(self.path).as_posix()

    def _repr_html_(self) -> str:
        page = escape(document.as_text(replace(self.report, insert={}), "html", {}))
        return f'<iframe srcdoc="{page}" title="Report" width="100%" height="900" style="border:0"></iframe>'


@checked
def report(
    run: Annotated[AnyRun, Shell(metavar="RUN", positional=True)],
    file: Annotated[Location, Shell("-o --out", metavar="FILE", output=True)] | None = None,
    recipe: Annotated[str, Shell(metavar="NAME")] = "",
    all_strategies: bool = False,
    *,
    form: Annotated[Form, Shell("--format")] | None = None,
    figures: Annotated[Location, Shell(metavar="DIR")] | None = None,
    one_page: bool = False,
    seconds_per_decision: Annotated[Seconds, Shell(metavar="S")] | None = None,
    luck_study: Annotated[int, Field(ge=luck.FEWEST), Shell(metavar="N")] | None = None,
) -> Page:
    """Write the report page of a run.

    The page suits the question: one setting, a sweep, rules compared, strategies that met, or what the
    experiment asks for (key report). The page of an unfinished run covers the games played so far. A PDF
    needs Chromium, Chrome or Edge. The result of a luck study stays in the run folder, so later pages have
    it, too.

    Args:
        run: A run, its result, or its folder.
        file: File to write; by default report.html (or RECIPE.html) in the run folder. With -
            the command prints the page instead of writing a file.
        recipe: Page to write, in place of the one that suits the run.
        all_strategies: Let the dials of an HTML page choose among all strategies of the game; compile what is
            not compiled yet. The reader of such a page, and of a run with a trace, may take a seat.
        form: Format of the page; by default that of the file's name, else html.
        figures: Folder into which the figures are written as PNG files, too.
        one_page: Whether to write a PDF of the brief only.
        seconds_per_decision: Seconds that a decision takes; the page then has the minutes at the table.
        luck_study: Number of deals to play again, to measure how much of winning is luck, and which.

    Returns:
        The page, with the path of its file; a notebook shows it.

    Example:
        >>> page = report(match("pig", "hold_at(threshold=20)", "random", deals=200))
        >>> page.path.name
        'report.html'

    Command line::

        simkit report runs/pig --format md --figures pictures
    """
    played = open_partly(run) if isinstance(run, str | Path) else findings(run).run
    if seconds_per_decision is not None:
        keys = {"seconds_per_decision": seconds_per_decision}
        played = replace(played, experiment=played.experiment.model_copy(update=keys))
    if luck_study is not None:
        luck.write(played, luck_study)
        remote.upload(played.folder)
    out = str(file) if file else ""
    form_name = _form(form, out, one_page)
    if figures and remote.is_address(str(figures)):
        raise UsageError(f"--figures {figures}: figures are written on this machine; name a folder here")
    chosen = registry.recipe(recipe or recipe_for(played))
    page, no_dials = page_of(Findings(played), chosen, form_name, all_strategies)
    pictures = {} if figures is None else document.write_figures(page, str(figures))
    if out == PRINTED:
        links = {name: path.as_posix() for name, path in pictures.items()}
        text = document.as_text(page, form_name, links)
        return Page(page, Path(), no_dials, played, pictures, text)
    if os.path.islink(out):
        out = os.path.realpath(out)  # a link that somebody names stays a link
    out = out or str(played.folder / f"{recipe or 'report'}.{form_name}")
    with remote.page(out) as local:
        document.write(page, local, form_name, pictures, one_page)
    return Page(page, Path(out), no_dials, played, pictures)


def write_page(findings: Findings) -> Path:
    """Write the page that suits a run into its folder; return its path, or its address."""
    run = findings.run
    page, _ = page_of(findings, registry.recipe(recipe_for(run)), "html")
    path = run.folder / "report.html"
    with remote.page(str(path)) as local:
        document.write(page, local)
    return path


def _form(form: str | None, out: str, one_page: bool) -> str:
    """Return the format of the page: the given one, else that of the file's name."""
    form = form or ("pdf" if one_page else document.format_of(out or None))
    if one_page and form != "pdf":
        raise UsageError(f"--one-page is for a PDF, not for {form}: leave out --format, or say --format pdf")
    return form


# Dials: a module of the game and its players, if these are here as they were played.

CURE = "play it again for a page with dials"
OTHER = "{0.what} changed since the run was played; " + CURE
OTHER_VERSION = "the run was played with {0.what} {0.was}, this is {0.here}; " + CURE
BASE_WORDS = {"rulebook": ("the printed rules", "printed"), "usual rules": ("the usual rules", "usual")}
BASELINE = ("the baseline", "baseline")


def page_of(
    findings: Findings, recipe: Recipe, form: str, every_strategy: bool = False
) -> tuple[Report, str]:
    """Return the page of a run, as HTML with its dials, and the reason if it lacks them; see `dials_of`.

    The module is made while the page is built: LLVM and Polars run beside other threads.
    """
    if form != "html":
        return recipe.build(findings), ""
    with ThreadPoolExecutor(1) as thread:
        dials = thread.submit(dials_of, findings.run, every_strategy)
        page = recipe.build(findings)
    insert, reason = dials.result()
    return replace(page, insert=insert), reason


def dials_of(run: Run, every_strategy: bool = False) -> tuple[dict[str, str], str]:
    """Return the dials of a run's page, or nothing and the reason with its cure.

    Args:
        run: the run.
        every_strategy: whether to compile strategies of the game that the run does not play, too; else those
            that are compiled already are on the page.
    """
    try:
        return _dials(run, every_strategy), ""
    except (UsageError, WebError) as error:
        return {}, str(error)
    except Exception as error:  # a page is written whatever goes wrong with its dials
        return {}, brief(error)


def _dials(run: Run, every_strategy: bool) -> dict[str, str]:
    _check_sources(run)
    game, rungs = registry.game(run.experiment.game), _rungs(run)
    tables = rungs | {(str(named), cell.seats): named for cell in run.cells for named in cell.lineup}
    players = _players(game, tables)
    if PERSON.name in players:
        raise UsageError("a person played, whom a page cannot ask; play other lineups for a page with dials")
    if run.role:
        raise UsageError("a page with dials counts seats, no roles; leave out --role for one")
    strategies = _strategies(game, {name for name, _ in players.values()})
    played = [(name, player) for name, by_seats in players.values() for player in by_seats.values()]
    seat = bool(run.experiment.trace) and not run.manifest.outstanding  # the first page comes soon
    web_module = make(game, strategies, every_strategy, played, seat)
    cell = _first_cell(run, web_module, players)
    alike = len(set(cell.labels)) == 1
    lineup = _strongest(web_module, rungs, cell.seats) * cell.seats if alike else []
    files = read_files(run.experiment, cell.varied)
    digests = file_digests(run.experiment.files_of(cell.varied))
    swept = {
        name: list(dict.fromkeys(cell.varied[name] for cell in run.cells)) for name in _swept_options(run)
    }
    start = Start(
        run.experiment.seed, cell.options, files, swept, lineup or cell.labels, players,
        _texts(run, cell, players, files) | {"plays_on": alike}, _training(game, tables, digests),
    )  # fmt: skip
    return page_parts(game, web_module, start)


def _rungs(run: Run) -> Tables:
    """Return the players of the run's ladder that do not search, the strongest that is fast enough first."""
    ladder = ladder_findings(Findings(run))
    if ladder is None or _change(ladder.run):
        return {}
    rungs = [rung.strategy for rung in ladder.run.answer_of(Ladder).rungs if not rung.searches]
    times = ladder.run.manifest.machine.get(MILLISECONDS, {})
    decisions = lengths(ladder).filter(measure="decisions")["mean"].to_list()
    labels = fast_first(reversed(rungs), times, max(decisions))
    return {(label, ladder.run.cells[0].seats): parse_strategy(label)[0] for label in labels}


PROMPT_GAMES, PATIENCE = 2_000, 900  # games that an open dial plays at once; milliseconds that these may take


def fast_first(labels: Iterable[str], times: Mapping[str, float], decisions: float) -> list[str]:
    """Return players in their order, but those behind whose games take long.

    Args:
        labels: the players.
        times: milliseconds of a decision, by label.
        decisions: of a game.

    >>> fast_first(["learned", "greedy"], {"learned": 0.035, "greedy": 0.002}, 50)
    ['greedy', 'learned']
    >>> fast_first(["learned", "greedy"], {"learned": 0.035, "greedy": 0.002}, 5)
    ['learned', 'greedy']
    """
    return sorted(labels, key=lambda label: times.get(label, 0) * decisions * PROMPT_GAMES > PATIENCE)


def _strongest(web_module: WebModule, rungs: Tables, seats: int) -> list[str]:
    """Return the first of the rungs for this number of seats that is in the module, if any is."""
    names = {entry["name"] for entry in web_module.layout["strategies"]}
    return [label for (label, size), named in rungs.items() if size == seats and named.name in names][:1]


def _check_sources(run: Run) -> None:
    """Refuse a run whose rules, tables or strategies are not those on this machine."""
    if change := _change(run):
        raise UsageError((OTHER_VERSION if change.was else OTHER).format(change))


def _change(run: Run) -> Any:
    """Return the first of these that is another one now; None if there is none."""
    whole = replace(run.plan, cells=run.manifest.cells)
    current = source_digests.Origin(sources=source_digests.digests(whole))
    if current.sources == run.manifest.sources:
        return None
    return next(iter(source_digests.others(run.manifest, current)))


def _players(game: Game, tables: Tables) -> dict[str, tuple[str, dict[int, Player]]]:
    """Return by label the name of a strategy, and its player by the number of seats at its tables."""
    players = dict[str, tuple[str, dict[int, Player]]]()
    for (label, seats), named in tables.items():
        players.setdefault(label, (named.name, {}))[1][seats] = registry.player(game, named, seats)
    return players


def _training(game: Game, tables: Tables, digests: Mapping[str, str]) -> dict[str, dict[int, Training]]:
    """Return for which rules players were trained, by label and number of seats.

    digests: of the designer's own tables, by name.
    """
    trained = dict[str, dict[int, Training]]()
    options = {option.name: option for option in game.options}
    for (label, seats), named in tables.items():
        for player in registry.trained_players(game, named, seats):
            rules = player.meta.rules
            values = rules.varied | {name: [value] for name, value in rules.fixed.items()}
            numbers = {
                name: [option.number(value) for value in values[name]]
                for name, option in options.items()
                if name in values
            }
            trained.setdefault(label, {})[seats] = Training(numbers, other_tables(player, digests))
    return trained


def _strategies(game: Game, played: set[str]) -> list[Strategy]:
    """Return the strategies among which a page may choose, those of the run first."""
    others = [name for name in registry.scripted(game) if name not in played]
    return [registry.strategy(game, name) for name in [*sorted(played), *others]]


def _first_cell(
    run: Run, web_module: WebModule, players: Mapping[str, tuple[str, Mapping[int, Player]]]
) -> Cell:
    """Return the cell with which the dials start: of the baseline, if its players are in the module.

    Learned players, which are stronger, come before others.
    """
    names = {entry["name"] for entry in web_module.layout["strategies"]}
    playable = [cell for cell in run.cells if all(player.name in names for player in cell.lineup)]
    if not playable:
        played = {player.name for cell in run.cells for player in cell.lineup}
        reasons = (f"{name} {reason}" for name, reason in web_module.refused.items() if name in played)
        raise WebError("; ".join(reasons))
    learned = [
        cell for cell in playable if any(players[label][1][cell.seats].net.size for label in cell.labels)
    ]
    first = learned or playable
    return next((cell for cell in first if cell.baseline), first[0])


def _swept_options(run: Run) -> list[str]:
    """Return the options that the run varies, other than files."""
    return [name for name in run.words.options if name in run.cells[0].varied and not is_file(name)]


def _texts(run: Run, start: Cell, players: Mapping[str, Any], files: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page calls things, and what it judges by; start: the cell of the dials at first."""
    labels, game = Labels(run), registry.game(run.experiment.game)
    words, head = BASE_WORDS.get(labels.base, BASELINE)
    if not (start.baseline or labels.is_printed(start.options)):
        words, head = labels.setting(start.options), "at first"
    return {
        "players": {label: labels.strategy(label) for label in players},
        "seat_names": [seat_name(seat) for seat in range(game.max_seats)],
        "base_words": words,
        "base_head": head,
        "turns_of": run.words.turns_of,
        "margin": run.experiment.margin,
        "target": run.cells[0].target,
        "judged": run.judged,
        "scale": verdict_scale(run),
        "score": run.words.score,
        "end_reasons": {int(reason): labels.name(reason.name, "end_reason") for reason in game.end_reasons},
        "fresh_seed": str(sub_seed(run.experiment.seed, "dials")),
        "command": command_again(run).split(),
        "files": [[name, path] for name, path in run.experiment.files.items() if name in files],
    }

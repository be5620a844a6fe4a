"""Pages that play, for the site: `python docs/live_pages.py site` plays a run for each and writes its page.

The first page answers the flagship's question and leads to the others. Runs that are there already are not
played again; `make site` deletes them first.
"""

import sys
from collections.abc import Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.environment import TemplateModule

import simkit
from simkit.ask.report import Page
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.page.document.parts import Report
from simkit.runs.experiment import Experiment
from simkit.runs.plan import load

# Commands on a page name its run folder as seen from here: runs/EXPERIMENT, as for one who plays it at home.
WORKSHOP = Path("runs/site")
START = "index"
# The experiment of each page, and the deals of each cell where the site plays fewer than the experiment.
PAGES: dict[str, tuple[str, int | None]] = {
    START: ("outpost_seven_opening", None),
    "outpost": ("outpost_upgrades", 2_000),
    "red_outpost": ("red_outpost_seats", 1_000),
    "lunar_outpost": ("lunar_outpost_seats", 1_000),
    "exoplanet_colony": ("exoplanet_colony_difficulty", 1_000),
    "pig": ("pig_first_seat", 10_000),
}
MAX_PAGE_BYTES = 1_000_000
TRACED = 20  # deals: the page of a run with a trace shows games and has a seat for the reader


@dataclass(frozen=True)
class LivePage:
    """A page of the site and the run that it is about."""

    name: str  # of its file
    experiment: str
    deals: int  # of each cell
    usual_deals: int  # that the experiment asks for
    report: Report
    text: str

    @property
    def link(self) -> str:
        """Return the address of the page, from any other."""
        return f"{self.name}.html"


def live_page(name: str, most_deals: int | None) -> LivePage:
    """Play the run of a page, or open it, and build the page."""
    experiment, deals = PAGES[name]
    request = load(registry.experiments()[experiment])
    deals = min(filter(None, (request.deals, deals, most_deals)))
    result = simkit.run(_smaller(request, deals), out=f"runs/{experiment}")
    page = simkit.report(result)
    _check(page)
    text = page.path.read_text(encoding="utf-8")
    return LivePage(name, experiment, deals, request.deals, page.report, text)


def _smaller(request: Experiment, deals: int) -> Experiment:
    """Return an experiment with so many deals of each cell, and no more of each rung of its ladder."""
    keys: dict[str, Any] = {"deals": deals, "trace": request.trace or TRACED}
    if request.skill:
        keys["skill"] = request.skill.model_copy(update={"deals": min(request.skill.deals, deals)})
    return request.with_keys(**keys)


def _check(page: Page) -> None:
    if page.no_dials:
        raise UsageError(f"{page.path}: the page does not play: {page.no_dials}")
    if page.path.stat().st_size > MAX_PAGE_BYTES:
        raise UsageError(f"{page.path}: larger than {MAX_PAGE_BYTES:,} bytes")


def frame(page: LivePage, pages: Sequence[LivePage], parts: TemplateModule) -> str:
    """Return the text of a page with what leads to the others, from the macros of a template."""
    added = {"</head>": parts.style(), "<main>": parts.top(page, pages)}  # type: ignore[attr-defined]
    if page.name == START:
        added['<nav aria-label="Contents">'] = parts.others(pages)  # type: ignore[attr-defined]
    text = page.text
    for mark, markup in added.items():
        text = text.replace(mark, f"{markup}{mark}", 1)
    return text


def live_pages(most_deals: int | None) -> list[LivePage]:
    """Play the runs of all pages, or open them, and build the pages."""
    WORKSHOP.mkdir(parents=True, exist_ok=True)
    pages = []
    with chdir(WORKSHOP):
        for name, (experiment, _) in PAGES.items():
            print(f"{name}.html: simkit run {experiment}", flush=True)
            pages.append(live_page(name, most_deals))
    return pages


def write_site(folder: Path, most_deals: int | None = None) -> None:
    """Write all pages into a folder; `most_deals` makes the runs smaller than those of the site."""
    pages = live_pages(most_deals)
    folder.mkdir(parents=True, exist_ok=True)
    templates = FileSystemLoader(Path(__file__).parent / "templates")
    environment = Environment(loader=templates, autoescape=True, undefined=StrictUndefined)
    environment.trim_blocks = environment.lstrip_blocks = True
    parts = environment.get_template("live_pages.html").module
    for page in pages:
        (folder / page.link).write_text(frame(page, pages, parts), encoding="utf-8")


if __name__ == "__main__":
    write_site(Path(sys.argv[1]), *map(int, sys.argv[2:]))

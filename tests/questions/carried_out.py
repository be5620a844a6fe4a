"""Set-up of the tests of studies: a study carried out in a folder, and a project with one game."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from simkit.ask.study import Study
from simkit.engine import registry
from simkit.runs import runner
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run, open_run
from simkit.tables.findings import Findings


def findings_of(study: Study, folder: Path) -> Findings:
    """The findings of a study that is carried out in a folder."""

    def play(experiment: Experiment, name: str) -> Run:
        return open_run(runner.run(experiment, folder / name))

    study.check()
    study.solve(play)
    return Findings(open_run(folder))


@contextmanager
def project_with(name: str, source: str, folder: Path) -> Iterator[Path]:
    """A project whose only game has that source."""
    (folder / "games").mkdir()
    (folder / "games" / f"{name}.py").write_text(source)
    before = registry.projects()
    registry.add_project(folder)
    yield folder
    registry.set_projects(before)

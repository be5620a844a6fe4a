"""A question is declared once: its two files give the function and the command, the rest is made of them."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import simkit as sk
from simkit import questions
from simkit.ask.arguments import shared_meanings
from simkit.cli import cli
from simkit.runs.experiment import Experiment
from simkit.runs.plan import USUAL_TARGET
from tests import declarations

RESEAT = '''"""Questions: Swap two strategies between the seats."""

from typing import Annotated

from simkit.ask.arguments import Keywords, Shell, Word
from simkit.ask.execution import Execution
from simkit.ask.question import question
from simkit.ask.requests import ask
from simkit.ask.results import Result, answer
from simkit.runs.experiment import Deals
from typing import Unpack


@question()
def reseat(
    execution: Execution,
    game: Word,
    *,
    bold: bool = False,
    part: Annotated[float, Shell(metavar="P")] = 0.5,
    deals: Deals = 40,
    **keywords: Unpack[Keywords],
) -> Result:
    """Swap two strategies between the seats.

    You get what the reseat changes.

    Args:
        game: Name of the game.
        bold: Whether to reseat all of them.
        part: Part of the deals.
        deals: Deals per cell.

    Command line::

        simkit reseat pig --bold
    """
    return answer(execution, ask(game, f"What does a reseat change ({part})?", {**keywords, "deals": deals}))
'''


@pytest.mark.parametrize(
    "path, text", list(declarations.texts()), ids=lambda value: getattr(value, "name", "")
)
def test_the_stub_and_the_manuals_say_what_is_declared(path: Path, text: str) -> None:
    missing = set(text.splitlines()) - set(path.read_text().splitlines())
    assert path.read_text() == text, f"make stubs; missing in {path.name}: {sorted(missing)}"


def test_the_meanings_of_shared_keywords_name_the_defaults_of_experiments() -> None:
    usual = {name: Experiment.model_fields[name].default for name in ("seed", "margin")}
    for name, default in (usual | {"target": USUAL_TARGET}).items():
        assert shared_meanings()[name].endswith(f"; {default:g} by default.")


def test_the_help_of_run_names_no_default_where_that_of_the_experiment_holds() -> None:
    help_text = " ".join(CliRunner().invoke(cli, ["run", "--help"]).output.split())
    assert "by default" not in help_text.partition(" --set ")[0]
    assert "fair, in place of the experiment's margin." in help_text


def test_a_new_question_needs_its_own_file_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "reseat.py").write_text(RESEAT)
    monkeypatch.setattr(questions, "__path__", [*questions.__path__, str(tmp_path)])
    monkeypatch.chdir(tmp_path)
    help_text = CliRunner().invoke(cli, ["reseat", "--help"]).output
    for words in (
        "Swap two strategies",
        "You get what",
        "--bold",
        "--part P",
        "--lineup A,B,...",
        "Example:  simkit reseat pig",
    ):
        assert words in help_text
    assert "reseat       Swap two strategies between the seats." in CliRunner().invoke(cli, ["--help"]).output
    assert sk.reseat("pig", part=0.25, progress=False).question == "What does a reseat change (0.25)?"
    heard = CliRunner().invoke(cli, ["reseat", "pig", "--part", "0.75", "--deals", "20"])
    assert heard.exit_code == 0 and "report: simkit report runs/reseat-pig-part-0.75-deals-20" in heard.output

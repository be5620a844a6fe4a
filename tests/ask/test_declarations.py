"""A question is declared once: its two files give the function and the command, the rest is made of them."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import simkit as sk
from simkit import questions
from simkit.cli import cli
from tests import declarations

SWAP = '''"""Questions: Swap two strategies between the seats."""

from typing import Annotated

from simkit.ask.arguments import Keywords, Shell, Word
from simkit.ask.execution import Execution
from simkit.ask.question import question
from simkit.ask.requests import ask
from simkit.ask.results import Result, answer
from simkit.runs.experiment import Deals
from typing import Unpack


@question()
def swap(
    execution: Execution,
    game: Word,
    *,
    bold: bool = False,
    part: Annotated[float, Shell(metavar="P")] = 0.5,
    deals: Deals = 40,
    **keywords: Unpack[Keywords],
) -> Result:
    """Swap two strategies between the seats.

    You get what the swap changes.

    Args:
        game: Name of the game.
        bold: Whether to swap all of them.
        part: Part of the deals.
        deals: Deals per cell.

    Command line::

        simkit swap pig --bold
    """
    return answer(execution, ask(game, f"What does a swap change ({part})?", {**keywords, "deals": deals}))
'''


@pytest.mark.parametrize(
    "path, text", list(declarations.texts()), ids=lambda value: getattr(value, "name", "")
)
def test_the_stub_and_the_manuals_say_what_is_declared(path: Path, text: str) -> None:
    missing = set(text.splitlines()) - set(path.read_text().splitlines())
    assert path.read_text() == text, f"make stubs; missing in {path.name}: {sorted(missing)}"


def test_a_new_question_needs_its_own_file_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "swap.py").write_text(SWAP)
    monkeypatch.setattr(questions, "__path__", [*questions.__path__, str(tmp_path)])
    monkeypatch.chdir(tmp_path)
    help_text = CliRunner().invoke(cli, ["swap", "--help"]).output
    for words in (
        "Swap two strategies",
        "You get what",
        "--bold",
        "--part P",
        "--lineup A,B,...",
        "Example:  simkit swap pig",
    ):
        assert words in help_text
    assert "swap         Swap two strategies between the seats." in CliRunner().invoke(cli, ["--help"]).output
    assert sk.swap("pig", part=0.25, progress=False).question == "What does a swap change (0.25)?"
    heard = CliRunner().invoke(cli, ["swap", "pig", "--part", "0.75", "--deals", "20"])
    assert heard.exit_code == 0 and "report: simkit report runs/swap-pig-part-0.75-deals-20" in heard.output

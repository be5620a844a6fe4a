"""The wheel, the notebook and the documentation site."""

import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def call(*words: object, cwd: Path = ROOT) -> str:
    done = subprocess.run(list(map(str, words)), cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sdist and wheel, built as for the package index."""
    folder = tmp_path_factory.mktemp("dist")
    call(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    return folder


@pytest.fixture(scope="module")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new virtual environment with the wheel; dependencies are those of this one."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    call(folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-deps", next(dist.glob("*.whl")))
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))  # not its own .pth files
    return folder / "bin"


def test_the_packages_pass_the_check_of_the_index(dist: Path) -> None:
    assert call(sys.executable, "-m", "twine", "check", "--strict", *dist.iterdir()).count("PASSED") == 2


def test_the_wheel_has_one_package_and_the_licence(dist: Path) -> None:
    names = zipfile.ZipFile(next(dist.glob("*.whl"))).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"simkit"}
    assert any(name.endswith("licenses/LICENSE") for name in names) and "simkit/py.typed" in names


def test_an_installed_simkit_plays_and_reports_in_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    where = call(installed / "python", "-c", "import simkit; print(simkit.__file__)", cwd=tmp_path)
    assert where.startswith(str(installed.parent))
    assert "outpost_seven" in call(installed / "simkit", "games", cwd=tmp_path)
    assert "hold_at" in call(installed / "simkit", "strategies", "pig", cwd=tmp_path)
    call(installed / "simkit", "run", "pig_first_seat", "--deals", "100", cwd=tmp_path)
    call(installed / "simkit", "report", "runs/pig_first_seat", cwd=tmp_path)
    assert "Pig" in (tmp_path / "runs" / "pig_first_seat" / "report.html").read_text()


def test_an_installed_simkit_gates_reads_sheets_and_playtests_and_opens_its_doors(
    installed: Path, tmp_path: Path
) -> None:
    def simkit(*words: str) -> str:
        return call(installed / "simkit", *words, cwd=tmp_path)

    simkit("lock", "pig", "--claim", "turns 5 to 90", "--deals", "1000")
    simkit("gate", "--markdown", "balance.md", "--junit", "balance.xml")
    simkit("history", "balance.lock")
    assert {"balance.md", "balance.xml", "balance.html"} <= {file.name for file in tmp_path.iterdir()}
    (tmp_path / "cards.csv").write_text(simkit("cards", "outpost_seven"))
    printed = (tmp_path / "cards.csv").read_text()
    (tmp_path / "mine.csv").write_text(printed.replace("population,1,", "population,6,", 1))
    assert "1 → 6" in simkit("diff", "cards.csv", "mine.csv")
    (tmp_path / "evenings.csv").write_text("seat_1,seat_2,winner\nAnna,Ben,Anna\nBen,Anna,Anna\n")
    assert "2 playtests" in simkit("playtests", "pig", "evenings.csv", "--deals", "100")
    code = "from simkit.interop import open_spiel, pettingzoo; pettingzoo.env('pig').reset(1); "
    code += "print(open_spiel.load('kuhn_poker').new_initial_state())"
    assert call(installed / "python", "-c", code, cwd=tmp_path)


def test_content_of_the_wheel_leaves_packages_of_the_same_names_alone(
    installed: Path, tmp_path: Path
) -> None:
    (tmp_path / "strategies.py").write_text("mine = True\n")
    code = "import strategies, simkit.content.strategies.pig; print(strategies.mine)"
    assert call(installed / "python", "-c", code, cwd=tmp_path) == "True\n"


def test_the_notebook_runs(tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(ROOT / "experiments" / "outpost_seven.ipynb", 4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    NotebookClient(notebook, timeout=1200, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("image/png" in output.get("data", {}) for output in shown) == 2


def test_the_documentation_builds_without_a_warning(tmp_path: Path) -> None:
    call(sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-c", "docs", ".", tmp_path)
    assert "simkit.sweep" in (tmp_path / "docs" / "api.html").read_text()
    pages = "".join(page.read_text() for page in tmp_path.rglob("*.html"))
    loaded = re.findall(
        r'<(?:script|img)[^>]* src="(http[^"]*)|<link rel="stylesheet" href="(http[^"]*)', pages
    )
    assert not loaded  # nothing comes from the network

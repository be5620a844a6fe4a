"""Whatever a run calls things, its page shows it as text; a run folder may be anybody's."""

import json
import re
from html.parser import HTMLParser

import matplotlib.font_manager  # noqa: F401  # makes its own cache of fonts, once, when it is first imported
import pytest
from hostile import LONGER, MARKUP, PLAIN, call, fuzz, writes_only_below
from hypothesis import strategies as st

from simkit.runs import manifest
from simkit.runs.manifest import Manifest

REQUEST = 'question = "Who?"\ngame = "pig"\ndeals = 20\nlineups = ["hold_at, hold_at(threshold=9)"]\n[sweep]\ngoal = [9, 12]\n'
PLAYER = "hold_at(threshold=9)"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """A small run of two settings and two strategies, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "asked.toml").write_text(REQUEST)
    assert call(capsys, "run", "asked.toml", "-o", "run").code == 0
    return tmp_path / "run"


class Elements(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.scripts, self.is_data = set(), set(), [], False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}
        self.is_data = ("id", "dials-data") in attributes

    def handle_data(self, data):
        if self.lasttag == "script" and not (self.is_data and BASE64.fullmatch(data)):
            self.scripts.append(data)


def texts_of(value, path=()):
    """Where texts stand in a manifest: the keys that lead to each of them."""
    if isinstance(value, str):
        yield path
    for key, part in (
        value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else [])
    ):
        yield from texts_of(part, (*path, key))


def changed(built, path, text):
    """A manifest with another text in one place."""
    copy = json.loads(json.dumps(built))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = text
    return copy


BASE64 = re.compile(r"[A-Za-z0-9+/]*=*")  # as which the dials keep the texts of a run
TEXT = st.sampled_from(MARKUP) | PLAIN


@pytest.mark.slow
@pytest.mark.drawn
@pytest.mark.proof("page", "reports", "cli", "games.pig", "strategies.pig")
def test_the_words_of_a_run_stay_text_on_its_page(run, capsys):
    built = manifest.read(run).model_dump()
    places = [("words", *path) for path in texts_of(built["words"])]
    places += [("command",), *(("columns", *path) for path in texts_of(built["columns"]))]
    plain = Elements(_page(run, capsys))

    def promise(change):
        manifest.write(run, Manifest.model_validate(changed(built, *change)))
        page = Elements(_page(run, capsys))
        assert page.tags <= plain.tags | {"text", "tspan"}
        assert not {name for name in page.attributes - plain.attributes if name != "title"}
        assert page.scripts == plain.scripts

    fuzz(LONGER.few, st.tuples(st.sampled_from(places), TEXT), promise)


def _page(run, capsys):
    with writes_only_below(run.parent):
        assert call(capsys, "report", str(run), "-o", "page.html").code == 0
    return (run.parent / "page.html").read_text("utf-8")


PAGES = [("balance", "html"), ("strategies", "html"), ("strategies", "md"), ("balance", "json")]


@pytest.mark.slow
@pytest.mark.drawn
@pytest.mark.parametrize("recipe, form", PAGES)
def test_markup_in_every_name_at_once_is_text_in_every_format(run, capsys, recipe, form):
    mark = "<img src=x onerror=alert(1)>\"'`|$\\frac{1$"
    request = (
        REQUEST.replace('"Who?"', json.dumps(mark)) + f"[called]\n{json.dumps(PLAYER)} = {json.dumps(mark)}\n"
    )
    (run.parent / "asked.toml").write_text(request)
    assert call(capsys, "run", "asked.toml", "-o", "marked").code == 0
    run = run.parent / "marked"
    result = manifest.read(run).model_dump()
    for path in texts_of(result["words"]):
        if path[-1] in ("label", "meaning", "title", "summary"):
            result["words"] = changed(result["words"], path, mark)
    manifest.write(run, Manifest.model_validate(result))
    words = ["-o", f"page.{form}", "--figures", "figures"]
    assert call(capsys, "report", str(run), "--recipe", recipe, *words).code == 0
    text = (run.parent / f"page.{form}").read_text("utf-8")
    if form == "json":
        assert json.loads(text)["question"] == mark
    else:
        sentence = re.sub(
            r"^(`{3,})\n.*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL
        )  # but for blocks of code
        assert "onerror=alert(1)" in sentence and "<img" not in sentence
    assert all(path.suffix == ".png" for path in (run.parent / "figures").iterdir())


def test_code_beside_a_run_and_in_its_folder_is_never_run(run, capsys):
    """Neither the folder of a run nor that from which simkit is called is searched for games or recipes."""
    trap = "raise SystemExit('executed')\n"
    for folder in (run, run.parent):
        for name in ("games", "strategies", "reports", "simkit"):
            (folder / name).mkdir(exist_ok=True)
        for name in (
            "games/pig.py",
            "strategies/pig.py",
            "reports/balance.py",
            "simkit/__init__.py",
            "conftest.py",
        ):
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(trap)
    assert call(capsys, "report", str(run)).code == 0
    assert call(capsys, "replay", str(run), "0").code == 0

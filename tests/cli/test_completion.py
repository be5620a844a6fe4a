"""The tab key completes commands, options and the names of content, and never prints a traceback."""

import pytest

from simkit import cli
from simkit.engine import registry


@pytest.fixture
def completed(tmp_path, monkeypatch, capsys):
    """What the shell offers for a line, whose last word is being typed."""

    def complete(line, shell="bash"):
        words = line.replace("=", " = ").replace(":", " : ").split() if shell == "bash" else line.split()
        words += [""] if line.endswith((" ", "=")) else []
        environment = {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
        environment |= {"_SIMKIT_COMPLETE": f"{shell}_complete"}
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(tmp_path)
        with pytest.raises(SystemExit):
            cli.main([])
        registry.set_projects([])  # as in a process of its own
        text = capsys.readouterr()
        assert text.err == ""
        words = text.out.split()
        return [first.removeprefix("plain,") for first in (words[1::3] if shell == "zsh" else words)]

    return complete


@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("simkit sw", ["sweep"]),
        ("simkit --ver", ["--version"]),
        ("simkit play out", ["outpost", "outpost_seven"]),
        ("simkit play pig --as", ["--as-seat"]),
        ("simkit play pig --lineup ho", ["hold_at"]),
        ("simkit play pig --lineup hold_at,ra", ["hold_at,random"]),
        ("simkit sweep pig go", ["goal=100"]),
        ("simkit sweep pig goal=", ["100"]),
        ("simkit play outpost_seven --set start_rule=keep_", ["keep_exact", "keep_at_most", "keep_count"]),
        ("simkit report somewhere --format h", ["html"]),
        ("simkit run outpost_t", ["outpost_two_players"]),
        ("simkit play chess --lineup ", []),
        ("simkit play 'pi", ["pig"]),
        ("simkit --project nowhere play pi", ["pig"]),
        ("simkit match pig ho", ["hold_at"]),
        ("simkit tune pig ho", ["hold_at"]),
        ("simkit tune pig hold_at --against ra", ["random"]),
        ("simkit match pig hold_at ra", ["random"]),
        ("simkit match pig hold_at random ", []),
        ("simkit match --elo1 20 pig hold_at ra", ["random"]),
        ("simkit play pig go", []),
        ("simkit rules pig ", []),
        ("simkit sweep --lineup hold_at,random pig go", ["goal=100"]),
        ("simkit sweep pig goal=20,30 bu", ["bust=1"]),
        ("simkit cards outpost_seven go", []),
    ],
)
def test_a_word_is_completed(completed, line, offers):
    assert completed(line)[: len(offers) + 1] == offers


def test_zsh_and_fish_replace_the_whole_word(completed):
    assert "goal=100" in completed("simkit sweep pig goal=", "zsh")


def test_run_folders_are_offered(completed, tmp_path):
    for folder in ("runs/one", "two", "runs/none"):
        (tmp_path / folder).mkdir(parents=True)
    for folder in ("runs/one", "two"):
        (tmp_path / folder / "manifest.json").write_text("{}")
    assert completed("simkit report ") == ["runs/one", "two"]
    assert completed("simkit report runs/o") == ["runs/one"]


def test_own_content_is_completed_unless_it_is_broken(completed, tmp_path):
    file = tmp_path / "rules/strategies/own.py"
    file.parent.mkdir(parents=True)
    head = "from simkit.games.pig import game\nfrom simkit.engine.strategy import strategy\n"
    body = '\n\n@strategy(game)\ndef {}(legal):\n    """Take the first."""\n    return legal[0]\n'
    file.write_text(head + body.format("zealous"))
    for project in ("--project rules", "--project=rules"):
        for shell in ("bash", "zsh"):
            assert completed(f"simkit {project} play pig --lineup zeal", shell) == ["zealous"]
            assert completed(f"simkit play pig {project} --lineup zeal", shell) == ["zealous"]
    file.write_text("def broken(:\n")
    assert completed("simkit --project rules play pig --lineup zeal") == []

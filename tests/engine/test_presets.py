"""Presets give weights a name: `hold_at@tuned` plays those of `strategies/presets.toml`, until they change."""

import json
from pathlib import Path

import click
import pytest

from simkit.cli import cli
from simkit.engine import lineups, registry
from simkit.engine.lineups import Named, parse_strategy
from simkit.errors import OtherRun, PlayError, UsageError
from simkit.runs.folder import open_run
from tests.commands import invoke
from tests.projects import project_of

PIG = "pig"
TEXT = "# by hand\n[pig.hold_at.tuned]\nthreshold = 25\n\n[pig.search.bold]\npolicy = 'hold_at(threshold=9)'\nmix = 0.5\n"


@pytest.fixture
def project(tmp_path: Path):
    with project_of(tmp_path, {f"strategies/{lineups.PRESETS_FILE}": TEXT}) as folder:
        yield folder


def edit(project: Path, text: str) -> None:
    """Change the presets as another process would: this one reads them again."""
    (project / "strategies" / lineups.PRESETS_FILE).write_text(text)
    registry.set_projects([])
    registry.add_project(project)


def player(text: str):
    return registry.player(registry.game(PIG), parse_strategy(text)[0], 2)


def test_a_preset_has_its_weights_and_its_own_label(project: Path) -> None:
    assert player("hold_at@tuned").weights.tolist() == [25]
    assert player("hold_at@tuned").label == "hold_at@tuned"
    assert player("hold_at").weights.tolist() == [20]


def test_a_given_weight_wins_over_the_preset_and_others_are_kept(project: Path) -> None:
    assert player("hold_at@tuned(threshold=30)").weights.tolist() == [30]
    both = player("hold_at@tuned(blunder=0.5)")
    assert both.weights.tolist() == [25] and both.blunder == 0.5


def test_a_preset_of_a_search_names_its_policy(project: Path) -> None:
    bold = player("search@bold(budget=7)")
    assert bold.weights.tolist() == [9] and bold.search.weights.tolist() == [7, 1.5, 0.5, 0, 0]


def test_a_preset_is_repeated_and_written_like_a_strategy() -> None:
    assert [str(named) for named in parse_strategy("hold_at@a(threshold=3)*2")] == [
        "hold_at@a(threshold=3)"
    ] * 2
    for text in ("hold_at@", "hold_at@a@b", "@a", "hold_at @ a"):
        with pytest.raises(UsageError, match="name@preset"):
            parse_strategy(text)


def test_an_unknown_preset_is_one_line_with_the_closest_name(project: Path) -> None:
    with pytest.raises(UsageError, match="unknown preset of hold_at 'tund'; did you mean 'tuned'") as caught:
        player("hold_at@tund")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["pig = 3", "[pig]\nhold_at = 3", "[pig.hold_at.a]\nthreshold = true", "[pig", "[pig.hold_at]\na = 2"],
)
def test_a_malformed_file_of_presets_is_one_line_that_names_it(project: Path, text: str) -> None:
    edit(project, text)
    with pytest.raises(UsageError, match=r"presets\.toml: (is no file of presets|malformed TOML)") as caught:
        player("hold_at@tuned")
    assert "\n" not in str(caught.value)


def test_a_weight_that_the_strategy_does_not_have_is_named(project: Path) -> None:
    edit(project, "[pig.hold_at.tuned]\nthreshhold = 25\n")
    with pytest.raises(UsageError, match="did you mean 'threshold'"):
        player("hold_at@tuned")


def test_a_saved_preset_is_read_again_and_the_rest_of_the_file_stays(project: Path) -> None:
    own = Named("search", {"policy": "hold_at(threshold=3)", "mix": "0.25", "caution": "1e-05"})
    registry.save_preset(registry.game(PIG), "mine", own)
    registry.save_preset(registry.game(PIG), "mine", own)  # the same again changes nothing
    text = (project / "strategies" / lineups.PRESETS_FILE).read_text()
    assert text.startswith(TEXT) and text.count("mine") == 1
    edit(project, text)
    assert registry.presets_of(registry.game(PIG), "search")["mine"] == own.weights
    with pytest.raises(UsageError, match="exists with other weights"):
        registry.save_preset(registry.game(PIG), "mine", Named("search", {"mix": "1"}))


def test_strategies_lists_presets(project: Path) -> None:
    rows = json.loads(invoke("strategies", PIG, "--json").stdout)
    assert {row["strategy"]: row["presets"] for row in rows}["hold_at"] == {"tuned": {"threshold": "25"}}
    assert "hold_at@tuned" in invoke("strategies", PIG).stdout


def test_the_tab_key_completes_presets(project: Path) -> None:
    command = cli.get_command(click.Context(cli), "match")
    first = next(parameter for parameter in command.params if parameter.name == "first")
    context = click.Context(command)
    context.params = {"game": PIG}
    assert [item.value for item in first.type.shell_complete(context, first, "hold")] == [
        "hold_at",
        "hold_at@tuned",
    ]


def test_a_run_holds_the_weights_and_an_edited_preset_is_noticed(project: Path, tmp_path: Path) -> None:
    match = ("match", PIG, "hold_at@tuned", "hold_at", "--deals", 60, "-o", tmp_path / "run")
    assert "hold at a total (tuned)" in invoke(*match).stdout
    run = open_run(tmp_path / "run")
    assert run.words.preset_weights == {"hold_at@tuned": {"threshold": "25"}}
    page = invoke("report", tmp_path / "run", "--format", "md", "-o", tmp_path / "page.md").stdout
    assert page and "hold from = 25 (usually 20)" in (tmp_path / "page.md").read_text()
    edit(project, TEXT.replace("25", "2"))
    with pytest.raises(OtherRun, match="strategy hold_at changed since it began"):
        invoke(*match)
    with pytest.raises(PlayError, match="strategy hold_at changed since"):
        invoke("replay", tmp_path / "run", 3)

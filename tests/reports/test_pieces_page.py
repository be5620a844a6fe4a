"""The page on components with names: its sentences and tables say what the findings say."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from made_pieces import event, made_pieces
from simkit.content.reports.sections.components import PIECES_METHOD, pieces
from simkit.content.reports.sections.stories import stories
from synthetic import noted, with_words
from tables.test_pieces import NAMES, turn_games

from simkit.runs import experiment, runner
from simkit.runs.folder import open_run
from simkit.tables.findings import Findings


def built(tmp_path: Path, **how):
    return Findings(
        made_pieces(tmp_path, turn_games(2000, 0.5, lambda ahead, ace: 0.4 + 0.2 * ace), NAMES, **how)
    )


def test_what_is_never_used_is_listed(tmp_path: Path) -> None:
    section = pieces(built(tmp_path))
    assert section is not None and section.heading == "What each card is worth"
    text = " ".join(section.text)
    assert "Never played in 2,000 traced games: ace and king." in text
    assert "Never available in 2,000 traced games: joker and blank." in text


def test_the_strongest_is_first_where_all_are_used(tmp_path: Path) -> None:
    names = {name: NAMES[name] for name in ("ace", "king")}
    games = turn_games(2000, 0.5, lambda ahead, ace: 0.4 + 0.2 * ace)
    section = pieces(Findings(made_pieces(tmp_path, games, names, played=False)))
    assert [table.caption for table in section.tables] == ["Each card, the strongest first"]
    assert [row[0] for row in section.tables[0].rows] == ["ace", "king"]
    assert any("association" in text for text in section.text)
    assert section.figures[0].drawing.svg().startswith("<svg")


def test_what_is_hardly_ever_played_is_said(tmp_path: Path) -> None:
    names = {name: NAMES[name] for name in ("ace", "king")}
    games = turn_games(400, 0.5, lambda ahead, ace: 0.5)
    for i, (_, own) in enumerate(games):
        if own[-1]["piece"] == "king" or i < 20:
            own.append(event(own[-1]["piece"], "played", 2, 0))
    text = pieces(Findings(made_pieces(tmp_path, games, names))).text
    assert any(
        re.fullmatch(r"Played in at most \d of 100 games of those who could: ace\.", line) for line in text
    )


def test_without_a_trace_it_says_how_to_get_it_and_games_without_pieces_say_nothing(tmp_path: Path) -> None:
    run = made_pieces(tmp_path, turn_games(10, 0.5, lambda ahead, ace: 0.5), NAMES)
    bare = replace(run, experiment=run.experiment.model_copy(update={"trace": 0}))
    section = pieces(Findings(bare))
    assert section is not None and "--trace" in section.text[0] and not section.tables
    none = noted(run, columns={})
    assert pieces(Findings(none)) is None and Findings(none).pieces.is_empty()


def test_never_is_said_only_of_enough_deals(tmp_path: Path) -> None:
    """Of 28 deals that all lack a thing, it may still happen in a tenth: 0.9 ** 28 is above 0.05."""
    for deals in (28, 29):
        games = turn_games(deals, 0.5, lambda ahead, ace: 0.5)
        games = [
            (story, [*own, event("ace", "taken", 2, 1), event("king", "taken", 2, 1)]) for story, own in games
        ]
        section = pieces(Findings(made_pieces(tmp_path / str(deals), games, NAMES)))
        assert section is not None
        assert ("Never" in " ".join(section.text)) == (deals == 29)
        assert not section.figures and PIECES_METHOD not in section.text, "no words on a picture not drawn"


def test_games_on_one_deal_are_one_chance(tmp_path: Path) -> None:
    games = turn_games(40, 0.5, lambda ahead, ace: 0.5)
    alike = [(replace(story, deal=i // 2), own) for i, (story, own) in enumerate(games)]
    findings = Findings(made_pieces(tmp_path, alike, NAMES))
    assert findings.pieces.filter(piece="joker")["chances"].to_list() == [20]


def test_names_of_components_are_explained_before_they_are_used(tmp_path: Path) -> None:
    """In the section of components, and above the told games of a run that has none."""
    result = built(tmp_path / "traced")
    run = with_words(result.run, piece_note="A dot is plain.")
    section = pieces(Findings(run))
    assert section is not None and section.text[0] == "A dot is plain."
    keys = {"question": "?", "game": "outpost_seven", "deals": 20, "lineups": ["random*2"]}
    played = open_run(runner.run(experiment.parse(keys), tmp_path / "run", jobs=1))
    sentence = stories(Findings(played))
    assert any(text.startswith("A card is told by its colour") for text in sentence.text)
    assert any("." in story.moves for story in sentence.stories)

"""What a ladder says, from literal rows: how the answer changes with skill, what the best agree on."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from simkit.content.reports import ladder

from simkit.ask.confirm import ladder_of
from simkit.engine import registry
from simkit.page.words import skill
from simkit.page.words.confidence import limits
from simkit.runs.experiment import parse
from simkit.runs.plan import make_plan
from simkit.runs.run_metadata import words_of
from simkit.stats.verdicts import BORDERLINE, FAIR, NOT_SETTLED, UNFAIR
from simkit.tables.findings import Findings, all_findings
from simkit.tables.rungs import deciding_rows, rung_runs
from tests.synthetic import made_run, with_words


def answer(
    rung: int, share: float, verdict: str = NOT_SETTLED, setting: str = "", seat: int = 0, **keys: Any
) -> dict[str, Any]:
    """A row of `rung_answers`, with an interval of ±2 points; rungs 2 and above search."""
    row = {
        "strategy": f"s{rung}",
        "rung": rung,
        "searches": rung >= 2,
        "family": "search" if rung >= 2 else "scripted",
        "share": share,
        "low": share - 0.02,
        "high": share + 0.02,
        "ever_low": share - 0.03,
        "ever_high": share + 0.03,
        "near": verdict in (FAIR, BORDERLINE),
        "deals": 1000,
    }
    return row | {"verdict": verdict, "setting": setting, "seat": seat, "fair": 0.5} | keys


def rung(place: int, share: float | None = None, **keys: Any) -> dict[str, Any]:
    """A row of `rungs`, with an interval of ±5 points."""
    ends = {end: None if share is None else share + off for end, off in (("low", -0.05), ("high", 0.05))}
    row = {"rung": place, "strategy": f"s{place}", "rival": f"s{place - 1}", "searches": place >= 2}
    row |= {"family": "search" if place >= 2 else "scripted", "share": share}
    row |= {f"share_{end}": value for end, value in ends.items()}
    row |= {"elo": None if share is None else 100.0 * place}
    return row | {"even": 0.5, "option": None, "fair": None, "fair_low": None, "fair_high": None} | keys


def sentence(rows: list[dict[str, Any]], team: bool = False) -> str:
    return skill.skill(rows, str, team, margin=0.02)


@pytest.mark.parametrize(
    ("shares", "halves", "text"),
    [
        ((0.58, 0.531), (2, 2), "The advantage of going first shrinks from scripted to searching players: +8.0 and +3.1 percentage points."),
        ((0.53, 0.58), (2, 2), "The advantage of going first grows from scripted to searching players: +3.0 "),
        ((0.48, 0.43), (1, 1), "The disadvantage of going first grows from scripted to searching players: −2.0 "),
        ((0.58, 0.57), (0.6, 0.6), "The advantage of going first stays the same to within 2 percentage points from scripted to searching players: +8.0 "),
        ((0.58, 0.57), (2, 2), "The advantage of going first is there between the strongest players; whether it changes from scripted to searching players is not settled: +8.0 "),
        ((0.515, 0.53), (2, 2), "The advantage of going first is there between the strongest players; "),
        ((0.45, 0.47), (2, 2), "The disadvantage of going first is there between the strongest players; "),
        ((0.56, 0.46), (2, 2), "The advantage of going first reverses from scripted to searching players: +6.0 and −4.0 percentage points."),
        ((0.52, 0.485), (2.1, 2.1), "The worth of going first falls from scripted to searching players: +2.0 "),
        ((0.485, 0.52), (2.1, 2.1), "The worth of going first rises from scripted to searching players: −1.5 "),
        ((0.563, 0.531), (0.6, 5), "It is not settled whether the worth of going first changes from scripted to searching players: +6.3 "),
        ((0.501, 0.502), (1, 1), "The worth of going first stays the same to within 2 percentage points from scripted to searching players: +0.1 "),
    ],
)  # fmt: skip
def test_the_answer_begins_with_how_the_advantage_changes(
    shares: tuple[float, float], halves: tuple[float, float], text: str
) -> None:
    """A change that luck may explain had been no change, and any advantage that stayed one "of the game"."""
    first, best = (
        answer(rung, share, low=share - half / 100, high=share + half / 100)
        for rung, share, half in zip((1, 3), shares, halves, strict=True)
    )
    assert sentence([answer(0, 0.5), first, answer(2, 0.55), best]).startswith(text)


def test_an_advantage_that_luck_may_explain_on_the_highest_rung_is_not_settled() -> None:
    assert sentence([answer(1, 0.53), answer(2, 0.51)]) == (
        "It is not settled whether the worth of going first changes from scripted to searching players: "
        "+3.0 and +1.0 percentage points."
    )


def test_an_advantage_too_small_to_matter_on_both_rungs_is_small() -> None:
    rows = [answer(1, 0.508, FAIR), answer(2, 0.5, FAIR)]
    assert sentence(rows).startswith("Going first is worth little with scripted and searching players: +0.8 ")


@pytest.mark.parametrize(
    ("families", "shares", "text"),
    [
        (("scripted", "scripted"), (0.58, 0.53), "The advantage of going first shrinks among these players: +8.0 and +3.0 percentage points."),
        (("", "search", "search"), (0.58, 0.53, 0.53), "The advantage of going first is there between the strongest players; whether it changes among them is not settled: +3.0 and +3.0 percentage points."),
        (("", "learned"), (0.58, 0.53), "The advantage of going first shrinks among these players: +8.0 and +3.0 "),
        (("scripted", "scripted", "learned", "learned"), (0.5, 0.58, 0.5, 0.53), "The advantage of going first shrinks from scripted to learned players: +8.0 and +3.0 percentage points."),
        (("search", "scripted"), (0.58, 0.53), "The advantage of going first shrinks from searching to scripted players: +8.0 "),
        (("scripted", "search", "learned"), (0.53, 0.56, 0.58), "The advantage of going first grows from scripted to learned players: +3.0, +6.0 and +8.0 percentage points."),
        (("scripted", "search", "learned"), (0.57, 0.53, 0.60), "The worth of going first depends on the family of players, not on their strength alone: +7.0, +3.0 and +10.0 percentage points."),
        (("scripted", "search", "learned"), (0.57, 0.56, 0.60), "The advantage of going first grows from scripted to learned players: +7.0, +6.0 and +10.0 "),
    ],
)  # fmt: skip
def test_a_change_with_strength_rests_on_two_families_or_is_one_among_these_players(
    families: tuple[str, ...], shares: tuple[float, ...], text: str
) -> None:
    """Searches showed that "better players need a smaller total"; stronger players of another family did not."""
    pairs = enumerate(zip(families, shares, strict=True))
    rows = [answer(rung, share, family=family) for rung, (family, share) in pairs]
    assert sentence(rows).startswith(text)


def test_an_advantage_too_small_to_matter_is_small_with_the_families_that_show_it() -> None:
    rows = [
        answer(rung, 0.51, FAIR, family=family)
        for rung, family in enumerate(("scripted", "search", "learned"))
    ]
    assert sentence(rows).startswith(
        "Going first is worth little with scripted, searching and learned players: "
    )
    rows = [row | {"family": "learned"} for row in rows]
    assert sentence(rows).startswith("Going first is worth little among these players: ")


def test_an_open_change_among_players_of_one_family_is_one_among_them() -> None:
    rows = [answer(rung, 0.57, family="learned") for rung in (0, 1)]
    still = "The advantage of going first is there between the strongest players; whether"
    assert sentence(rows).startswith(f"{still} it changes among them is not settled: +7.0 and +7.0 ")


def test_players_are_named_as_the_page_names_them(tmp_path: Any) -> None:
    run = made_run(tmp_path, [["a", "a"]], [0.5])
    run = replace(run, experiment=run.experiment.model_copy(update={"called": {"a": "careful player"}}))
    findings = Findings(run)
    rows = [answer(0, 0.5, strategy="a"), answer(2, 0.58, strategy="search")]
    findings._cache |= {
        all_findings()["rungs"]: pl.DataFrame([rung(0, strategy="a"), rung(2, 0.9, strategy="search")])
    }
    findings._cache |= {all_findings()["rung_answers"]: pl.DataFrame(rows)}
    lines = skill.by_strength(findings)
    assert lines and [row[0] for row in lines.rows] == ["careful player (scripted)", "search (searching)"]


def test_players_whom_only_the_ladder_knows_have_labels_too(tmp_path: Any) -> None:
    own, of_rung = (made_run(tmp_path / name, [[name, name]], [0.5]) for name in ("a", "horizon_valuer"))
    names = of_rung.experiment.model_copy(update={"called": {"horizon_valuer": "horizon valuer"}})
    findings = Findings(own)
    findings._cache |= {
        all_findings()["rungs"]: pl.DataFrame([rung(0, strategy="a"), rung(1, strategy="horizon_valuer")]),
        rung_runs: [replace(of_rung, experiment=names)],
    }
    assert [row["strategy"] for row in skill.labelled_rungs(findings)] == ["a", "horizon valuer"]


@pytest.mark.parametrize(
    ("verdicts", "text"),
    [((UNFAIR, FAIR, FAIR), "Keep it"), ((FAIR, UNFAIR, FAIR), "Depends on who plays"), ((FAIR, UNFAIR, BORDERLINE), "Change it"), ((FAIR, FAIR, NOT_SETTLED), "Not known yet (play up to 8,000 more games each)")],
)  # fmt: skip
def test_the_two_highest_rungs_decide_what_is_stamped(verdicts: tuple[str, ...], text: str) -> None:
    """Half an interval of 3 points is too wide by a factor of three for a share that is 3 points off.

    The stamp had asked for 100 more games: by the narrower interval, the answer was settled.
    """
    rows = [answer(place, 0.53, verdict) for place, verdict in enumerate(verdicts)]
    stamp = ladder.ladder_stamp([*rows, answer(2, 0.7, UNFAIR, setting="another setting")], margin=0.02)
    assert stamp and stamp.text == text
    assert ladder.ladder_stamp([row | {"verdict": None} for row in rows], margin=0.02) is None


def test_searches_that_err_do_not_change_a_game_that_is_known_to_be_fair() -> None:
    """Tic-tac-toe, a draw between perfect players, was to be changed."""
    rows = [answer(place, 0.78, UNFAIR) for place in (2, 3)]
    assert ladder.ladder_stamp(rows, 0.02, perfect_share=0.5) is None
    for share in (None, 1.0):
        stamp = ladder.ladder_stamp(rows, 0.02, perfect_share=share)
        assert stamp and stamp.text == "Change it"


@pytest.mark.parametrize(("game", "options", "won"), [("tic_tac_toe", {}, 50), ("nim", {}, 100), ("nim", {"heap_1": 0}, None), ("pig", {}, None)])  # fmt: skip
def test_what_perfect_players_make_of_a_game_is_said_where_it_is_known(
    game: str, options: dict[str, int], won: int | None
) -> None:
    keys = {"question": "?", "game": game, "lineups": ["random*2"], "deals": 1, "options": options}
    request = parse(keys)
    run = SimpleNamespace(words=words_of(registry.game(game), [], [], {}, {}), cells=make_plan(request).cells)
    text = skill.perfect(SimpleNamespace(run=run))  # type: ignore[arg-type]
    expected = f"Between perfect players the first player wins {won} games of 100 (a draw counts half)"
    assert text.startswith(expected) if won else text == ""


def test_of_three_seats_the_one_farthest_from_fair_on_the_highest_rung_is_named() -> None:
    shares = [(0.40, 0.30, 0.30), (0.33, 0.30, 0.37)]
    rows = [
        answer(place + 1, share, seat=seat, fair=1 / 3)
        for place, row in enumerate(shares)
        for seat, share in enumerate(row)
    ]
    assert sentence(rows).startswith(
        "The disadvantage of being the third player reverses from scripted to searching players: −3.3 "
    )


def test_a_team_is_spoken_of_by_its_wins() -> None:
    rows = [answer(1, 0.37), answer(2, 0.65)]
    assert sentence(rows, team=True) == (
        "Searching players win more than scripted ones: 37 and 65 games of 100."
    )
    alike = [row | {"family": "search"} for row in rows]
    assert sentence(alike, team=True).startswith("Among these players, better ones win more: 37 and ")
    three = [*rows, answer(3, 0.8, family="learned")]
    assert sentence(three, team=True) == (
        "Learned players win more than scripted ones: 37, 65 and 80 games of 100."
    )
    assert sentence([rows[0], answer(2, 0.38)], team=True).startswith(
        "It is not settled whether searching players win more than scripted ones: "
    )


def test_a_setting_stands_before_its_sentence_and_the_table_has_the_others() -> None:
    rows = [answer(place, 0.56, setting=f"goal = {goal}") for place in (1, 2) for goal in range(5)]
    text = skill.skill(rows, lambda setting: setting.replace("goal =", "points to win"), False, 0.02)
    assert text.startswith("Points to win 0: the advantage of going first is there between the strongest ")


def test_a_ladder_of_searches_alone_compares_the_lowest_and_the_highest_rung() -> None:
    rows = [answer(2, 0.52), answer(3, 0.53), answer(4, 0.54)]
    assert "+2.0 and +4.0 percentage points" in sentence(rows)


def test_a_ladder_without_searches_compares_its_two_highest_rungs() -> None:
    """The highest rung had been compared with itself."""
    rows = [answer(0, 0.52), answer(1, 0.54)]
    assert "+2.0 and +4.0 percentage points" in sentence(rows)


def test_the_next_step_settles_what_is_open_first_at_the_setting_of_the_headline() -> None:
    """A ladder of Pig whose headline was about 100 points had wanted to settle 50, which was UNFAIR."""
    plain, best = (dict.fromkeys((1, 3), FAIR) | {place: NOT_SETTLED} for place in (1, 3))
    rows = [
        answer(rung, 0.5, kind, setting) for setting in ("usual", "other") for rung, kind in plain.items()
    ]
    step = skill.open_answer(rows)
    assert step and (step["setting"], step["rung"]) == ("usual", 1)
    rows = [answer(rung, 0.5, FAIR, "usual") for rung in (1, 3)]
    rows += [answer(rung, 0.5, kind, "other") for rung, kind in best.items()]
    step = skill.open_answer(rows)
    assert step and (step["setting"], step["rung"]) == ("other", 3)
    assert skill.open_answer(rows[:2]) is None


@pytest.mark.parametrize(
    ("families", "names"),
    [
        (("scripted", "scripted", "search", "search"), "s1 and s3"),
        (("", "search", "search", "search"), "s2 and s3"),
        (("", "", "", "learned"), "s2 and s3"),
        (("scripted", "search", "learned", ""), "s1 and s2"),
    ],
)
def test_the_best_players_of_two_families_decide_else_the_two_highest_rungs(
    families: tuple[str, ...], names: str
) -> None:
    """Two searches of different budgets had decided: one family of players."""
    rows = [answer(place, 0.5, family=family) for place, family in enumerate(families)]
    assert skill.player_names(deciding_rows(rows)) == names


@pytest.mark.parametrize(
    ("by_setting", "text"),
    [
        ({"a": (FAIR, FAIR), "b": (UNFAIR, FAIR)}, "Near fair for the strongest players (s1 and s2): a."),
        ({"a": (FAIR, FAIR), "b": (FAIR, BORDERLINE)}, "Near fair for the strongest players (s1 and s2): a and b."),
        ({"a": (FAIR, UNFAIR), "b": (UNFAIR, UNFAIR)}, "No setting was shown to be fair for the strongest players (s1 and s2), so none is recommended."),
        ({"a": (FAIR, NOT_SETTLED), "b": (UNFAIR, FAIR)}, "No setting was shown to be fair for"),
    ],
)  # fmt: skip
def test_of_several_settings_those_that_both_find_fair_are_named(
    by_setting: dict[str, tuple[str, str]], text: str
) -> None:
    rows = [
        answer(place, 0.5, verdict, setting)
        for setting, verdicts in by_setting.items()
        for place, verdict in enumerate(verdicts, start=1)
    ]
    assert text in ladder.skill_advice(rows, str, False)


def test_each_rung_is_a_line_with_its_intervals_the_weakest_first() -> None:
    """The brief named numbers of two rungs in a sentence, and their fair values nowhere."""
    answers = [answer(1, 0.593, UNFAIR, strategy="careful"), answer(2, 0.5, FAIR, strategy="searching p")]
    answers += [answer(2, 0.5, seat=1)]
    rungs = [
        rung(1, strategy="careful", option="goal", fair=19.26, fair_low=18.0, fair_high=20.5),
        rung(2, 0.6, strategy="searching p", option="goal"),
    ]
    assert skill.strength_lines(answers, rungs, team=False) == [
        {"player": "careful (scripted)", "worth": "+9.3 (+6.3 to +12.3)", "fair": "19.3 (18.0 to 20.5)", "games": 1000},
        {"player": "searching p", "worth": "+0.0 (−3.0 to +3.0)", "fair": "none of those tried", "games": 1000},
    ]  # fmt: skip
    (line, _) = skill.strength_lines(answers, rungs, team=True)
    assert line["worth"] == "59.3 (56.3 to 62.3)"


@pytest.mark.parametrize(
    ("verdicts", "text"),
    [
        ((FAIR, UNFAIR, UNFAIR, UNFAIR), "Weaker players differ: for s1, the game would be fair."),
        ((UNFAIR, FAIR, BORDERLINE, FAIR), "Weaker players differ: for s1, the game is not fair."),
        ((FAIR, FAIR, UNFAIR, FAIR), "Weaker players differ: for s3, the game is not fair."),
        ((NOT_SETTLED, FAIR, UNFAIR, NOT_SETTLED), ""),
        ((UNFAIR, FAIR, FAIR, UNFAIR), "The strongest players disagree: the game is fair for s2, but not for s4."),
    ],
)  # fmt: skip
def test_one_sentence_says_where_weaker_rungs_differ(verdicts: tuple[str, ...], text: str) -> None:
    """Rungs 2 and 4 decide: the strongest scripted and the strongest searching player."""
    families = ("scripted", "scripted", "search", "search")
    rows = [
        answer(place, 0.5, verdict, family=family)
        for place, (verdict, family) in enumerate(zip(verdicts, families, strict=True), start=1)
    ]
    rows += [answer(0, 0.9, FAIR, family="")]
    assert skill.disagreement_of_rungs(rows, str, team=False) == text


def test_a_setting_that_only_weaker_rungs_find_fair_is_named() -> None:
    """The flagship recommended 21, which its learned player finds unfair."""
    rows = [answer(place, 0.56, UNFAIR, "16") for place in (0, 1, 2)]
    rows += [answer(place, 0.5, kind, "21") for place, kind in enumerate((FAIR, FAIR, UNFAIR))]
    rows = [row | {"family": ("scripted", "search", "learned")[row["rung"]]} for row in rows]
    assert skill.disagreement_of_rungs(rows, lambda total: f"a total of {total}", team=False) == (
        "The strongest players disagree: a total of 21 is fair for s1, but not for s2."
    )


def test_rungs_that_do_not_surely_beat_the_one_below_give_a_warning() -> None:
    rungs = [rung(0), rung(1, 0.9), rung(2, 0.187), rung(3, 0.52), rung(4, 0.56)]
    assert ladder.not_stronger(rungs) == ["Not shown to be stronger than the rung below: s2 and s3."]
    assert ladder.not_stronger(rungs[:2]) == []


def test_a_team_that_wins_less_than_the_rung_below_gives_a_warning() -> None:
    rungs = [rung(place, None) for place in range(3)]
    rows = [answer(place, share) for place, share in enumerate((0.2, 0.67, 0.63))]
    assert ladder.not_stronger(rungs, rows) == ["Not shown to be stronger than the rung below: s2."]
    assert ladder.not_stronger(rungs, rows[:2]) == []


def findings_with(rows: list[dict[str, Any]], margin: float = 0.02) -> Findings:
    """Findings of a run whose ladder gave these answers."""
    return with_tables(margin, rungs=pl.DataFrame([rung(0), rung(1, 0.9)]), rung_answers=pl.DataFrame(rows))


def with_tables(margin: float = 0.02, **tables: pl.DataFrame) -> Findings:
    """Findings that have these tables, of a run of one setting."""
    run: Any = SimpleNamespace(experiment=SimpleNamespace(margin=margin), cells=[SimpleNamespace(varied={})])
    findings = Findings(run)
    findings._cache |= {all_findings()[name]: table for name, table in tables.items()}
    return findings


def test_a_setting_that_one_of_the_two_highest_rungs_finds_unfair_is_not_agreed() -> None:
    rows = [
        *(answer(place, 0.7, UNFAIR, "only plain players find it unfair") for place in (0,)),
        *(answer(place, 0.5, FAIR, "only plain players find it unfair") for place in (1, 2)),
        *(answer(place, share, setting="surely off") for place, share in ((0, 0.5), (1, 0.56), (2, 0.5))),
        *(answer(place, 0.54, setting="off, how far is open") for place in (0, 1, 2)),
        *(answer(place, 0.54, BORDERLINE, "off, not by much") for place in (0, 1, 2)),
        *(answer(place, 0.52, setting="surely near, by how much is open", near=True) for place in (0, 1, 2)),
        *(answer(place, 0.44, setting="surely below") for place in (0, 1, 2)),
        *(
            answer(place, 0.5, verdict, "unfair by verdict")
            for place, verdict in enumerate((FAIR, FAIR, UNFAIR))
        ),
    ]
    settings = [*dict.fromkeys(row["setting"] for row in rows), "no rung was asked about it"]
    assert skill.settings_of_agreement(findings_with(rows), settings) == [
        "only plain players find it unfair",
        "off, not by much",
        "surely near, by how much is open",
    ]


def test_a_ladder_is_about_the_baseline_and_the_settings_nearest_to_fair(tmp_path: Any) -> None:
    """It was about the setting half-way to them, too; one was advised that its players had not met."""
    keys = {"sweep": {"n": [1, 2, 3, 4, 5, 6]}, "baseline": {"n": 1}, "skill": {"rungs": ["a", "b"]}}
    # A draw counts half, which adds five points to each share.
    run = made_run(tmp_path, [["a", "a"]], [0.6, 0.52, 0.49, 0.46, 0.42, 0.35], **keys)
    study = ladder_of(Findings(run))
    assert study and study.sweep == {"n": [1, 3, 4, 5]}


def test_without_a_ladder_every_setting_is_agreed_and_there_is_no_sentence() -> None:
    nothing = with_tables(rungs=pl.DataFrame())
    assert skill.settings_of_agreement(nothing, ["a", "b"]) == ["a", "b"]
    assert skill.skill_sentence(nothing) == ""


@pytest.mark.parametrize(
    ("families", "decisions", "text"),
    [
        (["scripted", "scripted"], 9, "scripted ones make of it (simkit ladder made plays some)."),
        (["", "learned"], 9, "learned ones make of it (simkit ladder made plays some)."),
        (["search"], 9, "searching ones make of it (simkit ladder made plays some)."),
        ([""], 9, "random ones make of it (simkit ladder made plays some)."),
        (["scripted", "search"], 9, ""),
        (["scripted"], 0, ""),
        ([], 9, ""),
    ],
)
def test_a_note_says_that_all_players_are_of_one_family_where_there_is_something_to_decide(
    families: list[str], decisions: int, text: str, tmp_path: Any
) -> None:
    run = made_run(tmp_path, [["a", "a"]], [0.5])
    games = pl.read_parquet(tmp_path / "games.parquet")
    games.with_columns(decisions=pl.lit(decisions, games.schema["decisions"])).write_parquet(
        tmp_path / "games.parquet"
    )
    labels = {f"p{place}": family for place, family in enumerate(families)}
    notes = [note for note in limits(Findings(with_words(run, families=labels))) if "other than" in note]
    assert notes == ([f"What players other than {text}"] if text else [])


def test_a_run_of_one_family_whose_ladder_has_another_has_no_such_note(tmp_path: Any) -> None:
    run = with_words(made_run(tmp_path, [["a", "a"]], [0.5]), families={"a": "scripted"})
    for family, noted in (("learned", False), ("scripted", True)):
        findings = Findings(run)
        findings._cache[all_findings()["rungs"]] = pl.DataFrame([rung(0), rung(1, 0.9, family=family)])
        findings._cache[all_findings()["rung_answers"]] = pl.DataFrame([answer(0, 0.5), answer(1, 0.5)])
        assert any("other than" in note for note in limits(findings)) is noted

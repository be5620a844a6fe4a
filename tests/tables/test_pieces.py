"""Which component is too strong, too weak, never used: games made up with a known answer, and games played."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from made_pieces import event, made_pieces
from synthetic import Story, made_stories, with_words

from simkit.engine import registry, stepper
from simkit.engine.table import GameTable
from simkit.runs import experiment, runner
from simkit.runs.folder import open_run
from simkit.tables.findings import Findings
from simkit.tables.pieces import _traced_pieces, treatment_differences

NAMES = {
    "ace": {"suit": "red"},
    "king": {"suit": "red"},
    "joker": {"suit": "none"},
    "blank": {"suit": "none"},
}
OFFERS = [event("ace", "offered", 2, last=2), event("king", "offered", 2, last=2)]


def turn_games(n, takes_when_ahead, wins, seed=1):
    """Seat 0 is ahead or behind by 10 after turn 1, then takes the ace (or else the king); `wins` of both."""
    rng, games = np.random.default_rng(seed), []
    for _ in range(n):
        ahead = bool(rng.integers(2))
        ace = rng.random() < (takes_when_ahead if ahead else 1 - takes_when_ahead)
        won = int(rng.random() < wins(ahead, ace))
        scores = [(10, 0) if ahead else (0, 10)] * 2
        story = Story(scores, (won, 1 - won))
        games.append((story, [*OFFERS, event("ace" if ace else "king", "taken", 2, 0)]))
    return games


def row_of(run, piece):
    return Findings(run).pieces.filter(piece=piece).row(0, named=True)


def test_a_piece_that_leaders_take_seems_strong_and_is_weak(tmp_path: Path) -> None:
    """Simpson: who is ahead takes the ace and wins more often; the ace itself costs 15 games of 100."""
    games = turn_games(4000, 0.9, lambda ahead, ace: (0.8 if ahead else 0.3) - 0.15 * ace)
    row = row_of(made_pieces(tmp_path, games, NAMES), "ace")
    owners, others = ([story.share[0] for story, own in games if (own[-1]["piece"] == "ace") == has]
                      for has in (True, False))  # fmt: skip
    assert row["raw"] == pytest.approx(np.mean(owners) - np.mean(others)) and row["raw"] > 0.15
    assert row["difference_low"] < -0.15 < row["difference_high"] < 0 and row["p_adjusted"] < 0.01


def test_a_planted_effect_is_found_for_the_piece_and_against_the_other(tmp_path: Path) -> None:
    games = turn_games(2000, 0.5, lambda ahead, ace: 0.4 + 0.2 * ace)
    run = made_pieces(tmp_path, games, NAMES)
    ace, king = row_of(run, "ace"), row_of(run, "king")
    assert ace["difference_low"] < 0.2 < ace["difference_high"] and ace["difference_low"] > 0.1
    assert king["difference"] == pytest.approx(-ace["difference"])
    assert ace["with_games"] + ace["without_games"] == 2000 and ace["deals"] == 2000


def test_counts_by_hand(tmp_path: Path) -> None:
    story = Story([(0, 0)] * 3, (1, 0))
    first = [event("ace", "offered", 1, last=2), event("ace", "taken", 2, 1), event("ace", "played", 3, 1)]
    second = [event("ace", "offered", 1, last=3), event("ace", "unsold", 3), event("king", "given", 1, 0)]
    second += [event("king", "kept", 3, 0), event("joker", "offered", 3, last=3), event("joker", "unsold", 3)]
    table = Findings(made_pieces(tmp_path, [(story, first), (story, second)], NAMES)).pieces
    shown = table.select("piece", "available", "taken", "played", "left", "used", "never").rows()
    assert shown == [
        ("ace", 1.0, 0.5, 0.5, 0.5, 0.5, None),
        ("king", 0.5, 0.5, 0.0, 0.5, 0.0, "played"),
        ("joker", 0.5, 0.0, 0.0, 0.5, 0.0, "taken"),
        ("blank", 0.0, 0.0, 0.0, 0.0, None, "available"),
    ]
    assert table["difference"].null_count() == 4, "two games compare nothing"
    assert table["games"].to_list() == [2] * 4


def test_a_piece_drawn_and_played_at_once_was_had_by_its_seat(tmp_path: Path) -> None:
    """No event says that the seat got it: it was neither on offer nor in a hand between two actions."""
    story = Story([(0, 0)] * 3, (1, 0))
    sudden = [event("king", "given", 1, 0), event("ace", "played", 2, 0), event("king", "played", 3, 0)]
    sudden += [event("joker", "played", 2, 1), event("joker", "given", 3, 1)]
    findings = Findings(
        made_pieces(tmp_path, [(story, sudden), (story, [event("king", "given", 1, 1)])], NAMES)
    )
    shown = findings.pieces.select("piece", "available", "taken", "played", "used", "never", "raw").rows()
    assert shown == [
        ("ace", 0.5, 0.5, 0.5, 1.0, None, pytest.approx(0)),
        ("king", 1.0, 1.0, 0.5, 0.5, None, pytest.approx(0)),
        ("joker", 0.5, 1.0, 0.5, 1.0, None, pytest.approx(0)),
        ("blank", 0.0, 0.0, 0.0, None, "available", None),
    ]


def test_kinds_are_what_their_pieces_are_together(tmp_path: Path) -> None:
    games = turn_games(1000, 0.5, lambda ahead, ace: 0.4 + 0.2 * ace)
    findings = Findings(made_pieces(tmp_path, games, NAMES))
    red = findings.piece_kinds.filter(of="red").row(0, named=True)
    both = findings.pieces.filter(pl.col("piece").is_in(["ace", "king"]))
    assert (red["kind"], red["copies"], red["taken"]) == ("suit", 2, both["taken"].sum())
    assert red["difference"] == pytest.approx(0, abs=1e-9), "what one of them gains the other loses"


def test_a_piece_counts_at_its_first_taking_and_not_after(tmp_path: Path) -> None:
    """Who has the ace and takes the king is no longer one who could have taken the ace."""
    games = []
    for i in range(200):
        won = i % 2
        own = [event("ace", "offered", 2, last=4), event("king", "offered", 2, last=4)]
        own += [event("ace", "taken", 2, 0), event("king", "taken", 4, 0), event("king", "taken", 3, 1)]
        games.append((Story([(0, 0)] * 4, (won, 1 - won)), own))
    findings = Findings(made_pieces(tmp_path, games, NAMES))
    moments = findings.cached(_traced_pieces)[0].moments
    aces = moments.filter(piece="ace").group_by("seat", "got").len().sort("seat", "got").rows()
    assert aces == [(0, True, 200), (1, False, 200)]


def rows_of(deals, groups=4, effect=0.0, seed=0):
    """Moments in groups that win differently and take differently; those of a deal win alike."""
    rng = np.random.default_rng(seed)
    deal = np.repeat(np.arange(deals), 3)
    group = rng.integers(groups, size=deal.size)
    got = rng.random(deal.size) < 0.2 + 0.15 * group
    luck = np.repeat(rng.random(deals), 3)
    share = (luck < 0.2 + 0.15 * group + effect * got).astype(float)
    return pl.DataFrame({"of": "it", "deal": deal, "group": group, "got": got, "share": share})


def test_the_comparison_is_a_regression_with_an_intercept_for_each_group() -> None:
    rows = rows_of(200, effect=0.1)
    dummies = np.eye(4)[rows["group"].to_numpy()]
    x = np.column_stack([rows["got"].cast(pl.Float64), dummies])
    fit = sm.OLS(rows["share"].to_numpy(), x).fit(
        cov_type="cluster", cov_kwds={"groups": rows["deal"].to_numpy(), "use_correction": False}
    )
    row = treatment_differences(rows, "of", ["group"]).row(0, named=True)
    half = (row["difference_high"] - row["difference_low"]) / 2
    assert row["difference"] == pytest.approx(fit.params[0])
    assert half == pytest.approx(1.97196 * fit.bse[0] * np.sqrt(200 / 199), rel=1e-4)  # t of 199


@pytest.mark.slow
@pytest.mark.proof("tables.pieces")
def test_without_an_effect_19_of_20_intervals_hold_nothing() -> None:
    """A/A: 300 runs, binomial bounds of 99.9 %."""
    ends = [
        treatment_differences(rows_of(150, seed=seed), "of", ["group"]).row(0, named=True)
        for seed in range(300)
    ]
    held = sum(row["difference_low"] <= 0 <= row["difference_high"] for row in ends)
    assert 271 <= held <= 297
    assert sum(row["p_adjusted"] < 0.05 for row in ends) == 300 - held


@pytest.fixture(scope="module")
def stations(tmp_path_factory):
    request = {"question": "?", "game": "outpost_seven", "deals": 30, "trace": 30, "lineups": ["random*2"]}
    request["sweep"] = {"card_set": ["v42", "no_bonus"]}
    return open_run(runner.run(experiment.parse(request), tmp_path_factory.mktemp("runs") / "run"))


def test_played_cards_are_those_that_the_log_counts(stations) -> None:
    """Cards taken, kept at the start, played and left, counted in another way by the game."""
    events = stations.pieces().select("play", "seat", pl.col("event").cast(pl.String), "copies").collect()
    counts = events.group_by("play", "seat", "event").agg(pl.col("copies").sum())
    for event_, columns in {
        "taken": "salvaged_cards",
        "given": "kept_cards",
        "kept": "hand_left",
        "played": "repairs",
    }.items():
        logged = stations.seats().select("play", "seat", n=columns).filter(pl.col("n") > 0).collect()
        rows = counts.filter(event=event_).select("play", "seat", n="copies").sort("play", "seat")
        assert rows.rows() == logged.sort("play", "seat").rows(), event_


def test_a_card_is_taken_while_it_is_on_offer(stations) -> None:
    events = stations.pieces().with_columns(pl.col("event", "piece").cast(pl.String)).collect()
    taken = events.filter(event="taken").select("play", "piece", took="turn")
    spells = (
        events.filter(event="offered")
        .select("play", "piece", "turn", "last")
        .join(taken, on=["play", "piece"])
    )
    held = spells.filter(pl.col("took").is_between("turn", "last")).select("play", "piece", "took").unique()
    assert held.height == taken.unique().height > 500


def test_games_whose_events_do_not_fit_are_traced_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """In little memory, in parts of few games, events are the same."""
    game = registry.game("outpost_seven")
    table, player = GameTable(game, game.rules()), registry.strategy(game, "random").player(game)

    def events():
        result, parts = [], 0
        for part in stepper.trace_games(table, [player] * 2, 3, np.arange(40), np.zeros(40, np.int64)):
            result += [(part.part.start + first[0], *first[1:]) for first in part.events.tolist()]
            parts += 1
        return result, parts

    def small(game, rules, seats, events=0, room=stepper.room_for_pieces):
        return room(game, rules, seats, events)

    count, few_parts = events()
    monkeypatch.setattr(stepper, "room_for_pieces", small)
    repeated, more_parts = events()
    assert repeated == count and len(count) > 2000 and more_parts > few_parts


def test_cells_have_the_cards_of_their_rules(stations) -> None:
    findings = Findings(stations)
    assert (
        set(findings.pieces["cell"]) == {0}
        and findings.pieces.height == 51
        and findings.pieces["copies"].sum() == 54
    )
    plain = Findings(stations.only([1])).pieces
    assert plain["piece"].to_list()[0] == "blue 3 ..." and plain.height == 12 and plain["copies"].sum() == 54


def test_where_the_baseline_has_no_pieces_others_are_shown(stations) -> None:
    """The words say which cells have which pieces; those to look at come first, if they have any."""
    run = with_words(stations, pieces=[piece for piece in stations.words.pieces if piece.cells == [1]])
    assert set(Findings(run).pieces["cell"]) == {1} and Findings(run).pieces.height == 12
    assert Findings(with_words(stations, pieces=[])).pieces.is_empty()


def test_a_run_without_a_trace_of_pieces_has_none(tmp_path: Path) -> None:
    run = made_stories(tmp_path, [Story([(0, 0)], (1, 0))])
    assert Findings(run).pieces.is_empty() and Findings(run).piece_kinds.is_empty()

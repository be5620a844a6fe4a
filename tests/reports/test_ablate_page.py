"""What an ablation says, from literal rows: the greatest effect beyond luck first, then what changes nothing."""

from __future__ import annotations

import polars as pl
from simkit.content.reports import ablate
from simkit.content.reports.ablate import FALLS, MeasuredEffects

from simkit.questions.ablate import TURNS


def measure(name: str, *effects: tuple[str, float, float]) -> MeasuredEffects:
    """A measure of components with their effects and adjusted p-values; joint intervals are ±0.02."""
    rows = [
        {
            "component": component,
            "effect": effect,
            "p_adjusted": p,
            "joint_low": effect - 0.02,
            "joint_high": effect + 0.02,
        }
        for component, effect, p in effects
    ]
    heading, subject = {FALLS: ("its seat", "its seat wins"), TURNS: ("turns", "a game takes")}[name]
    units = (1.0, "turns", 2) if name == TURNS else ()
    return MeasuredEffects(name, heading, subject, "if “{}” is blank,", pl.DataFrame(rows), *units)


WINS = measure(FALLS, ("crown", -0.1, 0.001), ("charm", 0.04, 0.02), ("stone", -0.3, 0.2))
LENGTH = measure(TURNS, ("crown", 0.01, 0.6), ("stone", 0.5, 0.01))


def test_the_greatest_effect_beyond_luck_is_named_and_the_others_counted() -> None:
    texts = [sentence.text for sentence in ablate.effect_sentences([WINS, LENGTH], "card")]
    assert texts == [
        "If “crown” is blank, its seat wins 10.0 games of 100 less (−12.0 to −8.0); the effects of two cards are beyond luck.",
        "If “stone” is blank, a game takes 0.50 turns more (+0.48 to +0.52).",
    ]


def test_what_no_component_changes_is_one_sentence_with_the_luck() -> None:
    idle = measure(FALLS, ("crown", -0.1, 0.3))
    (sentence,) = ablate.effect_sentences([idle], "card")
    assert sentence.text == (
        "No card was shown to change how often its seat wins (each effect is known to about ±2.0 games of 100)."
    )


def test_that_nothing_changes_who_wins_comes_before_a_change_of_the_length() -> None:
    """The headline was 0.06 of a turn in a game of 32."""
    idle = measure(FALLS, ("crown", -0.1, 0.3))
    texts = [sentence.text for sentence in ablate.effect_sentences([LENGTH, idle], "card")]
    assert [text.partition(",")[0].partition(" how")[0] for text in texts] == [
        "No card was shown to change",
        "If “stone” is blank",
    ]


def test_a_row_of_the_table_has_all_effects_and_the_most_certain_stands_first() -> None:
    assert ablate.effect_rows([WINS, LENGTH], "card") == [
        {"card": "crown", "its seat": "−10.0 (−12.0 to −8.0)", "turns": "+0.01 (−0.01 to +0.03)"},
        {"card": "stone", "its seat": "−30.0 (−32.0 to −28.0)", "turns": "+0.50 (+0.48 to +0.52)"},
        {"card": "charm", "its seat": "+4.0 (+2.0 to +6.0)", "turns": ""},
    ]


def test_the_tile_names_the_components_whose_changes_cost_and_help_most() -> None:
    lines = [(line.number, line.note) for line in ablate.strongest_lines([LENGTH, WINS])]
    assert lines == [
        ("crown", "if changed, its seat wins 10.0 games of 100 less"),
        ("charm", "if changed, its seat wins 4.0 games of 100 more"),
    ]
    assert [line.number for line in ablate.strongest_lines([LENGTH])] == ["none surely changes who wins"]

"""Effects of each option on each measure, alone and averaged over the others, and of two options together."""

import polars as pl

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.screens import effects_picture, effects_table
from simkit.reporting.text.screens import MATTERS, label_effects, measures_of, method, spread_sentences

DIALS_CAPTION = "Effects with a verdict on either; those of two options are beyond the sum of each"


def screen_dials(findings: Findings) -> Section:
    """Return the effects."""
    rows = label_effects(findings, findings.dials)
    pairs = label_effects(findings, findings.together.filter(pl.col("with").is_not_null(), verdict=MATTERS))
    figures = [effects_picture(findings, rows, measure) for measure in measures_of(rows)[1:2]]
    texts = [method(findings), *spread_sentences(findings)]
    listed = effects_table([*rows, *pairs], DIALS_CAPTION)
    return Section("What each option changes", texts, figures, [listed])

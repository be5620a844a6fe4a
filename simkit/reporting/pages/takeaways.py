"""Sentences of the brief with the queries that reproduce their numbers."""

from collections.abc import Iterable

from simkit.analysis import Findings
from simkit.reporting.document import Takeaway
from simkit.reporting.text.phrases import Sentence, Summary, prose


def query(findings: Findings, *tables: str) -> str:
    """Return Python code that prints tables of the findings in full."""
    prints = [f"print(findings.{name}.write_csv())" for name in tables]
    polars = ["import polars as pl"] if any("pl." in line for line in prints) else []
    start = ["from simkit.analysis import open_findings", f"findings = open_findings({findings.run.place!r})"]
    return "\n".join([*polars, *start, *prints])


def as_takeaways(findings: Findings, sentences: Iterable[Sentence], kind: str = "") -> list[Takeaway]:
    """Return sentences as takeaways of a kind, each with the query that reproduces its numbers."""
    return [Takeaway(prose(sentence.text), query(findings, sentence.rests), kind) for sentence in sentences]


def takeaways_of(findings: Findings, summary: Summary, *tables: str) -> list[Takeaway]:
    """Return the answer, the advice and the notes on certainty of a summary that rests upon these tables."""
    source = query(findings, *tables)
    advice = [Takeaway(summary.advice, source, "advice")] if summary.advice else []
    notes = [Takeaway(note, kind="sure") for note in summary.sure]
    return [Takeaway(summary.headline, source, "answer"), *advice, *notes]

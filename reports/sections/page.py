"""The frame of every page: title, question, how it was computed, what the words mean."""

from __future__ import annotations

from reports.sections.method import WORDS, facts, versions
from reports.sections.who import option_notes, who_section
from simkit.report import Report, Section, Takeaway
from simkit.runlog import Run


def page(
    run: Run,
    kind: str,
    takeaways: list[Takeaway],
    warnings: list[str],
    sections: list[Section],
    words: list[tuple[str, str]],
) -> Report:
    """A report on a run; `kind` ends its title, `words` are those beyond the usual ones and go before those of the same name."""
    known = [term for term, _ in words]
    after = 1 if sections and sections[0].heading == "What to run instead" else 0
    return Report(
        title=f"{run.experiment.game.replace('_', ' ')}: {kind}",
        question=run.experiment.question,
        takeaways=takeaways,
        warnings=warnings,
        sections=[*sections[:after], *who_section(run), *sections[after:]],
        command=run.manifest.get("command") or f"simkit run {run.folder.name}/experiment.toml",
        facts=facts(run),
        versions=versions(run),
        words=[one for one in WORDS if one[0] not in known] + words,
        notes=option_notes(run),
    )

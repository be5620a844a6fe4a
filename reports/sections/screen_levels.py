"""The two values of every option screened, and the options left out, with the reasons."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, labels_of, prose, table

TEXT = prose("""Without other words a number is held against the value a quarter of its range away, a flag
    against its other value, a choice against its first other one (--options NAME=LOW:HIGH and NAME=A/B say
    others).""")


def section(findings: Findings) -> Section | None:
    """Return the values, or None for a run without screened options."""
    if findings.run.kind != "screen":
        return None
    screen, labels = findings.run.screened, labels_of(findings)
    levels = screen.levels
    frame = pl.DataFrame(
        {
            "label": [labels.option(name) for name in levels],
            "first_value": [labels.value(name, low) for name, (low, _) in levels.items()],
            "second_value": [labels.value(name, high) for name, (_, high) in levels.items()],
            "meaning": [labels.meaning(name) for name in levels],
            "name": list(levels),
        }
    )
    heads = {"label": Show("option"), "first_value": Show("first"), "second_value": Show("second")}
    heads |= {"meaning": Show("meaning"), "name": Show("in commands")}
    listed = table(findings, frame, list(frame.columns), "Options and their two values", **heads)
    omitted = f"{len(screen.notes)} left out" if screen.notes else "none left out"
    return Section(f"{len(levels)} options were screened, {omitted}", [TEXT, *screen.notes], tables=[listed])

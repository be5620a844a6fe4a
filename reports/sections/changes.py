"""Effects of each rule set on everything but who wins, and the gain from playing the same deals."""

from simkit.reporting.pages import Findings, Section
from simkit.reporting.text.changes import NOTHING, NOTHING_SHARED, also_changed, pairing
from simkit.reporting.text.phrases import headed, in_words, prose
from simkit.reporting.text.rules import rule_name

MAX_RULE_SETS_NAMED = 4  # rule sets with the same changes that are named


def section(findings: Findings) -> Section | None:
    """Return a sentence per group of rule sets with the same changes, or None without a comparison."""
    if not findings.comparisons.width:
        return None
    rule_label, names_of = rule_name(findings), dict[str, list[str]]()
    for setting, change in also_changed(findings):
        names_of.setdefault(change, []).append(rule_label(setting))
    short_groups = {change: names for change, names in names_of.items() if len(names) <= MAX_RULE_SETS_NAMED}
    long_groups = {change: names for change, names in names_of.items() if len(names) > MAX_RULE_SETS_NAMED}
    texts = [f"{headed('; '.join(names), change)}." for change, names in short_groups.items()]
    others = "others" if texts else "rule sets"
    texts += [f"{len(names)} {others}: {change}." for change, names in long_groups.items()]
    return Section(_heading(findings, names_of), [*texts, prose(pairing(findings).text)])


def _heading(findings: Findings, names_of: dict[str, list[str]]) -> str:
    """Count the rule sets that change anything other than who wins."""
    total = sum(map(len, names_of.values()))
    moved = sum(len(names) for change, names in names_of.items() if change not in (NOTHING, NOTHING_SHARED))
    with_every = " with every lineup" if findings.comparisons["lineup"].n_unique() > 1 else ""
    if not moved:
        return f"What else the rules change is not settled{with_every}"
    subject = (
        f"{moved} of {total} other rule sets"
        if total > moved
        else f"{'Both' if moved == 2 else f'All {in_words(moved)}'} other rule sets"
    )
    subject = subject if total > 1 else "The other rule set"
    verb = "change" if moved > 1 else "changes"
    return f"{subject} {verb} something other than who wins beyond luck{with_every}"

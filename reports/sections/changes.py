"""What each rule set changes besides who wins, and what the same deals gained."""

from simkit.reporting.pages import Findings, Section
from simkit.reporting.text.changes import NOTHING, NOTHING_SHARED, also_changed, pairing
from simkit.reporting.text.phrases import headed, in_words, prose
from simkit.reporting.text.rules import rule_name

MOST = 4  # rule sets of which the same is said that are named


def section(findings: Findings) -> Section | None:
    if not findings.comparisons.width:
        return None
    name, told = rule_name(findings), dict[str, list[str]]()
    for setting, said in also_changed(findings):
        told.setdefault(said, []).append(name(setting))
    few = {said: some for said, some in told.items() if len(some) <= MOST}
    rest = {said: some for said, some in told.items() if len(some) > MOST}
    texts = [f"{headed('; '.join(some), said)}." for said, some in few.items()]
    others = "others" if texts else "rule sets"
    texts += [f"{len(some)} {others}: {said}." for said, some in rest.items()]
    return Section(_heading(findings, told), [*texts, prose(pairing(findings).text)])


def _heading(findings: Findings, told: dict[str, list[str]]) -> str:
    """How many rule sets change anything besides who wins."""
    every = sum(map(len, told.values()))
    moved = sum(len(some) for said, some in told.items() if said not in (NOTHING, NOTHING_SHARED))
    sure = "beyond luck" + " with every lineup" * (findings.comparisons["lineup"].n_unique() > 1)
    if not moved:
        return f"No rule set changes anything besides who wins {sure}"
    which = (
        f"{moved} of {every} other rule sets"
        if every > moved
        else f"{'Both' if moved == 2 else f'All {in_words(moved)}'} other rule sets"
    )
    which = which if every > 1 else "The other rule set"
    return f"{which} {'change' if moved > 1 else 'changes'} something other than who wins {sure}"

"""How much there is to decide and how long one waits, from the trace: over all seats, and by seat."""

from simkit.pages import Findings, Section, here, prose, table
from simkit.pages.commands import trace_command
from simkit.pages.measures import measure_tables
from simkit.words import headings

MEASURES = {
    "branching": ("possibilities per decision", "{:.1f}"),
    "most": ("most possibilities at one decision", "{:.0f}"),
    "choice": ("actions that were a choice", "{:.0%}"),
    "per_turn": ("decisions in a turn of one's own", "{:.2f}"),
    "wait": ("decisions of others between two turns", "{:.1f}"),
    "wait_p95": ("the same, in all but 5 % of the waits at most", "{:.0f}"),
}
READING = prose("""What a player has to do. Few possibilities and few choices: quick and light, perhaps played
    by the game itself; many: heavier, perhaps slow. Decisions of others between two turns are the wait at the
    table (downtime).""")


def section(found: Findings) -> Section:
    looked = found.looked()
    if looked.load.is_empty():
        how = f"to get it: {trace_command(found.run)}"
        return Section("Load", [f"How much there is to decide is counted with a turn trace only; {how}"])
    if looked.load["branching"].is_null().all():
        return Section("Load", ["In the games traced there was nothing to decide: every action was forced."])
    measures = [(looked.load, name, name, *measure) for name, measure in MEASURES.items()]
    numbers = measure_tables(looked, measures, "Decisions and waiting", "mean")
    names = "cell seat branching choice per_turn wait wait_p95 n"
    by_seat = table(looked, looked.load_by_seat, names, "Decisions and waiting by seat")
    return Section(headings.load(found), [READING, *filter(None, [here(found)])], tables=[*numbers, by_seat])

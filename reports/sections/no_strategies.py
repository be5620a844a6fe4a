"""The commands for a round robin, for a run in which no two strategies met."""

from typing import Any

from simkit.reporting.pages import Findings, Section, prose
from simkit.reporting.pages.commands import command_again, instead, written
from simkit.runs.run import Run

NO_TEAMS_MET = prose("""In this run no two strategies played as teams, and none shared a team with another:
    the commands below play them as teams and seat by seat.""")
NOTHING = prose("""In this run no strategy met another, so there is nothing to rank: the commands below play
    the strategies against each other.""")


def section(findings: Findings) -> Section | None:
    """Return the commands, or None where strategies met, or teams of them were played."""
    run = findings.run
    meetings = (findings.team_strategies, findings.mixed_teams) if run.team else (findings.ranking,)
    if any(table.height for table in meetings):
        return None
    text = prose(f"""Type these commands in a terminal: they write an experiment file, play it and write its
        report. To add more strategies to the file, list them with
        {command_again(run, "strategies", run.experiment.game)}.""")
    return instead(NO_TEAMS_MET if run.team else NOTHING, text, _round_robin(run))


def _round_robin(run: Run) -> str:
    names = list(dict.fromkeys(label for cell in run.cells for label in cell.labels))
    names += [] if len(names) > 1 else ["random"] if names != ["random"] else ["ANOTHER STRATEGY"]
    seats = max(cell.seats for cell in run.cells)
    keys: dict[str, Any] = {"question": f"Which strategy is best at {run.experiment.game.replace('_', ' ')}?"}
    keys |= {"sweep": {}, "baseline": {}, "rotate": True, "deals": max(2_000, run.experiment.deals)}
    if run.team:
        keys["lineups"] = [[names[0]] * (seats - n) + [names[1]] * n for n in range(seats + 1)]
        return written(run, "strategies", "strategies", **keys, round_robin=[])
    if seats == 2:
        return written(run, "strategies", "strategies", **keys, round_robin=names, mirrors=True, lineups=[])
    keys["lineups"] = [[name] * (seats - 1) + [other] for name in names for other in names]
    return written(run, "strategies", "strategies", **keys, round_robin=[])

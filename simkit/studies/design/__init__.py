"""Rule design: Bayesian optimisation over options for several wishes.

`side_runs/printed` measures the printed rules; `side_runs/round1` ... play a few settings each on few of the
same deals; `side_runs/race1` ... play on all deals the settings that are not clearly worse than the best. The
run in the folder itself plays the best settings and the printed rules.
"""

from simkit.analysis import goals as goal_analysis
from simkit.analysis.goals import Goal, Printed
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.schemas.search import RuleDesign, Trial
from simkit.studies.design.request import PRINTED, Request
from simkit.studies.design.search import Judged, explore
from simkit.studies.study import Play, Setting


class DesignStudy(Request):
    """A search for rules that meet the wishes."""

    def search(self, play: Play) -> tuple[Experiment, RuleDesign]:
        """Measure settings; return the confirmation of the best."""
        names = [PRINTED]
        base = play(self.side_run([self.printed], self.deals), PRINTED)
        goals = self.goals()
        printed = goal_analysis.printed_of(base, goals)
        goals = goal_analysis.scaled(goals, printed)

        def measure(settings: list[Setting], deals: int, name: str) -> list[Judged]:
            names.append(name)
            return _judged(goals, printed, play(self.side_run(settings, deals), name), settings)

        (printed_judged,) = _judged(goals, printed, base, [self.printed])
        judged, refused = explore(self, printed_judged, measure)
        results = RuleDesign(
            vary=self.vary,
            goals=list(goals),
            trials=[self._trial(candidate) for candidate in judged],
            printed=self.named(self.printed),
            refused=refused,
            deals=self.deals,
            side_runs=names,
        )
        return self.confirmation(self._best(judged)), results

    def _trial(self, judged: Judged) -> Trial:
        """Return a measured setting as `search.json` records it."""
        setting, (_, deals, loss, _, rows) = self.named(judged.setting), judged
        return Trial.model_validate({"setting": setting, "deals": deals, "loss": loss, "rows": rows})

    def _best(self, judged: list[Judged]) -> list[Setting]:
        """Return the best settings other than the printed rules, of those that were measured on all deals."""
        full = [candidate for candidate in judged if candidate.deals == self.deals]
        ranked = sorted(full, key=lambda candidate: candidate.loss)
        settings = [candidate.setting for candidate in ranked if candidate.setting != self.printed]
        return settings[: self.best]


def _judged(goals: list[Goal], printed: Printed, run: Run, settings: list[Setting]) -> list[Judged]:
    """Return each setting with its loss, from the cells of its run."""
    rows = goal_analysis.measured(run, goals, printed)
    judged = []
    for place, setting in enumerate(settings):
        setting_rows = [row for row in rows if row["setting"] == place]
        loss, hope = (goal_analysis.loss(goals, setting_rows, hopeful) for hopeful in (False, True))
        judged.append(Judged(setting, run.cells[0].deals, loss, hope, setting_rows))
    return judged

"""The ladder of a run: players of rising strength at the settings that the answer of the run is about."""

from simkit.analysis import Findings
from simkit.analysis.table import setting_words
from simkit.reporting.text.answer import near_fair
from simkit.runs.run import Run
from simkit.studies.ladder import LadderStudy
from simkit.studies.study import tied


def ladder_of(run: Run) -> LadderStudy | None:
    """Return the ladder that a run asks for: at the baseline (the first setting) and settings near fair."""
    keys, findings = run.experiment, Findings(run)
    if keys.skill is None:
        return None
    first = next((cell for cell in run.cells if cell.baseline), run.cells[0])
    wanted = {setting_words(first.varied), *near_fair(findings)}
    settings = {words: cell.varied for cell in run.cells if (words := setting_words(cell.varied)) in wanted}
    names = list(first.varied)
    kept = keys.model_dump(include={"options", "files", "target", "keep_going"}, exclude_defaults=True)
    return LadderStudy(
        game=keys.game,
        lineups=[[f"random*{first.seats}"]],
        deals=keys.skill.deals,
        seed=keys.seed,
        margin=keys.margin,
        more=kept,
        sweep=tied(names, (varied.values() for varied in settings.values())) if names else {},
        given=keys.skill.rungs,
    )

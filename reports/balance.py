"""Is the game fair, for whom, and along the options varied: the default page of a run."""

from simkit.pages import Recipe

recipe = Recipe(
    "balance report",
    """answer highlights who seats advantage next_steps cures verdicts stopping skill strategies
    team_strategies mixed_teams contributions crew length load drama components endings scores stories""",
)

"""The default page of a run: whether the game is fair, for whom, and along the options varied."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "balance report",
    """
    answer feel next_steps playtest
    All settings: advantage best_choices seats cures
    Who played: who skill luck strategies team_strategies mixed_teams
    How it feels: yardsticks beginners drama length load kingmaking endings scores contributions
    What goes with winning: pieces components crew
    Games worth a look: stories
    How sure: confirmed verdicts stopping
    """,
)

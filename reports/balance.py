"""The default page of a run: whether the game is fair, for whom, and along the options varied."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "balance report",
    """
    answer next_steps
    Seats and settings: confirmed seats verdicts best_choices cures
    Players: who skill strategies
    Length: length load
    Tension: drama yardsticks
    Skill and luck: beginners luck kingmaking
    How games end: endings scores
    What goes with winning: pieces components
    Games worth a look: stories
    """,
    of_team="""
    answer next_steps
    Settings: confirmed verdict_map verdicts
    Players: who team_strategies mixed_teams
    Length: length load yardsticks
    Skill and luck: beginners luck
    How games end: endings scores
    Who contributes: contributions
    Members and components: crew pieces components
    Games worth a look: stories
    """,
)

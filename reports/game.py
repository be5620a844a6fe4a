"""The game page: one rule set, with its components and stories in the middle."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "what happens in the game",
    """
    answer
    The rules: rules
    Seats: seats
    Length: length load
    Tension: drama yardsticks
    Skill and luck: beginners luck skill
    How games end: endings scores
    What goes with winning: pieces components
    Games worth a look: stories
    Verdicts and players: verdicts stopping who
    """,
    question="What happens in a game of {game}?",
    of_baseline=True,
)

"""The game page: one rule set, with its components and stories in the middle."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "what happens in the game",
    """
    answer
    The game: rules
    What goes with winning: pieces components
    Games worth a look: stories
    How it feels: yardsticks beginners drama length load endings scores
    Who played: who skill luck seats
    How sure: verdicts stopping
    """,
    question="What happens in a game of {game}?",
    of_baseline=True,
)

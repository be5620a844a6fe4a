"""Which of two strategies is stronger, by how many Elo: the test look by look, deals, seats."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "match report",
    """
    match match_next
    The match: match_course match_seats
    Who played: who luck
    """,
    instead="""no_match
    Who played: who luck seats""",
)

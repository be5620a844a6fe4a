"""simkit: is this tabletop game fair, for whom, and what would a rule change do?"""

__version__ = "0.2.0"

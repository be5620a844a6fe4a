"""The equilibrium page: the first player's wins under best choices, the best mixes and every pairing."""

from simkit.reporting.pages import Recipe

from .sections.equilibrium import equilibrium
from .sections.equilibrium_matrix import equilibrium_matrix
from .sections.equilibrium_mixes import equilibrium_mixes
from .sections.mirrors import mirrors
from .sections.who import who

recipe = Recipe(
    "best choices report",
    brief=[equilibrium],
    chapters={
        "Who is chosen": [equilibrium_mixes],
        "Every pairing": [equilibrium_matrix],
        "What the seats are worth": [mirrors],
        "Players": [who],
    },
    needs="a run of simkit equilibrium",
    fits=lambda findings: findings.equilibrium.width > 0,
)

"""Questions: Write down the balance targets of a game."""

from simkit.cli.asking import Invocation, asks
from simkit.cli.gated import print_gated
from simkit.cli.options import shared
from simkit.questions.lock import lock as question


@asks(question)
@shared("json")
def lock(ask: Invocation, as_json: bool) -> None:
    """Print what the claims measure now."""
    print_gated(ask(), as_json)

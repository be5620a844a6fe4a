"""Questions: Write down the balance targets of a game."""

from simkit.cli.asking import Invocation, asks
from simkit.cli.gated import print_gate_results
from simkit.cli.options import shared_options
from simkit.questions.lock import lock as question


@asks(question)
@shared_options("json")
def lock(ask: Invocation, as_json: bool) -> None:
    """Print what the claims measure now."""
    print_gate_results(ask(), as_json)

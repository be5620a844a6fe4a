"""Kingmaking: how often the player in last place decides which of the others wins."""

from simkit.reporting.pages import Findings, Section, Show, labels_of, prose, table
from simkit.reporting.text.luck import king_sentence

KINGMAKING_METHOD = prose("""To make a king is to decide which of the others wins when one can no longer win.
    A choice in the last third of a game, of the player who alone has the fewest points (last) or the most
    (leader), is played on eight times with each possible action: how much more often does another player win?
    Programs do not choose out of spite; people may.""")


def kingmaking(findings: Findings) -> Section | None:
    """Return the numbers, or None for a run without kingmaking: not requested, two seats, or a team."""
    rows = findings.kingmaking
    if rows.is_empty() or (last := rows.filter(role="last")).is_empty():
        return None
    sentences = map(king_sentence, labels_of(findings).label(last).rows(named=True))
    heads = {
        "king": Show("makes the king", "{:.1%}", "who wins differs beyond luck, itself it never wins"),
        "others": Show("changes the others", "{:.1%}", "who is best of the others differs beyond luck"),
        "wins": Show("may win", "{:.1%}", "the player itself wins one of the games played on"),
        "choices": Show("choices", "{:.1f}", "possible actions, on average"),
        "role": Show("player", str),
    }
    names = "cell role king king_low king_high others wins choices games"
    numbers = table(findings, rows, names, "What late choices change", **heads)
    return Section("Kingmaking", [*sentences, KINGMAKING_METHOD], tables=[numbers])

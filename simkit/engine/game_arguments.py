"""Arguments of `Game(...)` in earlier versions, and their replacements for an error message."""

from collections.abc import Iterable

from simkit.errors import unknown

MOVED = {
    "game_log": "log=Log(game=...)",
    "seat_log": "log=Log(seat=...)",
    "trace_log": "log=Log(trace=...)",
    "trace": "log=Log(note=...)",
    "tables_fields": "components=Components(fields=...)",
    "tables": "components=Components(build=...)",
    "files": "components=Components(files=...)",
    "rules_text": "words=Words(rules=...)",
    "seat_names": "words=Words(seats=...)",
    "score_word": "words=Words(score=...)",
    "turns_of": "words=Words(turns_of=...)",
    "provenance": "words=Words(provenance=...)",
    "known": "known_answers=[...]",
}


def check(given: Iterable[str], arguments: Iterable[str]) -> None:
    """Raise TypeError for an argument that `Game(...)` does not have; it names the replacement."""
    for name in given:
        if name in MOVED:
            raise TypeError(f"Game(...) has no argument '{name}'; it is {MOVED[name]} now")
        if name not in arguments:
            raise TypeError(str(unknown("argument of Game(...)", name, arguments)))

"""Sentences about a search for rules that meet wishes: the setting found, or the nearest one."""

from collections.abc import Sequence

from simkit.analysis import Findings
from simkit.analysis.goals import FAIRNESS, MET, MISSED, OPEN, Goal, goals_of
from simkit.formatting import counted
from simkit.reporting.text.changes import measure_name
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import Row, capital, listed, number, percent, span

VERDICT_WORDS = {MET: "met", MISSED: "not met", OPEN: "not proven"}


def labelled(findings: Findings) -> list[Row]:
    """Return the settings checked on fresh deals in words, the nearest to the wishes first.

    name: of the setting; columns: its options; verdicts: by wish, over all lineups and seats; measured: rows
    of `wishes` with what, amount and ends in words.
    """
    goals, labels = goals_of(findings.run), labels_of(findings.whole or findings)
    called, side, settings = labels.of_column("lineup") or str, side_of(findings.run).name, list[Row]()
    for setting in findings.checked_settings.rows(named=True):
        measured = [
            row | in_words(goals[row["goal"]], row, side) | {"lineup": called(row["lineup"])}
            for row in findings.wishes.filter(setting=setting["setting_number"]).rows(named=True)
        ]
        verdicts = {
            wish: _joint([row for row in measured if row["wish"] == wish]) for wish in wishes_of(goals)
        }
        words = {"name": setting_of(findings, setting), "columns": labels.in_columns(setting["cell"])}
        settings.append(setting | words | {"verdicts": verdicts, "measured": measured})
    return settings


def in_words(goal: Goal, row: Row, side: str) -> Row:
    """Return the measure of a goal, its value, and its interval, signed if it is of a difference."""
    share = goal.unit == "share"
    ends = span(row["low"], row["high"], 1 if share else 2, goal.printed, 100 if share else 1)
    return {
        "what": goal_words(goal, side),
        "amount": amount(goal, row["value"]),
        "ends": ends + (" %" if share else ""),
    }


def _joint(rows: Sequence[Row]) -> str:
    """Return the verdict on a wish over lineups and seats."""
    kinds = {row["verdict"] for row in rows}
    return MISSED if MISSED in kinds else MET if kinds == {MET} else OPEN


def wishes_of(goals: Sequence[Goal]) -> list[str]:
    """Return the wishes; one may have several goals."""
    return list(dict.fromkeys(goal.wish for goal in goals))


def setting_of(findings: Findings, row: Row) -> str:
    """Return a checked setting by its differences from the printed rules."""
    if row["printed"]:
        return "the printed rules" if labels_of(findings).book == "rulebook" else "the usual rules"
    cells = (findings.whole or findings).run.cells
    return labels_of(findings).short(next(cell.varied for cell in cells if cell.index == row["cell"]))


def chosen(settings: Sequence[Row]) -> Row:
    """Return the setting that the answer names: one that meets all wishes or misses none, else the nearest.

    A setting that meets all is named before the printed rules that do.
    """
    meeting = sorted(filter(meets, settings), key=lambda row: bool(row["printed"]))
    hopeful = [row for row in settings if MISSED not in row["verdicts"].values()]
    return (meeting or hopeful or list(settings))[0]


def meets(setting: Row) -> bool:
    """Return whether a setting meets all wishes."""
    return set(setting["verdicts"].values()) == {MET}


def design_headline(settings: Sequence[Row]) -> str:
    """Return the setting that meets all wishes on fresh deals, or that misses none, or the nearest."""
    best, printed = chosen(settings), next((row for row in settings if row["printed"] and meets(row)), None)
    wishes = _all(len(best["verdicts"]))
    if printed:
        also = "" if best["printed"] else f" So does {best['name']}."
        return f"{capital(printed['name'])} meet {wishes} on fresh deals.{also}"
    if meets(best):
        return f"{capital(best['name'])} meets {wishes} on fresh deals."
    if MISSED not in best["verdicts"].values():
        return f"{capital(best['name'])} may meet {wishes}: {_standing(best)}."
    return f"No setting checked meets {wishes}. The nearest is {best['name']}: {_standing(best)}."


def _all(wishes: int) -> str:
    return {1: "the wish", 2: "both wishes"}.get(wishes, f"all {wishes} wishes")


def _standing(setting: Row) -> str:
    """Return the wishes by their verdicts: those that are met first.

    >>> _standing({"verdicts": {"fairness": "open", "turns=25:35": "met"}})
    '“turns 25 to 35” is met, “fairness” is not proven'
    """
    texts = []
    for kind, words in VERDICT_WORDS.items():
        if wishes := [wish_words(wish) for wish, verdict in setting["verdicts"].items() if verdict == kind]:
            texts.append(f"{listed(wishes)} {'is' if len(wishes) == 1 else 'are'} {words}")
    return ", ".join(texts)


def wish_words(wish: str) -> str:
    """Return a wish in readable words.

    >>> wish_words("turns=25:35"), wish_words("lead_changes>=printed"), wish_words("fairness")
    ('“turns 25 to 35”', '“lead changes at least as printed”', '“fairness”')
    """
    text = wish.replace(">=printed", " at least as printed").replace("<=printed", " at most as printed")
    text = text.replace(">=", " at least ").replace("<=", " at most ")
    if "=" in text:
        text = text.replace("=", " ").replace(":", " to ")
    return f"“{text.replace('_', ' ')}”"


def design_advice(settings: Sequence[Row]) -> str:
    """Return the measures at the setting of the answer and at the printed rules, each measure once."""
    best, printed = chosen(settings), next(row for row in settings if row["printed"])
    texts = []
    there, before = (_ranges(row["measured"]) for row in (best, printed))
    for what, value in there.items():
        texts.append(f"{what} {value}" + ("" if best["printed"] else f" (printed {before[what]})"))
    meeting = sum(map(meets, settings))
    more = (
        f" {meeting} of {counted(len(settings), 'setting')} checked meet all wishes." if meeting > 1 else ""
    )
    return f"At that setting: {'; '.join(texts)}.{more}"


def _ranges(measured: Sequence[Row]) -> dict[str, str]:
    """Return by measure the range of its values over lineups."""
    rows = dict[str, list[Row]]()
    for row in measured:
        rows.setdefault(row["what"], []).append(row)
    ends = {
        what: [f(own, key=lambda row: row["value"])["amount"] for f in (min, max)]
        for what, own in rows.items()
    }
    return {what: low if low == high else f"{low} to {high}" for what, (low, high) in ends.items()}


def goal_words(goal: Goal, side: str) -> str:
    """Return the subject of a wish: the first player wins, turns ..."""
    if goal.wish == FAIRNESS:
        return f"the {side} wins" if not goal.seat else measure_name("share", goal.seat)
    return measure_name(goal.measure, None)


def amount(goal: Goal, value: float) -> str:
    """Return a value in the unit of its goal."""
    return percent(value) if goal.unit == "share" else number(value, 2)


def setting_rows(settings: Sequence[Row]) -> list[Row]:
    """Return a row per checked setting and lineup with a column per goal: value, interval, verdict."""
    rows = list[Row]()
    for setting in settings:
        by_lineup = dict[str, list[Row]]()
        for row in setting["measured"]:
            by_lineup.setdefault(row["lineup"], []).append(row)
        for lineup, measured in by_lineup.items():
            cells = setting["columns"] | ({"lineup": lineup} if len(by_lineup) > 1 else {})
            names = [row["what"] for row in measured]
            for row in measured:
                head = row["what"] if names.count(row["what"]) == 1 else wish_words(row["wish"]).strip("“”")
                cells[head] = f"{row['amount']} ({row['ends']}), {VERDICT_WORDS[row['verdict']]}"
            rows.append(cells)
    return rows

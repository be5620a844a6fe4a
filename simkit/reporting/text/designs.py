"""Sentences about a search for rules that meet wishes: the setting found, or the nearest one."""

from collections.abc import Sequence

from simkit.analysis import Findings
from simkit.analysis.goals import FAIRNESS, MET, MISSED, OPEN, Goal, goals_of
from simkit.reporting.text.changes import measure_name
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import ends, number, percent, span
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import TableRow, capital, join_names

WISH_VERDICTS = {MET: "met", MISSED: "not met", OPEN: "not settled"}
MAX_NAMED_SETTINGS = 3  # settings named in the answer
MAX_DEALS_FACTOR = 100.0  # greatest multiple of the deals played that a next step asks for


def label_settings(findings: Findings) -> list[TableRow]:
    """Return the settings checked on fresh deals in words, the nearest to the wishes first.

    name: of the setting; varied, columns: its options; verdicts: by wish, over all lineups and seats;
    measured: rows of `wishes` with what, amount and ends in words, and how many times the deals would settle
    an open one.
    """
    goals, labels = goals_of(findings.run), labels_of(findings.whole or findings)
    called, side, settings = labels.of_column("lineup") or str, side_of(findings.run).name, list[TableRow]()
    all_varied = {cell.index: cell.varied for cell in labels.run.cells}
    printed = "the printed rules" if labels.book == "rulebook" else "the usual rules"
    for setting in findings.checked_settings.rows(named=True):
        measured = [
            row | measurement_words(goals[row["goal"]], row, side) | {"lineup": called(row["lineup"])}
            for row in findings.wishes.filter(setting=setting["setting_number"]).rows(named=True)
        ]
        kinds: dict[str, set[str]] = {goal.wish: set() for goal in goals}
        for row in measured:
            kinds[row["wish"]].add(row["verdict"])
        verdicts = {
            wish: MISSED if MISSED in own else MET if own == {MET} else OPEN for wish, own in kinds.items()
        }
        varied = all_varied[setting["cell"]]
        name = printed if setting["printed"] else labels_of(findings).short(varied)
        words = {"name": name, "varied": varied, "columns": labels.in_columns(setting["cell"])}
        settings.append(setting | words | {"verdicts": verdicts, "measured": measured})
    return settings


def measurement_words(goal: Goal, row: TableRow, side: str) -> TableRow:
    """Return the measure of a goal, its value, and its interval, signed if it is of a change."""
    share, digits = goal.unit == "share", 1 if goal.unit == "share" else 2
    interval = span(row["low"], row["high"], digits, goal.printed, 100 if share else 1)
    off = min(abs(row["mean"] - end) for end in goal.ends)
    half = (row["high"] - row["low"]) / 2
    return {
        "what": goal_words(goal, side),
        "amount": percent(row["value"]) if share else number(row["value"], 2),
        "ends": f"{interval} %" if share else interval,
        "of_change": goal.printed,
        "times": min(MAX_DEALS_FACTOR, (half / off) ** 2) if off else MAX_DEALS_FACTOR,
    }


def best_setting(settings: Sequence[TableRow]) -> TableRow:
    """Return the setting that the answer names: it meets all wishes, or misses none, or is the nearest."""
    hopeful = [row for row in settings if MISSED not in row["verdicts"].values()]
    return (meeting(settings) or hopeful or list(settings))[0]


def meeting(settings: Sequence[TableRow]) -> list[TableRow]:
    """Return the settings that meet all wishes, the printed rules last."""
    return sorted(filter(meets, settings), key=lambda row: bool(row["printed"]))


def meets(setting: TableRow) -> bool:
    """Return whether a setting meets all wishes."""
    return set(setting["verdicts"].values()) == {MET}


def open_wishes(setting: TableRow) -> list[str]:
    """Return the wishes that are open at a setting; none where another one is missed, which decides."""
    verdicts = setting["verdicts"]
    return [] if MISSED in verdicts.values() else [wish for wish in verdicts if verdicts[wish] == OPEN]


def deals_to_settle(setting: TableRow, deals: int) -> int:
    """Return about how many fresh deals would settle the open wishes of a setting checked on `deals`."""
    times: float = max(row["times"] for row in setting["measured"] if row["verdict"] == OPEN)
    return round(deals * times)


def design_headline(settings: Sequence[TableRow]) -> str:
    """Return the settings that meet all wishes on fresh deals, or one that misses none, or the nearest."""
    best = best_setting(settings)
    if meets(best):
        wishes = join_names(map(wish_words, best["verdicts"]))
        return f"With {best['name']}, every wish is met on fresh deals: {wishes}."
    if MISSED not in best["verdicts"].values():
        return f"{capital(best['name'])} may meet every wish ({_standing(best)})."
    return f"No setting checked meets every wish. The nearest is {best['name']} ({_standing(best)})."


def _standing(setting: TableRow) -> str:
    """Return the wishes by their verdicts: those that are met first."""
    wishes = dict[str, list[str]]()
    for wish, verdict in setting["verdicts"].items():
        wishes.setdefault(verdict, []).append(wish_words(wish))
    kinds = [kind for kind in WISH_VERDICTS if kind in wishes]
    return "; ".join(f"{WISH_VERDICTS[kind]}: {join_names(wishes[kind])}" for kind in kinds)


def wish_words(wish: str) -> str:
    """Return a wish in readable words.

    >>> wish_words("turns=25:35"), wish_words("lead_changes>=printed"), wish_words("fairness")
    ('“turns 25 to 35”', '“lead changes at least as printed”', '“fairness”')
    """
    text = wish.replace("=printed", "= as printed").replace(">=", " at least ").replace("<=", " at most ")
    if "=" in text:
        text = text.replace("=", " ").replace(":", " to ")
    return f"“{' '.join(text.replace('_', ' ').split())}”"


def design_advice(settings: Sequence[TableRow]) -> str:
    """Return the measures there and with the printed rules, and what else meets all wishes."""
    best, printed = best_setting(settings), next(row for row in settings if row["printed"])
    there, before = (_ranges(row["measured"]) for row in (best, printed))
    notes = {what: [] if best["printed"] else [f"printed {value}"] for what, value in before.items()}
    for row in best["measured"] if len(best["measured"]) == len(there) else []:
        if not row["of_change"]:
            notes[row["what"]].insert(0, row["ends"])
    texts = (
        f"{what} {value} ({'; '.join(notes[what])})".removesuffix(" ()") for what, value in there.items()
    )
    others = [row["name"] for row in meeting(settings)[1:]]
    also = f" Every wish is also met with {'; with '.join(others[:MAX_NAMED_SETTINGS])}." if others else ""
    return f"On average there: {'; '.join(texts)}.{also}"


def _ranges(measured: Sequence[TableRow]) -> dict[str, str]:
    """Return by measure the range of its values over lineups."""
    rows = dict[str, list[TableRow]]()
    for row in sorted(measured, key=lambda row: row["value"]):
        rows.setdefault(row["what"], []).append(row)
    return {what: ends(own[0]["amount"], own[-1]["amount"]) for what, own in rows.items()}


def goal_words(goal: Goal, side: str) -> str:
    """Return the subject of a wish: the first player wins, turns ..."""
    if goal.wish == FAIRNESS:
        return f"the {side} wins" if not goal.seat else measure_name("share", goal.seat)
    return measure_name(goal.measure, None)


def setting_rows(settings: Sequence[TableRow]) -> list[TableRow]:
    """Return a row per checked setting and lineup with a column per goal: value, interval, verdict."""
    rows = list[TableRow]()
    for setting in settings:
        by_lineup = dict[str, TableRow]()
        wishes = {(row["what"], row["wish"]) for row in setting["measured"]}
        for row in setting["measured"]:
            cells = by_lineup.setdefault(row["lineup"], setting["columns"] | {"lineup": row["lineup"]})
            several = sum(row["what"] == what for what, _ in wishes) > 1
            head = wish_words(row["wish"]).strip("“”") if several else row["what"]
            cells[head] = f"{row['amount']} ({row['ends']}), {WISH_VERDICTS[row['verdict']]}"
        rows += by_lineup.values()
    return rows

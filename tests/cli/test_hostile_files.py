"""Whatever stands in an experiment, a table of a designer or a lineup is used or refused in one line."""

import pytest
from hostile import DIGITS, LONGER, NAME, NUMBER, fuzz, hostile
from hypothesis import strategies as st

from simkit.engine import registry
from simkit.engine.limits import one_line
from simkit.errors import UsageError
from simkit.runs import experiment, table_files
from simkit.runs.plan import load, make_plan

HEAD = 'question = "Who wins?"\ngame = "pig"\ndeals = 3\n'
LINEUP = 'lineups = ["hold_at*2"]\n'
REFUSED = {
    "a number of 5,000 digits": (HEAD + f"seed = {DIGITS}\n", "a number is too long"),
    "a number of 6,000 hexadecimal digits": (HEAD + f"seed = 0x{6000 * 'f'}\n", "a whole number of more than 64 bits"),
    "a text of 5,000 digits": (HEAD + LINEUP + f'options.goal = "{DIGITS}"\n', "goal takes a whole number 1 to 1000"),
    "a list of lists without end": (HEAD + "seed = " + 20_000 * "[", "nested too deeply"),
    "a table of tables without end": (HEAD + "options" + 90 * ".a" + " = 1\n", "more than 5 deep"),
    "a key without end": (HEAD + "options" + 3_000 * ".a" + " = 1\n", "a key has 100 dots or more"),
    "an order to the terminal": (HEAD.replace("Who", r"\u001b[2JWho"), r"control character '\x1b'"),
    "a name with a null": (HEAD + LINEUP + 'files.cards = "a\\u0000b"\n', r"control character '\x00'"),
    "a margin as good as none": (HEAD + LINEUP + "margin = 1e-300\n", "greater than or equal to 0.0001"),
    "a date in the place of cards": (HEAD + LINEUP + "files.cards = 2020-01-01\n", "should be a valid string"),
    "eighteen million pairs": (HEAD + f"round_robin = {60 * ['random*100']}\n", "at most 1,000,000"),
    "a million settings": (
        HEAD + f"lineups = {[f'hold_at(threshold={n})*2' for n in range(1, 61)]}\n"
        f"[sweep]\ngoal = {list(range(1, 1001))}\nfaces = {list(range(2, 21))}\n",
        "1,140,000 cells; an experiment has at most 1,000,000",
    ),
}  # fmt: skip


def refusal(promise, *arguments):
    """What was refused, in one line that a terminal can show; nothing where it was not."""
    try:
        promise(*arguments)
    except UsageError as error:
        assert one_line(str(error)).isprintable()
        return str(error)
    return ""


def loaded(path):
    result = load(path)
    make_plan(result).check()
    return result


@pytest.mark.parametrize("text, message", REFUSED.values(), ids=list(REFUSED))
def test_an_experiment_that_nobody_can_mean_is_refused(tmp_path, text, message):
    path = tmp_path / "asked.toml"
    path.write_text(text)
    assert message in refusal(loaded, path)


SHORT = st.text(max_size=12) | st.sampled_from(
    ['"', "'''", "\n[", "]]", "=", "{", "#", "\\u0000", "\r", "\x1b", DIGITS]
)
TEXT = NAME.map(lambda name: experiment.toml_text(name))
ATOM = (
    TEXT
    | NUMBER
    | st.sampled_from(["true", "2020-01-01", "1979-05-27T07:32:00Z", "0xffffffffffffffffff", "1e400", "+nan"])
)
ANY = st.recursive(
    ATOM,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda some: f"[{', '.join(some)}]")
        | st.lists(st.tuples(TEXT, inner), max_size=2).map(
            lambda some: "{" + ", ".join(f"{k} = {v}" for k, v in some) + "}"
        )
    ),
    max_leaves=6,
)
GOOD = {
    "question": ['"Who?"', '"""Who\n?"""'],
    "game": ['"pig"', '"kuhn_poker"', '"red_outpost"'],
    "deals": ["1", "3", "10000000000"],
    "seed": ["1", "0"],
    "lineups": ['["hold_at*2"]', '[["random", "random"]]', '["hold_at(threshold=9), random"]'],
    "round_robin": ['["random", "hold_at"]'],
    "options": ["{goal = 9}", '{goal = "9"}'],
    "sweep": ["{goal = [9, 10]}", '{"goal,faces" = [[9, 6], [8, 5]]}', '{"files.mood_track" = ["printed"]}'],
    "baseline": ["{goal = 9}"],
    "called": ['{hold_at = "Anna"}', '{baseline = "now"}'],
    "files": ['{cards = "x.csv"}', '{mood_track = "asked.toml"}'],
    "margin": ["0.02"],
    "trace": ["true", "2"],
    "beginners": ["[0.1]"],
    "report": ['"balance"'],
}
KEYS = (
    st.sampled_from([*GOOD, "until_width", "until_verdict", "target", "kingmaking", "mirrors", "cards", "x"])
    | TEXT
)


@st.composite
def experiments(draw):
    """A good file of which a value or two is not, a key is too much, or some characters are others."""
    keys = {name: draw(st.sampled_from(GOOD[name])) for name in ("question", "game", "deals", "lineups")}
    keys |= {
        name: draw(st.sampled_from(GOOD[name]))
        for name in draw(st.sets(st.sampled_from(list(GOOD)), max_size=3))
    }
    keys |= draw(st.dictionaries(KEYS, ANY, max_size=2))
    text = "".join(f"{name} = {value}\n" for name, value in keys.items())
    for start in draw(st.lists(st.integers(0, len(text)), max_size=2)):
        text = text[:start] + draw(SHORT) + text[start + draw(st.integers(0, 6)) :]
    return text


@pytest.mark.slow
@pytest.mark.proof("runs", "games", "strategies")
def test_any_experiment_is_read_and_reads_back_the_same_or_is_refused(tmp_path):
    path = tmp_path / "asked.toml"

    def promise(text):
        path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
        if not refusal(loaded, path):
            request = load(path)
            path.write_text(request.to_toml(), encoding="utf-8")
            assert load(path).keys() == experiment.resolve_files(request, tmp_path).keys()

    fuzz(3 * LONGER.cheap, experiments(), promise)


TABLES = [
    (of.name, name)
    for of in registry.games().values()
    for name, first in of.components.files.items()
    if first.rows
]
CELL = (
    st.sampled_from(
        ["", "1", "-3", "7", "A..P", "…", "blue", "population", '"', '""', "start_4.pdf", 9 * "9"]
    )
    | NAME
)
CELL |= (
    st.sampled_from([DIGITS, 200_000 * "x", "\0", "\ufeff", "\x1b[2J", "=HYPERLINK(1)", "٣", "1,2;3\t4"])
    | NUMBER
)


@st.composite
def tables(draw, rows):
    """The rows of a good table with some cells, rows and separators changed, as bytes."""
    built = [list(row) for row in rows[: draw(st.integers(0, 6))]]
    for _ in range(draw(st.integers(0, 3))):
        if built:
            row = built[draw(st.integers(0, len(built) - 1))]
            row[draw(st.integers(0, len(row) - 1)) : draw(st.integers(0, len(row)))] = [draw(CELL)]
    text = draw(st.sampled_from(["\n", "\r\n", "\r"])).join(
        draw(st.sampled_from(",;\t")).join(row) for row in built
    )
    data = text.encode("utf-8", "surrogatepass")
    start = draw(st.integers(0, len(data)))
    return data[:start] + draw(st.binary(max_size=3)) + data[start + draw(st.integers(0, 2)) :]


@hostile
@pytest.mark.parametrize("name, table", TABLES)
def test_any_table_of_a_designer_becomes_rules_or_is_refused(times, tmp_path, name, table):
    of, path = registry.game(name), tmp_path / "table.csv"
    rows = table_files.rows(of, table_files.HEAD + table, {}, {})

    def promise(data):
        path.write_bytes(data)
        refusal(lambda: of.rules({}, {table: of.components.files[table].read(path)}))

    fuzz(times.cheap // 3, tables(rows), promise)


WEIGHT = st.sampled_from(["threshold", "blunder", "nope", ""]) | NAME
ENTRY = st.builds(
    "{}({}={}, {}={})*{}".format,
    st.sampled_from(["hold_at", "random", "x"]),
    WEIGHT,
    NUMBER,
    WEIGHT,
    NUMBER,
    NUMBER,
)
ENTRY |= (
    st.builds("hold_at({}={})*2".format, WEIGHT, NUMBER | NAME) | st.builds("random*{}".format, NUMBER) | NAME
)
LINEUPS = st.lists(ENTRY, min_size=1, max_size=3).map(",".join) | st.text("hold_at()=*, 2\n", max_size=30)


@hostile
def test_any_lineup_is_seated_or_refused(times):
    request = {"question": "?", "game": "pig", "deals": 1}

    def promise(text):
        refusal(lambda: make_plan(experiment.parse(request | {"lineups": [text]})).cells)

    fuzz(3 * times.cheap, LINEUPS, promise)


@hostile
def test_the_copies_of_files_stay_in_the_run_folder(times, tmp_path):
    """However files and tables are called, a run keeps them below its folder."""
    from simkit.runs.manifest import with_own_copies

    def promise(names):
        request = {"question": "?", "game": "red_outpost", "deals": 1, "lineups": ["random*2"]}
        request |= {
            "files": {"mood_track": names[0]},
            "sweep": {"files.export_tracks": ["printed", names[1]]},
        }
        if not refusal(lambda: make_plan(experiment.parse(request)).cells):
            for path in with_own_copies(experiment.parse(request)).every_file().values():
                assert (tmp_path / path).resolve().is_relative_to(tmp_path / "files")

    fuzz(times.cheap, st.tuples(NAME, NAME), promise)

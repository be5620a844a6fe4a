"""Which strategies the game needs: Nash weights, α-rank, dominated strategies, circles."""

import polars as pl

from simkit.pages import Findings, Section, Show, at_setting, points, prose, table

TEXT = [
    prose("""Which strategies the game needs. Suppose a table of perfect rivals who may each pick one of these
        strategies, and mix: the Nash weight is how often each is picked when nobody gains by changing.
        α-rank: the part of the time that a group would play it if, now and then, someone copied whatever
        wins. A matchup that is not settled counts as even in both."""),
    prose("""Never right: another strategy (or a mix) does better against every opponent, beyond noise.
        Doubtful: another was nowhere worse in this run, but that may be noise. Needed: the rivals would pick
        it at least once in 20 times."""),
]
WORDS = {
    "Nash weight": "how often perfect rivals would pick a strategy if nobody could gain by another pick.",
    "Effective number of strategies": "how many equally frequent strategies would be as varied as the Nash "
    "weights: 1 means one rules alone.",
    "α-rank": "the part of the time that a group plays a strategy if, now and then, someone copied whatever "
    "wins (Omidshafiei and others 2019).",
    "Dominated": "never the right choice: another strategy, or a mix of others, does better whoever the "
    "opponent is.",
    "Circle": "three strategies of which each beats the next and the last beats the first, as in "
    "rock-paper-scissors.",
}
RING = {"first": "beats the next", "second": "who beats", "third": "who beats the first"}
SHARES = {"first_second": "first", "second_third": "second", "third_first": "third"}
LINK = "lower end of the least of the three shares above one half, in percentage points"


def section(found: Findings) -> Section | None:
    if at_setting(found, found.matchups).is_empty():
        return None
    met = found.matchups["strategy"].unique().to_list()
    scape = found.landscape.filter(pl.col("strategy").is_in(met)).with_columns(_verdict().alias("verdict"))
    reasons = scape["reason"].drop_nulls().unique(maintain_order=True)
    names = "where strategy nash against_nash alpha_rank verdict dominated_by"
    shows = {name: Show(head, "{:.1%}") for name, head in SHARES.items()}
    shows["low"] = Show("weakest link, at least", points, LINK)
    matter = table(found, scape, names, "Which strategies matter")
    ring = table(found, found.cycles, ["where", *RING, *SHARES, "low"], "Circles of three", **RING, **shows)
    text = [*(f"Without numbers: {reason}." for reason in reasons), *TEXT]
    return Section("Which strategies matter", text, tables=[matter, ring], words=WORDS)


def _verdict() -> pl.Expr:
    doubt = pl.when("strictly").then(pl.lit("never right")).otherwise(pl.lit("doubtful"))
    worse = pl.when(pl.col("dominated_by").is_null()).then(pl.lit("")).otherwise(doubt)
    return pl.when(pl.col("nash") >= 0.05).then(pl.lit("needed")).otherwise(worse)

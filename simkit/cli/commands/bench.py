"""Checks: Measure the speed and compile time of games."""

from functools import partial

import click
from click import option

from simkit.cli.options import Within, command, game_or_all, shared_options
from simkit.cli.output import print_json, print_table
from simkit.engine.game import Game
from simkit.engine.lineups import Named, parse_lineup
from simkit.errors import UsageError
from simkit.verify import bench as benchmark


@command()
@game_or_all
@option("--seconds", type=Within(0.01, 60), default=0.5, help="Approximate seconds per round.")
@option("--no-compile", is_flag=True, help="Do not measure compile times.")
@option("--against", "ref", metavar="REF", help="Compare with another checkout: a folder or a git revision.")
@shared_options("lineups", "json")
def bench(
    games: list[Game],
    seconds: float,
    no_compile: bool,
    ref: str | None,
    lineups: tuple[str, ...],
    as_json: bool,
) -> None:
    """Measure the speed and compile time of games.

    Prints games and decisions per second on one core (after warm-up, median of five rounds), play-outs per
    second with the default policy of searches (most of five rounds), compile times, cold and cached, and the
    time of `import simkit`. With --against, both checkouts play the same games alternately, nine rounds each,
    and the ratio of their speeds is printed: 2.00 means twice as fast here.
    """
    matchups = _matchups(games, lineups)
    if ref is not None:
        _compare(matchups, ref, seconds, as_json)
        return
    speeds = [speed for game, tables in matchups for speed in benchmark.speeds(game, tables, seconds)]
    played_on = [benchmark.playout_speed(game, seconds) for game in games]
    compiled = {} if no_compile else {game.name: benchmark.compile_seconds(game) for game in games}
    imported = benchmark.import_seconds()
    if as_json:
        tables = [[speed._asdict() for speed in speeds], [speed._asdict() for speed in played_on]]
        names = ("speeds", "play_outs", "compile_seconds", "import_seconds")
        print_json(dict(zip(names, (*tables, compiled, imported), strict=True)))
        return
    click.echo(f"import simkit: {1000 * imported:.0f} ms\n")
    heads = ("game", "lineup", "games/s", "decisions/s")
    rows = [(s.game, s.lineup, round(s.games), round(s.decisions)) for s in speeds]
    print_table([dict(zip(heads, row, strict=True)) for row in rows])
    for row in played_on:
        click.echo(f"\nplay-outs of {row.game}: {row.per_second:,.0f}/s, {row.policy} in {row.seats} seats")
    form = "{}: kernel {:.1f} s, with all strategies {:.1f} s"
    for name, times in compiled.items():
        times_text = "; ".join(form.format(state, *both) for state, both in times.items())
        click.echo(f"\ncompile {name}: {times_text}")


def _matchups(games: list[Game], texts: tuple[str, ...]) -> list[tuple[Game, list[list[Named]]]]:
    """Return the lineups to time of each game: those given, or the mirror match of every strategy."""
    if texts and len(games) > 1:
        raise UsageError(f"--lineup needs one game: simkit bench GAME --lineup {texts[0]}")
    given_lineups = [parse_lineup(text) for text in texts]
    matchups = [(game, given_lineups or benchmark.lineups(game)) for game in games]
    for game, lineups in matchups:
        for lineup in lineups:
            game.check_lineup(lineup)
    return matchups


def _compare(matchups: list[tuple[Game, list[list[Named]]]], ref: str, seconds: float, as_json: bool) -> None:
    """Print the ratios of this checkout to another one."""
    echo, ratios = partial(click.echo, err=True), list[benchmark.Ratio]()
    for game, lineups in matchups:
        ratios += benchmark.ratios(game, lineups, ref, echo, seconds)
    if not ratios:
        raise UsageError(f"--against {ref}: no lineup could be timed in both checkouts")
    if as_json:
        print_json({"ratios": [ratio._asdict() for ratio in ratios]})
        return
    heads = ("game", "lineup", "games/s there", "here", "ratio", "from", "to")
    rows = [(*ratio[:2], *map(round, ratio[2:4]), *(f"{part:.2f}" for part in ratio[4:])) for ratio in ratios]
    print_table([dict(zip(heads, row, strict=True)) for row in rows])

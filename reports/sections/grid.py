"""Two whole-number options at once: the first player's share over both, a picture per lineup."""

from simkit.reporting.pages import Findings, Section, axes, charts, figure, labels_of, prose
from simkit.reporting.pages.pictures import by_lineup
from simkit.reporting.pages.scope import values
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import capital, games_of_100


def section(findings: Findings) -> Section | None:
    """Return the pictures, or None unless exactly two whole-number options were varied."""
    swept = axes(findings.run)
    if not findings.run.judged or len(swept) != 2 or not all(axis.whole_numbers for axis in swept):
        return None
    down, across = swept
    rows, columns = map(labels_of(findings).axis, (down, across))
    first = findings.first_player_advantage.sort(*down.options, *across.options)
    side = side_of(findings.run)
    parts = {"row": values(findings, down), "column": values(findings, across)}
    alt = f"How often the {side.name} wins, by “{rows}” and “{columns}”"
    chart_options = {"down": rows, "across": columns, "middle": side.aim, "title": f"The {side.name} wins, %"}
    figures = [
        figure(findings, (f"grid{number}", charts.heat), part, alt, lineup, parts, **chart_options)
        for number, lineup, part in by_lineup(findings, first)
    ]
    text = prose(f"""Share of the {side.name} in percent at each {rows} (rows) and {columns} (columns), below
        it half the width of its 95 % interval. White is {side.aim} ({100 * first["fair"][0]:.1f} %), orange
        is more, blue is less; the stronger the colour, the farther off.""")
    shares = first["share"].to_list()
    won = games_of_100(*shares)
    return Section(capital(f"{rows} and {columns} together: the {side.name} wins {won}"), [text], figures)

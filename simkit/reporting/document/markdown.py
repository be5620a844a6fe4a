"""A report as GitHub-flavoured Markdown; special characters are escaped."""

import re
from collections.abc import Mapping
from functools import cache
from urllib.parse import quote

from jinja2 import Template

from simkit.reporting.document.page import environment
from simkit.reporting.document.parts import Report


def render_markdown(report: Report, pictures: Mapping[str, str]) -> str:
    """Return the report as Markdown; figures link to their files in `pictures`, or are described."""
    return _template().render(report=report, pictures=pictures).rstrip() + "\n"


@cache
def _template() -> Template:
    env = environment(autoescape=False)
    env.filters |= {"md": escaped, "quoted": quote, "fence": _fence}
    return env.get_template("page.md")


def escaped(text: str) -> str:
    r"""Escape a text for Markdown and join it on one line.

    >>> print(escaped("a|b <c> `d` e_f [g](h)"))
    a\|b &lt;c&gt; \`d\` e_f \[g\](h)
    """
    text = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"[\\`*\[\]|~$#]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)
    begins_a_list_or_rules_a_line = r"^(\d*)([.)](?=\s|$)|[-+=](?=\s|[-=]*$))"
    return re.sub(begins_a_list_or_rules_a_line, r"\1\\\2", text)


def _fence(text: str) -> str:
    """Return a fence of a code block that is longer than any row of backticks within."""
    return max(["``", *re.findall("`+", text)], key=len) + "`"

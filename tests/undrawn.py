"""Pages without their pictures, which take most of the time that it takes to write a page."""

from collections.abc import Iterator
from contextlib import contextmanager

from markupsafe import Markup

from simkit.page.document import files
from simkit.page.document.parts import Figure


def _blank(figure: Figure) -> Markup:
    return Markup('<div class="picture"></div>')


@contextmanager
def blank_pictures() -> Iterator[None]:
    """Leave the pictures of pages blank; what a picture itself draws stays the same."""
    filters = files.template("page.html").environment.filters
    drawn = filters["drawn"]
    filters["drawn"] = _blank
    try:
        yield
    finally:
        filters["drawn"] = drawn

"""Pages: words, charts, the document, and the recipes that put them together.

`__init__.pyi` lists what a page of a project needs: `from simkit.page import Recipe, Section, table`. Each
name is imported on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

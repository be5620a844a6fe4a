"""simkit: is this tabletop game fair, for whom, and what would a rule change do?

    import simkit as sk

    run = sk.sweep("outpost_seven", {"start_total_second": range(12, 25, 2)}, deals=2000)
    run.seat_shares

`__init__.pyi` lists the exported names; each is imported on first use. A question needs no line there to be
found: `sk.X` is the function of `simkit/questions/X.py` (`make stubs` writes the line for editors).
"""

import importlib
import os
from importlib.util import find_spec

import lazy_loader

__version__ = "0.3.0.dev0"
_listed, _, __all__ = lazy_loader.attach_stub(__name__, __file__)
_files = os.listdir(f"{__path__[0]}/questions")
__all__ = sorted({*__all__, *(name.partition(".")[0] for name in _files if not name.startswith("_"))})


def __getattr__(name):
    try:
        return _listed(name)
    except AttributeError:
        if name.startswith("_") or not find_spec(f"simkit.questions.{name}"):
            raise
    return getattr(importlib.import_module(f"simkit.questions.{name}"), name)


def __dir__():
    return __all__

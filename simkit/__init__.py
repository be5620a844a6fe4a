"""simkit: is this tabletop game fair, for whom, and what would a rule change do?

    import simkit as sk

    run = sk.sweep("outpost_seven", {"start_total_second": range(12, 25, 2)}, deals=2000)
    run.seat_shares

`__init__.pyi` lists the exported names; each is imported on first use.
"""

import lazy_loader

__version__ = "0.3.0.dev0"
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Tables that answer: `Findings(run)` works out each once, when it is first asked for."""

from simkit.analysis.findings import Findings, finding, findings
from simkit.analysis.table import Axis, axes, cells_to_look_at, lineup_words, setting_words

__all__ = ["Axis", "Findings", "axes", "cells_to_look_at", "finding", "findings"]
__all__ += ["lineup_words", "setting_words"]

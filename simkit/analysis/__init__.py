"""Tables that answer: `Findings(run)` works out each once, when it is first asked for."""

from simkit.analysis.findings import Findings, finding, open_findings
from simkit.analysis.table import Axis, axes, cells_to_look_at, lineup_words, setting_words

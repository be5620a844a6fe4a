"""Tables that answer: `Findings(run)` works out each once, when it is first asked for."""

from simkit.analysis.findings import Findings as Findings
from simkit.analysis.findings import finding as finding
from simkit.analysis.findings import findings as findings
from simkit.analysis.table import Axis as Axis
from simkit.analysis.table import axes as axes
from simkit.analysis.table import cells_to_look_at as cells_to_look_at
from simkit.analysis.table import lineup_words as lineup_words
from simkit.analysis.table import setting_words as setting_words

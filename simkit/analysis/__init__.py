"""Result tables of a run: `Findings(run)` computes each table once, on first access."""

from simkit.analysis.findings import Findings, finding, open_findings
from simkit.analysis.table import Axis, axes, cells_to_look_at, lineup_words, setting_words

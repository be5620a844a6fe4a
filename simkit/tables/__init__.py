"""Tables of any run, each computed once: functions that take `Findings`, the tables of a run."""

"""Functions that ask a question: the commands and programs that use simkit call the same ones.

`simkit` exports what is public (`simkit/__init__.pyi`). A question becomes an experiment or a study
(requests.py), is played in a run folder (execution.py) and comes back as a `Result` (results.py).
"""

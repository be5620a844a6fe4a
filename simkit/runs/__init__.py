"""Play an experiment into a run folder (cells, shards, Parquet tables, manifest), open a run, read it."""

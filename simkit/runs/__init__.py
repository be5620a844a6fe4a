"""Play a question into a folder: experiment, cells, shards, Parquet tables, manifest; open a folder and read it."""

"""What every part stands on: records, sources, the cache, shipped files. Knows nothing of rules."""

"""The ground of every part: records, sources, the cache, shipped files. Knows nothing of rules."""

"""From a compiled rule set to the content of a sheet."""

"""From a rule set on disk and the options chosen to an `ir.Program`; `driver` is the pipeline."""

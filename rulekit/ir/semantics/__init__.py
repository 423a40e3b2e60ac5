"""What the operations and statements of the IR mean: the one place that says it."""

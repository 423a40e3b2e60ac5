"""Text and its tree: `tree` holds the classes, `parse` makes them of a text."""

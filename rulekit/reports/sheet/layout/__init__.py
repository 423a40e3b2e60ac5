"""Layout: papers, pages, columns, folds, boards and maps."""

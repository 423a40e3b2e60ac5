"""Where things go: papers, pages, columns, folds, boards and maps."""

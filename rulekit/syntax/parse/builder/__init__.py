"""The tree as written, built from the trees of the grammar: a class for each part of the language."""

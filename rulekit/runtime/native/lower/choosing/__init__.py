"""Choices: one question for each part of an answer, and the options of each."""

"""Choices: the verb that asks, and the norms that limit the answer."""

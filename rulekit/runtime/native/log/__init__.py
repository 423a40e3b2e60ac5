"""The log of modules: the events that a module writes, and how hosts read them."""

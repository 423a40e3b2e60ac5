"""Generated code at work: a game in progress, whole games at once, faults reported."""

"""Items that play reaches, items that no play can reach, and the printed rules that each of them cites."""

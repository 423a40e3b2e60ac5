"""What play reaches, what no play can reach, and the printed rules that each of them cites."""

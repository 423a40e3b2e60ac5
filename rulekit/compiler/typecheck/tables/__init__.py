"""Tables: their shape, what their rows cover, and the dense tables they become."""

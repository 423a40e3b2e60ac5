"""A session as a side, or the host, sees it, and its changes."""

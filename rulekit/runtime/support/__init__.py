"""What generated code calls while it runs: the state's layout and changes, the search for answers."""

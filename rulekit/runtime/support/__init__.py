"""Support for generated code while it runs: the state's layout and changes, the search for answers."""

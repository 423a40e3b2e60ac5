"""From IR to Python source; `assemble` puts a module together."""

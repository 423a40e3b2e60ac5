"""The blocks of a sheet, a module for each kind.  Each makes blocks from a `Context`."""

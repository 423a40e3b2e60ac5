"""What a sheet may hold, a module a kind of block.  Each makes blocks of a `Context`."""

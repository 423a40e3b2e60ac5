"""The meaning of the operations and statements of the IR, defined only here."""

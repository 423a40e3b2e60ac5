"""Lints of tables and rolls."""

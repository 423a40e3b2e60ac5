"""Statements, and the procedures and events they make up."""

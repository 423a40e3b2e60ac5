"""Flows as Python functions: run at once, or cut where a choice may stop them."""

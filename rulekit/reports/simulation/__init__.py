"""Simulations in words: their measures, tables, and reports with plots."""

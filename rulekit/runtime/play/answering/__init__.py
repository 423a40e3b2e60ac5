"""Decisions: legal answers and their spelling, and reasons against all others."""

"""The choice engine: a choice is asked part by part."""

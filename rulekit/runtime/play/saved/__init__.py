"""Sessions as JSON, and back."""

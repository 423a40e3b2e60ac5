"""The contents of a sheet, ready for layout."""

"""Sheets as PDF, SVG, PNG, HTML, Markdown, CSV and JSON."""

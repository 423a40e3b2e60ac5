"""What is known of the questions that a check asks: proved, refuted, unknown with the limit, or not asked.

Findings tell what is refuted; this tells the rest.  `record` is one answer, `asking` asks, `pairs` asks of
options that nobody chose, `telling` puts the answers into words.
"""

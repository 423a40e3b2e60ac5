"""Exact odds from the program itself: every outcome of every die is followed, and equal situations are one.

`explore` follows, `weigh` adds up, `answer` puts both together for a question.
"""

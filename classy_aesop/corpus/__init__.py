"""Judged summaries: what a corpus is, and how to read one."""

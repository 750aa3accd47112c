"""Output of results: tables as text, TSV, JSON and LaTeX, and the folder of an experiment. No statistics."""

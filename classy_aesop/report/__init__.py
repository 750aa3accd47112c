"""Results made readable: tables as text, TSV, JSON and JSON lines, and the folder of an experiment. No statistics."""

"""Files, workers and records: what work is done with, whatever the work."""

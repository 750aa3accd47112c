"""Strings in, integer arrays out: tokens, stems, sentences and counts, each text looked at once."""

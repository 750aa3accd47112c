"""From strings to integer arrays: tokens, stems, sentences and counts; each text is read once."""

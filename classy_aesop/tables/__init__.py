"""Tables that know their columns: declared by purpose, laid out for readers, written to files and read back."""

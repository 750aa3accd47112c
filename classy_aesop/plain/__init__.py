"""Plain data in and out: JSON to values, values to dataclasses, options to a signature."""

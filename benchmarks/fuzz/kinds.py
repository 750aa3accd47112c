"""All readers: what the fuzzer reads files with."""

from benchmarks.fuzz import readers
from benchmarks.fuzz.odd_cells import ODD_CELLS
from benchmarks.fuzz.packed import PACKED
from benchmarks.fuzz.sheets import SHEETS

READERS = {**readers.READERS, **PACKED, **ODD_CELLS, **SHEETS}

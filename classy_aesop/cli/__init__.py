"""The command line: arguments in, one function of the package, output out. No arithmetic here.

`program` holds the parser and what happens around a command; the commands themselves stand in `prediction`, `testing`,
`reliability` and `studies`, with what they share in `base`. Nothing heavy is imported before a command runs, so names
that options choose from are written out; a test holds them to the package's own.
"""

from classy_aesop.cli.base import LAYOUTS
from classy_aesop.cli.program import main

__all__ = ["LAYOUTS", "main"]

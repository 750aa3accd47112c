"""The command line: arguments in, one function of the package, output out. No arithmetic here.

`program` holds the parser and what happens around a command; the commands themselves are in `learning`, `scoring` and
`testing`, and the studies in `classy_aesop.papers`.
Nothing heavy is imported before a command runs: the names that options choose from are those of the registries, read
when they are needed (`choices`).
"""

from classy_aesop.cli.program import main

__all__ = ["main"]

"""``python -m docs.reference DIR`` builds the site, with the pages of reference that are made from the code."""

from __future__ import annotations

import argparse
from pathlib import Path

from docs.reference.site import build


def main() -> int:
    """Build the site; give the exit code."""
    parser = argparse.ArgumentParser(prog="python -m docs.reference", description=__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path, help="the folder to build it in")
    return build(parser.parse_args().folder)


if __name__ == "__main__":
    raise SystemExit(main())

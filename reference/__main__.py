"""``python -m reference``: write the pages that are made from the code; ``python -m reference DIR``: build the site."""

from __future__ import annotations

import argparse
from pathlib import Path

from reference.pages import write_pages
from reference.site import build


def main() -> int:
    """Write the pages, or build the site; give the exit code."""
    parser = argparse.ArgumentParser(prog="python -m reference", description=__doc__)
    parser.add_argument("folder", metavar="DIR", nargs="?", type=Path, help="build the site here")
    folder = parser.parse_args().folder
    if folder is not None:
        return build(folder)
    print("\n".join(write_pages()) or "nothing has changed")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

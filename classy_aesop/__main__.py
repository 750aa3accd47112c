# PYTHON_ARGCOMPLETE_OK
"""Let ``python -m classy_aesop`` be the command line."""

import sys

from classy_aesop.cli import main

sys.exit(main())

"""Let ``python -m classy_aesop`` be the command line."""

import sys

from .cli import main

sys.exit(main())

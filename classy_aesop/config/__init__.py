"""One experiment: which years, which runs, which options, in Python or in a TOML file."""

from classy_aesop.config.base import (
    DEFAULT_METHOD,
    METHODS,
    PEERS,
    PROTOCOLS,
    SCALES,
    Config,
    Cut,
    Run,
    RunTable,
    SearchOptions,
    Year,
)
from classy_aesop.config.checks import check_config
from classy_aesop.config.file import read_config
from classy_aesop.config.presets import PRESETS

__all__ = [
    "DEFAULT_METHOD",
    "METHODS",
    "PEERS",
    "PRESETS",
    "PROTOCOLS",
    "SCALES",
    "Config",
    "Cut",
    "Run",
    "RunTable",
    "SearchOptions",
    "Year",
    "check_config",
    "read_config",
]

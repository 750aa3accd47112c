"""One experiment: which years, which runs, which options, in Python or in a TOML file."""

from classy_aesop.config.from_corpora import (
    judgment_ranges,
    make_config,
    measures_of,
    read_named_years,
    read_years,
)
from classy_aesop.config.keys import (
    DEFAULT_METHOD,
    LEARNING_METHODS,
    PEERS,
    PROTOCOLS,
    RUN_PRESETS,
    SCALE_MAPPINGS,
    Config,
    Cut,
    Run,
    RunTable,
    SearchOptions,
    TaskPeers,
    Year,
)
from classy_aesop.config.toml_file import read_config, to_toml
from classy_aesop.config.validation import check_config

__all__ = [
    "DEFAULT_METHOD",
    "LEARNING_METHODS",
    "PEERS",
    "PROTOCOLS",
    "RUN_PRESETS",
    "SCALE_MAPPINGS",
    "Config",
    "Cut",
    "Run",
    "RunTable",
    "SearchOptions",
    "TaskPeers",
    "Year",
    "check_config",
    "judgment_ranges",
    "make_config",
    "measures_of",
    "read_config",
    "read_named_years",
    "read_years",
    "to_toml",
]

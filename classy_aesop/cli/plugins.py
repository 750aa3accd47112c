"""Plug-ins of the command line: Python files that add parts, as ``--plugin`` names them."""

from __future__ import annotations

import logging
import os
import traceback
from typing import TYPE_CHECKING

from classy_aesop.errors import NOTE, InputError, join_names
from classy_aesop.outside import PLUGIN_MODULE, PLUGINS_VARIABLE, import_file, plugin_paths

if TYPE_CHECKING:
    from classy_aesop.config import Config

_LOG = logging.getLogger(__name__)


def load_plugin(path: str) -> None:
    """Import a Python file that adds parts, once, here and in the worker processes that are started from now on.

    InputError with file and line if it fails; OSError if it cannot be read.
    """
    absolute_path = os.path.abspath(path)
    with open(absolute_path, "rb"):
        pass
    try:
        import_file(absolute_path)
    except Exception as error:
        raise InputError(
            f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}",
            path=path,
            line=_line_of(error, absolute_path),
        ) from error
    os.environ[PLUGINS_VARIABLE] = os.pathsep.join(dict.fromkeys([*plugin_paths(), absolute_path]))


def _line_of(error: Exception, path: str) -> int | None:
    """Find the line of a file in which an error was raised, or which is no Python."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return lines[-1] if lines else None


def note_unused_features(config: Config) -> None:
    """Log which features of plug-ins a configuration does not learn from, and the key that names them."""
    from classy_aesop.features.registry import FEATURES

    names_learned = {*config.search.names, *(name for run in config.runs for name in run.names or ())}
    unused = [
        name
        for name, feature in FEATURES.items()
        if feature.function.__module__.startswith(PLUGIN_MODULE) and not {name, feature.group} & names_learned
    ]
    if unused:
        text = "not learned from, as names of [search] in the configuration has neither it nor its group: %s"
        _LOG.log(NOTE, text, join_names(unused))

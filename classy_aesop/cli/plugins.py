"""Plug-ins of the command line: Python files that add parts, as ``--plugin`` names them."""

from __future__ import annotations

import os
import traceback

from classy_aesop.errors import InputError
from classy_aesop.outside import PLUGINS_VARIABLE, import_file, plugin_paths


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

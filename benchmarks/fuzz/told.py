"""What an error is and where it comes from, in a line."""

import traceback
from pathlib import Path


def told(error: BaseException) -> str:
    """Give its kind, the last line of this package that it passed, and its message."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [one for one in frames if "classy_aesop" in one.filename] or frames
    return f"{type(error).__name__} at {Path(ours[-1].filename).name}:{ours[-1].lineno}: {str(error)[:120]!r}"

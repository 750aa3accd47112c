"""The version of the package: ``pyproject.toml`` and every output's signature take it from here."""

__version__ = "0.1.0"

"""The documentation that is made from the code: ``python -m reference`` writes its pages, ``... site DIR`` the site."""

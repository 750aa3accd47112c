"""Documentation made from the code: ``python -m docs.reference`` writes its pages, ``... DIR`` the site."""

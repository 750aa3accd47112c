"""Documentation made from the code: ``python -m docs.reference DIR`` builds the site."""

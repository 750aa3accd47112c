"""How work is run: by workers, with a bar that shows how far it is, and with seeds of its own for each part."""

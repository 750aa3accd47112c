"""Files and folders that are written completely or not at all, or continued; and what they may not replace."""

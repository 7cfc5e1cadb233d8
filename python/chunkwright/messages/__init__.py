"""Messages to people: the log, warnings, and text that is safe on a terminal."""

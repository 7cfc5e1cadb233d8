"""Settings of the command line: flags, environment, files, and the strategies that they name."""

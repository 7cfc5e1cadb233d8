"""HTTP for models behind a server: bounded answers, and clients that nobody shares."""

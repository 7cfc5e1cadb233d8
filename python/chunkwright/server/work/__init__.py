"""Work off the event loop: a bounded pool of threads, with an end for each call."""

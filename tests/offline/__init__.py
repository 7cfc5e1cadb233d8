"""What keeps tests, and the processes that they start, from the network."""

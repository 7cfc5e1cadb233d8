"""Child processes of the service, in which work of unbounded cost is done."""

"""Pipeline of a run on one machine: stages that work at once, with bounded queues between them."""

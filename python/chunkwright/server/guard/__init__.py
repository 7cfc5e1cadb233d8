"""Guards in front of the routes: keys, hosts, bodies, logs and metrics."""

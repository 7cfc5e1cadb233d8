"""Engines that make shards: this machine's threads, Ray, Spark."""

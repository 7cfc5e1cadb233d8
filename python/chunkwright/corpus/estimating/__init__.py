"""Estimating of runs: samples of the inputs, what is made of them, and what that adds up to."""

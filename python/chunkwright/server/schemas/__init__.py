"""Shapes of requests and answers, as OpenAPI says them."""

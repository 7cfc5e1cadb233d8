"""Adapters to language models: functions, servers, and objects of other libraries."""

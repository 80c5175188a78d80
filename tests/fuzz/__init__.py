"""Hostile input in bulk: configs (`python -m tests.fuzz.configs`) and folders (`python -m tests.fuzz.folders`)."""

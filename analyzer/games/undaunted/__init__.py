"""Undaunted: Normandy."""

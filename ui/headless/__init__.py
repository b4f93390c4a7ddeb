"""Runs without a screen: the answer on standard output, as text or as JSON for programs."""

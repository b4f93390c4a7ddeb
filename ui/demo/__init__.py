"""The demo: a recorded assistant mends a small project, for real, with nothing to set up."""

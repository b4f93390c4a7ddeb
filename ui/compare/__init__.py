"""Both modes fed the same chunks side by side: what is compared, how, and how it is shown."""

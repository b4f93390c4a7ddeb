"""One small file of data for each dialect."""

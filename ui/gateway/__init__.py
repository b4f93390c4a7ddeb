"""The gateway: native tool calls for servers that only write text."""

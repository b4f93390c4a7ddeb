"""The sub-commands, one file each; a door's module has a click command named `command`."""

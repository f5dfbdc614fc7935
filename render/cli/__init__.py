"""The command line: options, messages and exit statuses that commands share. No logic of its own."""

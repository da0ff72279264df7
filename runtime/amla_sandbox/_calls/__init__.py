"""The tool calls of a run: bound to their schemas, decided, asked about, recorded, handed to handlers."""

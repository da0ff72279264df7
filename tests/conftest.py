"""The tests run on the installed package, not on the checkout around them."""

from __future__ import annotations

import os
import signal

os.environ["PYTHONSAFEPATH"] = "1"
"""Child processes do not look into the current folder, where the command line's package lies, before site-packages."""

signal.signal(signal.SIGINT, signal.default_int_handler)
"""A shell starts what it puts into the background with Ctrl-C ignored, and child processes inherit that."""

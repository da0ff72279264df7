"""The tests run on the installed package, not on the checkout around them."""

from __future__ import annotations

import os

os.environ["PYTHONSAFEPATH"] = "1"
"""Child processes do not look into the current folder, where the command line's package lies, before site-packages."""

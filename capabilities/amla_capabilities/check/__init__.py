"""What can be said of a script's tool calls before it runs: the sites, and the verdict on each."""

from __future__ import annotations

from .._paths import path_text
from ._site import CallSite, CallSites, SiteError

__all__ = ["CallSite", "CallSites", "SiteError", "path_text"]

"""What can be said of a script's tool calls before it runs: the sites, and the verdict on each.

`Judge(policy, tools, …).judge(site)` decides what follows from constants alone; `site_finding` makes a finding of that.
Where the sites come from is no concern of this package: `amla_sandbox.find_calls` finds them.
"""

from __future__ import annotations

from amla_capabilities._paths import path_text

from ._findings import error_finding, site_finding
from ._judge import Judge, Prepare, SiteVerdict, Status
from ._site import CallSite, CallSites, SiteError

__all__ = [
    "CallSite",
    "CallSites",
    "Judge",
    "Prepare",
    "SiteError",
    "SiteVerdict",
    "Status",
    "error_finding",
    "path_text",
    "site_finding",
]

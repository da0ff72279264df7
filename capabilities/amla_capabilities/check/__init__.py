"""What can be said of a script's tool calls before it runs: the sites, and the verdict on each.

`Judge(policy, tools, …).judge(site)` decides what follows from constants alone; `site_finding` makes a finding of that.
Where the sites come from is no concern of this package: `amla_sandbox.find_calls` finds them. Each name is imported
when it is first used: who only wants sites needs no policy.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from amla_capabilities._paths import path_text

    from ._findings import error_finding, site_finding
    from ._fits import fits
    from ._judge import Judge, Prepare, SiteVerdict, Status
    from ._site import CallSite, CallSites, OpenText, SiteError

__all__ = [
    "CallSite",
    "CallSites",
    "Judge",
    "OpenText",
    "Prepare",
    "SiteError",
    "SiteVerdict",
    "Status",
    "error_finding",
    "fits",
    "path_text",
    "site_finding",
]

_HOMES = {
    **dict.fromkeys(("CallSite", "CallSites", "OpenText", "SiteError"), "._site"),
    **dict.fromkeys(("Judge", "Prepare", "SiteVerdict", "Status"), "._judge"),
    **dict.fromkeys(("error_finding", "site_finding"), "._findings"),
    "fits": "._fits",
    "path_text": ".._paths",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home, __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

"""AM5xx: rights that a manifest has and its older version had not."""

from __future__ import annotations

from ._finding import FindingKind

__all__ = ["WIDENING"]


def _wider(code: str, title: str, meaning: str, mend: str) -> FindingKind:
    return FindingKind(code, title, "error", meaning, mend, can_suppress=False)


WIDENING: tuple[FindingKind, ...] = (
    _wider(
        "AM501",
        "A new tool or MCP server",
        "The manifest declares a tool or an MCP server that its older version did not. Granted or not, it is something "
        "that a later change may grant in one word.",
        "Look at what it runs or calls, and at who may call it with which arguments.",
    ),
    _wider(
        "AM502",
        "A call is granted that was not",
        "A capability or a tool's own table allows calls that the older version refused, or it could not be shown that "
        "it does not: a pattern reaches further, a constraint is gone or laxer, capabilities stand in another order "
        "(the first that fits decides), `allow = false` was taken away.",
        "If it is meant, let a person agree to it. If it is not, write the constraint again as it was; where it is "
        "narrower and that cannot be proved, keep the old constraint beside the new one.",
    ),
    _wider(
        "AM503",
        "A budget is larger",
        "`max_calls`, `rate` or `total` allows more than before. Budgets that share the calls of one older capability "
        "are added up: split in two, each half may have half of it.",
        "Lower the budgets until their sum is what it was, or let a person agree to more.",
    ),
    _wider(
        "AM504",
        "An approval is gone",
        'Calls that waited for a person do not any more: `approval = "ask"` was removed, or a capability without it '
        "now decides first.",
        'Put `approval = "ask"` back, into every capability that may decide these calls, or into the tool.',
    ),
    _wider(
        "AM505",
        "A right lasts longer",
        "`expires` is later than before, or gone.",
        "Put the older date back, or let a person agree to the new one.",
    ),
    _wider(
        "AM506",
        "A tool does something else",
        "What stands behind a tool's name has changed: its function, program, address, headers, body, environment or "
        "folder. Policies are judged by names and arguments, so everything that was granted now means something else.",
        "Read the change as you would read code.",
    ),
    _wider(
        "AM507",
        "A tool takes other arguments",
        "The schema of a tool's arguments accepts more than before, or could not be shown not to; or a default has "
        "changed, which is an argument that nobody wrote.",
        "Narrow the schema again, or read what the tool does with the arguments that are new.",
    ),
    _wider(
        "AM508",
        "A safeguard is off",
        "A parameter is no longer `secret`, or may start with a dash (`options_ok`); a private address may be reached; "
        "another exit status is no error; a call may be repeated after a crash (`idempotent`), or no longer counts as "
        "writing (`effect`).",
        "Put it back unless you know why it can go.",
    ),
    _wider(
        "AM509",
        "A limit is higher",
        "A limit of the sandbox or of a tool (time, memory, bytes, calls of a run) is higher than before, or gone.",
        "Lower it again, or let a person agree to it.",
    ),
    _wider(
        "AM510",
        "A mount is new or allows more",
        "Scripts get a folder that they did not get, may change one that they could only read, may delete in it, or "
        "see what another mount lay over.",
        "Mount less, or read-only.",
    ),
    _wider(
        "AM511",
        "Scripts see another variable",
        "`[env]` gives scripts a variable, or a value, that they did not have.",
        "Take it out, or make sure that it tells a script nothing that it should not know.",
    ),
    _wider(
        "AM512",
        "A test that a call is refused is gone",
        "The older version had a test in `[[tests]]` that a call is denied or asked for. It was removed, or expects "
        "less now. (A test of a tool that is itself gone may go, too.)",
        "Put the test back. If the policy was meant to change, say so in the change that does it.",
    ),
    _wider(
        "AM513",
        "An MCP server is another",
        "A server is started or reached otherwise than before: its program, address, environment, headers or folder. "
        "The tools behind its name may be others.",
        "Read the change as you would read code.",
    ),
)

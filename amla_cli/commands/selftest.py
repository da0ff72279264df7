"""`amla selftest`: whether the sandbox holds on this machine, by trying to break it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from amla_cli._command import examples, make_app
from amla_cli._exit import Exit
from amla_cli._outcome import Message, Outcome, Problem, Settings
from amla_cli._params import one_of

if TYPE_CHECKING:
    from amla_sandbox.selftest import Verdict

__all__ = ["app", "selftest"]


def selftest(
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="escape|deadline|limit|capability", help="Only those attempts."),
    ] = None,
    *,
    settings: Settings,
) -> Outcome:
    """Try to break out of the sandbox, to outlast its limits, and to call what is not granted, on this machine.

    Takes a few seconds. Nothing outside a temporary folder is touched, no connection leaves the machine. Status 1 if
    an attempt succeeded.
    """
    from amla_cli._terminal import Progress
    from amla_sandbox.selftest import TRIALS, run_trials

    groups = list(dict.fromkeys(trial.group for trial in TRIALS))
    chosen = None if only is None else one_of("--only", only, groups)
    trials = tuple(trial for trial in TRIALS if chosen in (None, trial.group))
    with Progress(settings) as progress:
        verdicts = list(run_trials(trials, lambda trial: progress(f"{trial.group}: {trial.name}")))
    return _outcome(verdicts)


def _outcome(verdicts: list[Verdict]) -> Outcome:
    failed = [verdict for verdict in verdicts if not verdict.held]
    problems = tuple(Problem("selftest", f"{_name(verdict)}: {verdict.fault}", _REPORT) for verdict in failed)
    told = tuple(
        Message("detail", f"{_name(verdict)}: held, {verdict.seconds:.2f} s") for verdict in verdicts if verdict.held
    )
    return Outcome(
        {"trials": [_data(verdict) for verdict in verdicts], "failed": len(failed)},
        _summary(verdicts),
        messages=told,
        problems=problems,
        exit_code=Exit.SCRIPT_ERROR if failed else 0,
    )


_REPORT = "do not run scripts of others on this machine, and please report this with the output of 'amla doctor'"


def _summary(verdicts: list[Verdict]) -> str:
    groups = list(dict.fromkeys(verdict.trial.group for verdict in verdicts))
    return "\n".join(_group_line(group, [v for v in verdicts if v.trial.group == group]) for group in groups)


def _group_line(group: str, verdicts: list[Verdict]) -> str:
    held = sum(verdict.held for verdict in verdicts)
    return f"{group:<10} {held} of {len(verdicts)} attempts came to nothing ({sum(v.seconds for v in verdicts):.1f} s)"


def _name(verdict: Verdict) -> str:
    return f"{verdict.trial.group}, {verdict.trial.name}"


def _data(verdict: Verdict) -> dict[str, object]:
    trial = verdict.trial
    held = {"held": verdict.held, "fault": verdict.fault, "seconds": round(verdict.seconds, 3)}
    return {"group": trial.group, "name": trial.name, **held}


app = make_app(
    selftest,
    name="selftest",
    epilog=examples(
        ("amla selftest", "all attempts; a line for each group"),
        ("amla selftest -v --only escape", "each attempt to reach the host, by name"),
    ),
)

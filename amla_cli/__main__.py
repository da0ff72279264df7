"""Where `amla` and `python -m amla_cli` begin."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import Any, NoReturn

__all__ = ["main", "start"]


def start() -> NoReturn:
    """Be the process of `main`: one that is quick to begin and to end."""
    ended: list[int] = []
    atexit.register(_leave, ended)  # the first to be registered is the last to be called
    gc.disable()  # until a script runs: what is imported stays
    ended.append(main())
    sys.exit(ended[0])


def _leave(ended: list[int]) -> None:
    """End here and now. The interpreter would take all modules apart first, for as long as a script runs."""
    if not ended:  # a bug's traceback, or a child that a tool forked
        return
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # closed when we began
                stream.flush()
    except (OSError, ValueError):  # which the interpreter finds as well, and says
        return
    os._exit(ended[0])


def main() -> int:
    """Run the command line in `sys.argv`; the exit status."""
    argv = sys.argv[1:]
    try:
        return _version() if argv == ["--version"] else _parse_and_run(argv)
    except KeyboardInterrupt:  # while loading or printing: nothing to end, nobody to tell more
        return 130
    except BrokenPipeError:
        from ._streams import drop_output

        drop_output()
        return 141


def _version() -> int:
    """The one answer that is given without the parser, which takes longer than all the rest of it."""
    from amla_sandbox import __version__

    print(f"amla {__version__}", flush=True)
    return 0


def _parse_and_run(argv: list[str]) -> int:
    from ._app import make_command
    from ._command import perform
    from ._outcome import Settings
    from ._streams import open_missing_streams

    open_missing_streams()
    _catch_sigterm()
    try:
        status = make_command().main(argv, prog_name="amla", standalone_mode=False)
    except Exception as error:  # the parser's, or a bug: both become sentences
        fault = error
        return perform("amla", Settings.guess(argv), lambda: _raise(fault))
    return status if isinstance(status, int) else 0


def _raise(error: Exception) -> Any:
    raise error


def _catch_sigterm() -> None:
    import signal

    from ._outcome import Terminated

    def end(*_: object) -> None:
        raise Terminated

    signal.signal(signal.SIGTERM, end)


if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # `-m` put the current folder there, ahead of the standard library
    start()

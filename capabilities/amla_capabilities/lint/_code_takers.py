"""Programs that take code, or the name of a program, among their arguments, and where (AM216)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["CODE_TAKERS", "CodeTaker"]

_ALL = 1 << 30
_NEVER = r"(?!)"


@dataclass(frozen=True, slots=True)
class CodeTaker:
    """Where a program takes code.

    After or in `options`; among its operands, from the first to before the second of `operands`; on its standard input,
    if it `reads`, as long as neither gave any. `valued` are options with a value that is none, `skips` words that are
    neither option nor operand. If it `leads`, the first operand ends its options, and if `ends` is set, code does, too.
    `does` says what it does with an operand.
    """

    options: str = _NEVER
    operands: tuple[int, int] = (0, 0)
    valued: str = _NEVER
    skips: str = _NEVER
    leads: bool = False
    ends: bool = False
    reads: bool = False
    does: str = "runs what {} holds as code"


def _interpreter(options: str, valued: str = _NEVER, *, ends: bool = False) -> CodeTaker:
    """What runs a file that its first operand names, or else its input."""
    does = "runs the file that {} names"
    return CodeTaker(options, (0, 1), valued, leads=True, ends=ends, reads=True, does=does)


def _starter(options: str = _NEVER, valued: str = _NEVER, skips: str = _NEVER) -> CodeTaker:
    """What starts the program that its first operand names."""
    return CodeTaker(options, (0, 1), valued, skips, leads=True, does="starts the program that {} names")


_SHELL = _interpreter(r"-[a-z]*c[a-z]*|--(?:command|init-file|rcfile)", r"[-+][oO]")
_NODE = _interpreter(
    r"-[a-z]*[epr]|--(?:eval|print|require|import|loader|experimental-loader)|eval", r"-C|--conditions"
)
_SCRIPT = _interpreter(r"-[A-Za-z]*[eEM]|--eval", r"-[IC]")
_AWK = CodeTaker(r"-[efi]|--(?:source|file|include)", (0, 1), r"-[Fv]|--field-separator|--assign")
_ENV = _starter(r"-S|--split-string", r"-[uC]|--unset|--chdir", r"\w+=.*")
_SUDO = _starter(valued=r"-[ughpCDRT]|--(?:user|group|chdir|chroot)", skips=r"\w+=.*")
_XARGS = _starter(valued=r"-[EIdLnPsa]|--(?:replace|delimiter|max-\w+|arg-file)")
_TIMED = _starter(
    valued=r"-[ncksfo]|--(?:adjustment|kill-after|signal|class|classdata|format|output)", skips=r"[\d.]+[smhd]?"
)
_SQL_LINES = CodeTaker(r"-[ecf]|--(?:execute|command|file|init-command)", (_ALL, _ALL), r"-[hpPUud]", reads=True)
_SQL_WORDS = CodeTaker(r"-c(?:md)?|-init|-f", (1, _ALL), r"-(?:separator|newline|nullvalue)", reads=True)

CODE_TAKERS: Mapping[str, CodeTaker] = {
    **dict.fromkeys(("sh", "bash", "dash", "zsh", "ksh", "ash", "fish"), _SHELL),
    **dict.fromkeys(("python", "pypy"), _interpreter(r"-[A-Za-z]*[cm]", r"-[WX]", ends=True)),
    **dict.fromkeys(("node", "nodejs", "deno", "bun"), _NODE),
    **dict.fromkeys(("perl", "ruby", "lua", "osascript", "rscript", "julia", "groovy"), _SCRIPT),
    "php": _interpreter(r"-[rBREf]"),
    **dict.fromkeys(("powershell", "pwsh"), _interpreter(r"(?i)-(?:c|command|e|ec|encodedcommand|f|file)")),
    "cmd": CodeTaker(r"(?i)/[ck]"),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _AWK),
    "sed": CodeTaker(r"-[nEszur]*[ef]|--(?:expression|file)", (0, 1), r"-l|--line-length"),
    "ed": CodeTaker(operands=(_ALL, _ALL), reads=True),
    "dc": CodeTaker(r"-[ef]|--(?:expression|file)", (0, 1), reads=True),
    **dict.fromkeys(("vi", "vim", "nvim", "view", "ex"), CodeTaker(r"-[cSu]|--cmd")),
    "emacs": CodeTaker(r"-[lf]|-?-(?:eval|execute|load|funcall|script)"),
    "gdb": CodeTaker(r"-i?ex|-x|-?-(?:eval-command|command)"),
    "make": CodeTaker(r"-[fE]|--(?:file|makefile|eval)", (0, _ALL), r"-[CIjlo]"),
    **dict.fromkeys(("sqlite", "duckdb"), _SQL_WORDS),
    **dict.fromkeys(("psql", "mysql", "mariadb"), _SQL_LINES),
    **dict.fromkeys(("ssh", "rsh"), CodeTaker(r"-[oF]", (1, _ALL), r"-[BbcDEeIiJLlmOpQRSWw]")),
    **dict.fromkeys(("scp", "sftp"), CodeTaker(r"-[oFS]")),
    "rsync": CodeTaker(r"-[A-Za-z]*e|--rsh|--rsync-path"),
    "git": CodeTaker(r"-c|--config-env|--exec-path", valued=r"-C|--git-dir|--work-tree", leads=True),
    "find": CodeTaker(r"-(?:exec|ok)(?:dir)?"),
    "fd": CodeTaker(r"-[xX]|--exec(?:-batch)?"),
    "rg": CodeTaker(r"--pre|--hostname-bin"),
    "tar": CodeTaker(
        r"-[A-Za-z]*[IF]|"
        r"--(?:to-command|checkpoint-action|use-compress-program|info-script|new-volume-script|rsh-command|rmt-command)"
    ),
    "sort": CodeTaker(r"--compress-program"),
    "zip": CodeTaker(r"-TT|--unzip-command"),
    "curl": CodeTaker(r"-K|--config"),
    "wget": CodeTaker(r"-e|--(?:execute|use-askpass|config)"),
    "man": CodeTaker(r"-[PHC]|--(?:pager|html|config-file)"),
    "env": _ENV,
    **dict.fromkeys(("sudo", "doas"), _SUDO),
    **dict.fromkeys(("xargs", "parallel"), _XARGS),
    **dict.fromkeys(("nice", "ionice", "timeout", "time", "stdbuf", "watch"), _TIMED),
    **dict.fromkeys(("nohup", "exec", "setsid", "busybox", "strace", "npx", "bunx", "uvx"), _starter()),
}

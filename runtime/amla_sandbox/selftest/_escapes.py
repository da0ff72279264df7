"""Attempts to reach the host's files, variables, network, processes and memory."""

from __future__ import annotations

from functools import partial

from amla_capabilities import Limits
from amla_sandbox._sandbox import Sandbox

from ._canary_host import canary_host
from ._trial import Trial

__all__ = ["ESCAPES"]

_SECONDS = 2.0

_JAVASCRIPT = {
    "read a file": "return fs.readFileSync('FILE', 'utf8')",
    "read through dots": "return fs.readFileSync('/workspace/../../../../../../FILE', 'utf8')",
    "read through a link": "fs.symlinkSync('FILE', 'l'); return fs.readFileSync('l', 'utf8')",
    "write a file": "fs.writeFileSync('FILE', 'x'); fs.mkdirSync('FOLDER/new', { recursive: true })",
    "list a folder": "return fs.readdirSync('FOLDER')",
    "read the environment": "return process.env['VARIABLE']",
    "read /proc": "return fs.readFileSync('/proc/self/environ', 'utf8')",
    "import a file": "return await import('FILE')",
    "require a file": "return require('FILE')",
    "fetch": "return await (await fetch('http://127.0.0.1:PORT/')).text()",
    "open a socket": "return require('net').connect(PORT, '127.0.0.1')",
    "start a process": "return require('child_process').execSync('cat FILE').toString()",
    "constructors": """
        const main = this.constructor.constructor("return process.mainModule")();
        return main.require("fs").readFileSync("FILE", "utf8")""",
    "a module of its own": "return new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))",
    "natives": "return globalThis.__native.host.module('fs')",
    "a stack's functions": """
        Error.prepareStackTrace = (error, sites) => sites.map((site) => site.getFunction?.()?.caller);
        throw new Error("x")""",
}
_SHELL = {
    "read a file": "cat 'FILE'",
    "redirect from a file": "read -r x < 'FILE'; echo \"$x\"",
    "read through a link": "ln -s 'FILE' l; cat l; cp l m; cat m",
    "write a file": "echo x > 'FILE'; mkdir -p 'FOLDER/new'",
    "remove a file": "rm -rf 'FOLDER'",
    "source a file": "source 'FILE'",
    "read the environment": 'echo "$VARIABLE"; printenv; set',
    "read /proc": "cat /proc/self/environ /proc/1/cmdline",
    "open a socket": "exec 3<>/dev/tcp/127.0.0.1/PORT; cat <&3",
    "curl": "curl http://127.0.0.1:PORT/",
    "start a process": "python3 -c 'print(open(\"FILE\").read())'; /bin/cat 'FILE'; exec /usr/bin/env",
    "awk": """
        awk 'BEGIN {
          while ((getline x < "FILE") > 0) print x
          print ENVIRON["VARIABLE"]
          while (("cat FILE" | getline y) > 0) print y
        }'""",
    "sed": "echo x | sed 'r FILE'; echo x | sed 'w FOLDER/new'; echo x | sed '1e cat FILE'",
    "jq": "jq -n 'env, input_filename, $ENV'; jq -Rs . 'FILE'; jq -L 'FOLDER' -n 'include \"secret\"; 1'",
    "tar": "tar cf - 'FOLDER' | base64; tar xPf <(tar cPf - /etc) -C 'FOLDER'",
    "find": "find 'FOLDER' -exec cat {} +",
}


def _attempt(code: str, language: str) -> str:
    with canary_host() as host, Sandbox(limits=Limits(timeout=_SECONDS)) as sandbox:
        return host.fault(sandbox.run(host.script(code), language))


ESCAPES = tuple(
    Trial("escape", f"{language}: {name}", partial(_attempt, code, language))
    for language, rows in (("javascript", _JAVASCRIPT), ("shell", _SHELL))
    for name, code in rows.items()
)

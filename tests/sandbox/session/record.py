"""Record what Node's REPL shows for the rows of lines.toml: `record.py [--check]`.

Rows with `differs` say why ours is otherwise, and are left alone. Node 20 is the reference.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile

from lines_file import LINES, Row, load, save

__all__ = ["main"]

_SECONDS = 60
_DRIVER = r"""
const repl = require("repl"), { PassThrough } = require("stream");
const lines = JSON.parse(require("fs").readFileSync(0, "utf8"));
const input = new PassThrough(), output = new PassThrough();
let text = "";
output.on("data", (data) => (text += data));
const prompted = async () => { while (!/>>>$/.test(text)) await new Promise((wake) => setTimeout(wake, 2)); };
const server = repl.start({ input, output, prompt: ">>>", terminal: false });
server.context.console = new console.Console(output, output);
(async () => {
  const shown = [];
  await prompted();
  for (const line of lines) {
    text = "";
    input.write(line + "\n");
    await prompted();
    shown.push(text.slice(0, -3));
  }
  console.log(JSON.stringify(shown));
  process.exit(0);
})();
"""


def in_node(row: Row) -> list[str]:
    """What the REPL printed after each line."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["node", "-e", _DRIVER],
            input=json.dumps(row.lines),
            capture_output=True,
            text=True,
            cwd=folder,
            timeout=_SECONDS,
            check=True,
        )
    return [re.sub(r"REPL\d+", "repl", text).replace("\r\n", "\n") for text in json.loads(done.stdout)]


def main(arguments: list[str]) -> int:
    rows = load()
    recorded = [row if row.differs else row._replace(shown=in_node(row)) for row in rows]
    if "--check" in arguments:
        stale = [row.name for row, fresh in zip(rows, recorded, strict=True) if row != fresh]
        print("\n".join(stale) or "all rows are as Node has them")
        return 1 if stale else 0
    save(recorded)
    print(f"{len(recorded)} rows in {LINES.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""`amla repl`: an interactive session with the sandbox, on a terminal or over a pipe.

`_start` makes the session, a reader (`_prompt` on a terminal, `_lines` elsewhere) gives inputs, `_repl` runs each of
them, `_screen` shows what comes of it. `_dots` has the table of dot commands.
"""

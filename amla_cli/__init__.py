"""The command line of amla: `amla run`, `amla precompile`, `amla tools`, `amla init`.

A command never prints: it returns an `Outcome`, which one renderer turns into text or JSON. What a script writes is
the one exception: it goes to stdout and stderr as it happens, byte for byte.
"""

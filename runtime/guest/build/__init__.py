"""The guest's build, one concern a file.

``sources`` fetches, ``quickjs`` and ``jq`` know the third-party code, ``compile`` makes one module of all C, ``bundle``
makes one archive of all TypeScript, ``preinit`` runs the module once over the archive, ``snapshot`` bakes the memory
that this left behind into the module, ``provenance`` writes down what went in.  ``pipeline`` puts them in order, and
``ensure`` decides whether any of it is needed.
"""

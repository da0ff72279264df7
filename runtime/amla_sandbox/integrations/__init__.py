"""Tools and agents of other frameworks; each module needs its framework only when it is used."""

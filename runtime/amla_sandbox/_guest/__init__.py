"""One instance of the guest, from its compiled code to its files: what touches WebAssembly is here."""

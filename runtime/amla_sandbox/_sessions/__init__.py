"""Lines over one world that stays, and that world at rest."""

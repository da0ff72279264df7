"""Questions about constraints that no single call answers: inclusion, emptiness, overlap."""

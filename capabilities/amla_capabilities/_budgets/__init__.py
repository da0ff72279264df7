"""What bounds calls over time: how it is written, counted and charged."""

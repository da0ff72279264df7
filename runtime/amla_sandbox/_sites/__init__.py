"""Where scripts call tools, found without running them."""

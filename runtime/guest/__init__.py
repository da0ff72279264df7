"""What is inside the WebAssembly: C in ``c/``, TypeScript in ``ts/``, and ``build/``, which makes one module of them."""

"""What is inside the WebAssembly: C in ``c/``, TypeScript in ``ts/``, and ``build/``, which makes a module of them."""

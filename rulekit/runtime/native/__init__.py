"""The WebAssembly back end: an optimised program as a module that plays whole games (decision 0085)."""

"""The WebAssembly back end: an optimised program as a module that plays whole games (decisions 0085 to 0089)."""

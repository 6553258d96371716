"""What a page may load and run (Content Security Policy, level 3)."""

from __future__ import annotations

PAGE = (
    "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none';"
    " form-action 'self'; frame-ancestors 'none'"
)
# Where the browser's own eyes run: WebAssembly, which would else count as made-up script.
WITH_EYES = f"{PAGE}; script-src 'self' 'wasm-unsafe-eval'"
NAME = "Content-Security-Policy"

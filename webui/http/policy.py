"""What a page may load and run (Content Security Policy, level 3)."""

from __future__ import annotations

from webui.http.prefix import in_frame

NAME = "Content-Security-Policy"
# Pages hold no script of their own; a photo just taken is shown from a blob.
PAGE = (
    "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none';"
    " form-action 'self'; frame-ancestors "
)
# Where the browser's own eyes run: WebAssembly, which would else count as made-up script.
EYES = "; script-src 'self' 'wasm-unsafe-eval'"


def policy(*, eyes: bool = False) -> str:
    """Return the policy of a page, or of one where the browser's own *eyes* run."""
    return PAGE + ("'self'" if in_frame() else "'none'") + (EYES if eyes else "")

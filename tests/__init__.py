"""Tests in the rooms of the product; where its files and the pictures with truth are."""

import signal
from pathlib import Path

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "fixtures"

# A script leaves SIGINT ignored in its background, and so would it be in every process here.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

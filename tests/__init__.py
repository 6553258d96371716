"""Tests in the rooms of the product; where its files and the pictures with truth are."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "fixtures"

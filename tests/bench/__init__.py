"""Benchmarks of the parts that are no eyes: `python -m models.measure NAME`."""

from models.harness import refuse_alone

refuse_alone(__name__)

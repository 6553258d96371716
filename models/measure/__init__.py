"""How well and how fast the eyes read: `make accuracy`, `make bench`."""

from models.harness import refuse_alone

refuse_alone(__name__)

"""The reference made wrong, one named way at a time, and made unusual without being wrong.

What is here is for the proof that the cases catch what they are there for. Nothing of the right server imports it.
"""

from __future__ import annotations

from .everything import FAULTS, UNSEEN, VARIANTS
from .make import Made, make
from .model import Fault

__all__ = ["FAULTS", "UNSEEN", "VARIANTS", "Fault", "Made", "make"]

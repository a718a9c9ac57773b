"""Lives, but neither reads nor writes."""

from _base import linger

linger()

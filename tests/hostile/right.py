"""Does nothing wrong: what the others are when they are not wrong."""

from _base import serve

serve()

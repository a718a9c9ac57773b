"""Outcomes to what people and programs read: one writer a file, all fed by the same records."""

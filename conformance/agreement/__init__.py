"""What was agreed on before a run: the baseline of known failures, and the frozen set that counts."""

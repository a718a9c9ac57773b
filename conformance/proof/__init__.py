"""The proof that the checks can fail: requirement by case by fault, played on the reference."""

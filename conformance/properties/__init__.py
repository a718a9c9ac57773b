"""Properties: what holds for every value, tried on examples that Hypothesis makes, as cases that no file holds."""

"""Case files: YAML text to values with places, the format's definitions, and from both the cases."""

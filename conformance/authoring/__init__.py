"""Help for writing cases: a file to start from, a first folder, a recorded session."""

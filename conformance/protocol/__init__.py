"""The wire: bytes to judged messages, what is owed and what comes unasked, the shapes of each revision."""

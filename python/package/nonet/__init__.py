"""nonet."""

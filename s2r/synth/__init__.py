"""Synthetic universes with pools and gold, and synthetic adjudicators with known error rates; nothing in them is real."""
